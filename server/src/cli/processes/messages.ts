import type { ProviderMetricsRow } from '../../channels/provider-metrics.ts';
import type { FinishedCall } from '../../context.ts';
import type { StartFacts } from '../start-block.ts';

/** What a process of several tells the one that has started it. */
export type FromProcess =
  | { started: StartFacts }
  /** One sentence, or a stack where it is a bug. */
  | { failed: string }
  | { called: FinishedCall }
  | { providers: readonly ProviderMetricsRow[] };

/** What it hears. */
export type ToProcess = { logLevel: string } | { stop: true };
