import type { SpanUnits } from '../../design/format/span.ts';

const SPANS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** In the largest unit without rounding: the audit log must show the exact setting. */
export function exactSpan(seconds: number, units: SpanUnits): string {
  const span = SPANS.find(([, size]) => seconds > 0 && seconds % size === 0);
  return span === undefined
    ? `${seconds}\u00a0${units.second}`
    : `${seconds / span[1]}\u00a0${units[span[0]]}`;
}
