import type { Line } from './lines.ts';

export const COLUMNS = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'] as const;
export type Column = (typeof COLUMNS)[number];

/** A fault of a provider, which the service has to stand. */
export type Trial = {
  column: Column;
  name: string;
  /** Throws when it fails. */
  run(line: Line): Promise<void>;
};
