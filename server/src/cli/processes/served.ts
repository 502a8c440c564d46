import type { ConsoleContext } from '../console/show-calls.ts';
import type { StartFacts } from '../start-block.ts';

/** The service as the terminal sees it, in one process or in several. */
export type Served = {
  facts: StartFacts;
  ctx: ConsoleContext;
  log: { level: string };
  stop(): Promise<void>;
};
