import { hostname } from 'node:os';
import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { VERSION } from '../version.ts';
import { type Answers, addAnswers, removeNode, type SeenProvider, saveNode } from './node-store.ts';

type Ctx = Pick<
  Context,
  'db' | 'clock' | 'log' | 'providers' | 'payments' | 'nodes' | 'config' | 'channels'
>;

const PAUSE_MS = 2_000;

/**
 * Tells the other nodes every few seconds that this one runs, and what it knows of its providers, and
 * hears which of them run. Sends do none of it. A process that dies loses the answers of the last
 * seconds.
 */
export async function startHeartbeat(ctx: Ctx): Promise<Repetition> {
  const node = ctx.nodes.id;
  const beat = createHeartbeat(ctx);
  const report = logUnlessAway(ctx.log, 'the state of this node was not saved');
  await removeNode(ctx.db, node).then(beat).catch(report);
  const repetition = repeatEvery({
    pauseMs: PAUSE_MS,
    onError: report,
    async run() {
      await beat();
      return false;
    },
  });
  return {
    async stop() {
      await repetition.stop();
      await beat()
        .then(() => removeNode(ctx.db, node))
        .catch(report);
    },
  };
}

/** Returns one beat: it saves the state of the node, and the answers since the beat before. */
export function createHeartbeat(ctx: Ctx): () => Promise<void> {
  const startedAt = ctx.clock.now();
  const written = new Map<string, Answers>();
  return async () => {
    const measured = ctx.providers.read();
    const providers = [
      ...measured.map(
        ({ name, circuit, inFlight, state, latency }): SeenProvider => ({
          name,
          circuit,
          inFlight,
          isUp: state?.isUp ?? null,
          detail: state?.detail ?? null,
          answerMsP99: latency === undefined ? null : Math.round(latency.p99Ms),
        }),
      ),
      ...ctx.payments.map(
        ({ name, circuit }): SeenProvider => ({
          name,
          circuit: circuit?.() ?? 'closed',
          inFlight: 0,
          isUp: null,
          detail: null,
          answerMsP99: null,
        }),
      ),
    ];
    const others = await saveNode(ctx.db, {
      node: ctx.nodes.id,
      version: VERSION,
      mode: ctx.channels.isSandbox ? 'sandbox' : 'live',
      role: ctx.config.role,
      host: hostname(),
      pid: process.pid,
      startedAt,
      providers,
    });
    ctx.nodes.see(others);
    const totals = measured.map(({ name, attempts, skipped }) => ({
      provider: name,
      ...attempts,
      skipped: skipped['open circuit'] + skipped['too many at once'],
    }));
    const added = totals
      .map((total) => ({ ...total, ...difference(total, written.get(total.provider)) }))
      .filter(({ provider: _provider, ...answers }) => Object.values(answers).some((n) => n > 0));
    if (added.length > 0) await addAnswers(ctx.db, added);
    // Only now: a beat that fails is made up for by the next one.
    for (const { provider, ...total } of totals) written.set(provider, total);
  };
}

const NONE: Answers = { accepted: 0, refused: 0, unavailable: 0, unknown: 0, skipped: 0 };

function difference(now: Answers, before: Answers = NONE): Answers {
  return {
    accepted: now.accepted - before.accepted,
    refused: now.refused - before.refused,
    unavailable: now.unavailable - before.unavailable,
    unknown: now.unknown - before.unknown,
    skipped: now.skipped - before.skipped,
  };
}
