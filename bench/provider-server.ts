/**
 * A provider as a separate process: it accepts every message after the delay last set by the parent
 * process, and does nothing else.
 */
import { startHttpProvider } from '../simulators/http-provider.ts';

const provider = await startHttpProvider({ secret: process.env.BENCH_SECRET ?? '', quiet: true });

process.on('message', ({ delayMs }: { delayMs: number }) => {
  provider.plans.clear();
  provider.plans.add({ does: 'accept', delayMs });
  process.send?.('done');
});
process.on('disconnect', () => process.exit());
process.send?.({ port: Number(new URL(provider.url).port) });
