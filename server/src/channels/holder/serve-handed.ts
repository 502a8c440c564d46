import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { logUnlessAway } from '../../db/sql-errors.ts';
import { within } from '../../runtime/deadline.ts';
import { type Repetition, repeatEvery } from '../../runtime/repeat.ts';
import type { Outcome, OutgoingMessage } from '../channel.ts';
import type { ProviderIds } from '../combine-providers.ts';
import { unavailable } from '../failed-outcome.ts';
import { answerHanded, removeOldHanded, takeHanded } from './handed-store.ts';

/** The time in which a provider has to answer what another node has handed over. */
const ANSWER_MS = 4_000;
const BATCH_MAX = 64;
const AT_ONCE_MAX = 256;
/** Long enough to cost nothing, short enough for a person who waits for a code. */
const POLL_MS = 20;
const POLL_ALONE_MS = 500;
const CLEAN_MS = 30_000;
const STOP_LIMIT_MS = 5_000;

const LEASE_LOST = unavailable('Узел потерял связь с оператором SMS');

type Tools = {
  db: Database;
  log: Logger;
  provider: string;
  node: string;
  /** Whether other nodes run that may hand something over. */
  hasPeers(): boolean;
  isHeld(): boolean;
  unseal(sealed: Buffer): string;
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  /** Hears the ids of a message whose sender has settled it as unknown. */
  onLateIds(late: ProviderIds): void;
};

/** The side of the holder: takes what other nodes have handed over, sends it, and answers. */
export function serveHanded(tools: Tools): Repetition {
  const { db, provider, node } = tools;
  const report = logUnlessAway(tools.log, 'a message of another node was not sent');
  const underWay = new Set<Promise<void>>();
  let cleanedMs = performance.now();
  let polledMs = Number.NEGATIVE_INFINITY;

  const run = async () => {
    const now = performance.now();
    if (!tools.hasPeers() && now - polledMs < POLL_ALONE_MS) return false;
    polledMs = now;
    if (now - cleanedMs > CLEAN_MS) {
      cleanedMs = now;
      await removeOldHanded(db, provider);
    }
    const max = Math.min(BATCH_MAX, AT_ONCE_MAX - underWay.size);
    if (max === 0 || !tools.isHeld()) return false;
    const taken = await takeHanded(db, { provider, node, max });
    for (const { id, sealed } of taken) {
      const done = sendOne(tools, id, sealed).catch(report);
      const ended: Promise<void> = done.finally(() => underWay.delete(ended));
      underWay.add(ended);
    }
    return taken.length > 0;
  };
  const polling = repeatEvery({ pauseMs: POLL_MS, onError: report, run });

  return {
    async stop() {
      await polling.stop();
      await within(STOP_LIMIT_MS, Promise.all(underWay));
    },
  };
}

async function sendOne(tools: Tools, id: string, sealed: Buffer): Promise<void> {
  const message = JSON.parse(tools.unseal(sealed)) as OutgoingMessage;
  // A process that stood still may have taken it in another time.
  const outcome = tools.isHeld()
    ? await tools.send(message, AbortSignal.timeout(ANSWER_MS))
    : LEASE_LOST;
  const isTooLate = await tools.db.inGroup(answerHanded, { id, outcome });
  if (!isTooLate || outcome.result !== 'accepted') return;
  const providerIds = outcome.partIds ?? [outcome.providerId];
  const phone = 'phone' in message.to ? message.to.phone : undefined;
  tools.onLateIds({ ref: message.ref, providerIds, phone });
}
