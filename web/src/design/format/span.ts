import type { Format } from './format.ts';

export type SpanUnits = { second: string; minute: string; hour: string; day: string };

const SPANS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `34,8 с`, `12 мин`, `3 ч`: tenths only for seconds. */
export function formatSpan(ms: number, units: SpanUnits, format: Format): string {
  // A value that would round up to the next unit is shown in that unit: "1 h", not "60 min".
  const span = SPANS.find(([, size]) => ms >= size * 0.995);
  if (span === undefined) return `${format.seconds(ms)}\u00a0${units.second}`;
  const [unit, size] = span;
  return `${format.number(ms / size)}\u00a0${units[unit]}`;
}
