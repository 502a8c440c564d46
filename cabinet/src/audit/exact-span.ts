import type { SpanUnits } from '../format/span.ts';

const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** In the largest unit that needs no rounding: a record says what was set, not nearly what was. */
export function exactSpan(seconds: number, units: SpanUnits): string {
  const span = SPANS.find(([, size]) => seconds > 0 && seconds % size === 0);
  return span === undefined
    ? `${seconds}\u00a0${units.second}`
    : `${seconds / span[1]}\u00a0${units[span[0]]}`;
}
