import type { Context, Metrics } from '../context.ts';
import { withDeadline } from '../runtime/deadline.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';

/** Providers limit such questions, and money does not run out in minutes. */
const PAUSE_MS = 10 * 60_000;
const CHECK_LIMIT_MS = 8_000;

type Ctx = Pick<Context, 'providers' | 'log'> & { metrics: Metrics };

/** Asks the providers for the money that is left, for the metrics of this node. */
export function startProviderBalances(ctx: Ctx): Repetition {
  const report = (error: unknown) =>
    ctx.log.warn({ err: error }, 'the balances at providers were not read');
  const first = readBalances(ctx).catch(report);
  const repetition = repeatEvery({
    pauseMs: PAUSE_MS,
    onError: report,
    async run() {
      await readBalances(ctx);
      return false;
    },
  });
  return {
    async stop() {
      await first;
      await repetition.stop();
    },
  };
}

/** A provider with a permanent connection tells no balance, and one that fails keeps its last one. */
export async function readBalances({ providers, metrics }: Ctx): Promise<void> {
  for (const provider of providers.all.filter(({ start }) => start === undefined)) {
    const check = await withDeadline({ limitMs: CHECK_LIMIT_MS, graceMs: 500 }, (signal) =>
      provider.check(signal),
    ).catch(() => undefined);
    if (check?.balance !== undefined) metrics.providerBalance(provider.name, check.balance);
  }
}
