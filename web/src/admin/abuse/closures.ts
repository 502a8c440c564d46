import type { DeskAnswer } from '../call.ts';

/** What the operators have closed or let through: people, companies, sites, streams of codes. */
export type Closures = DeskAnswer<'closures'>;

/** Read anew after each decision. */
export const CHANGED = { invalidates: ['guardDecisions', 'closures'] } as const;
