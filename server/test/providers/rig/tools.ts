import pino from 'pino';
import type { ProviderBasics } from '../../../src/channels/provider.ts';
import { systemClock } from '../../../src/clock.ts';

/** What the providers of this test file have logged. */
export const logged: Readonly<Record<string, unknown>>[] = [];

/** What a tested provider gets: the time as it is, and a log that the test can read. */
export const TOOLS: ProviderBasics = {
  clock: systemClock,
  log: pino({}, { write: (line) => logged.push(JSON.parse(line)) }),
};
