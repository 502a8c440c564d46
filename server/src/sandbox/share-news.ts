import type { Logger } from 'pino';
import type { Sql } from '../db/sql.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import type { LiveNodes } from '../runtime/live-nodes.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import type { Secrets } from '../secrets.ts';
import { type Batch, insertBatch, readBatches, removeOldBatches } from './news-store.ts';
import type { Sandbox, SandboxNews } from './sandbox.ts';

const PAUSE_MS = 200;
/** Of more news at once the oldest are not told. */
const NEWS_MAX = 2_000;
const BATCHES_AT_ONCE = 50;
/** Old batches are removed after so many new ones. */
const CLEAN_EVERY = 25;

/**
 * Tells the other nodes what the virtual phone of this one receives, and hears theirs, so that a test
 * behind a balancer finds its messages through every node. A node that is alone writes nothing, and
 * tells its latest news when another one starts.
 */
export function shareNews({
  sql,
  nodes,
  secrets,
  log,
  sandbox,
}: {
  sql: Sql;
  nodes: LiveNodes;
  secrets: Pick<Secrets, 'seal' | 'unseal'>;
  log: Logger;
  sandbox: Sandbox;
}): Repetition {
  const read = new Map<string, number>();
  let untold: SandboxNews[] = [];
  let unsent: Batch | undefined;
  let number = 0;
  sandbox.onNews((news) => {
    untold.push(news);
    if (untold.length > 2 * NEWS_MAX) untold = untold.slice(-NEWS_MAX);
  });

  const tell = async () => {
    if (unsent === undefined && untold.length > 0) {
      number += 1;
      const sealed = secrets.seal(JSON.stringify(untold.slice(-NEWS_MAX)));
      unsent = { node: nodes.id, number, sealed };
      untold = [];
    }
    if (unsent === undefined) return;
    // After a failure the same batch again: it may be there.
    await insertBatch(sql, unsent);
    unsent = undefined;
    if (number % CLEAN_EVERY === 0) await removeOldBatches(sql, { node: nodes.id, number });
  };

  const hear = async () => {
    const batches = await readBatches(sql, { node: nodes.id, read, max: BATCHES_AT_ONCE });
    for (const batch of batches) {
      const news = JSON.parse(secrets.unseal(batch.sealed)) as SandboxNews[];
      for (const one of news) sandbox.hear(one);
      read.set(batch.node, batch.number);
    }
    return batches.length === BATCHES_AT_ONCE;
  };

  return repeatEvery({
    pauseMs: PAUSE_MS,
    runsOnStop: true,
    onError: logUnlessAway(log, 'the virtual phones of the nodes were not compared'),
    async run() {
      if (nodes.list().length < 2) return false;
      await tell();
      return await hear();
    },
  });
}
