import type { Series } from './chart-props.ts';

export type Axis = { min: number; max: number; ticks: number[] };

/** Steps of an axis: 1, 2 or 5 times a power of ten. */
const FACTORS = [1, 2, 5, 10];
const STEPS_MAX = 5;
/** Of a share that stays above this, an axis from zero shows nothing but a straight line. */
const HIGH_SHARE = 0.8;

/**
 * The axis of values. Of things that are counted there is no half, so their steps are whole; a share
 * ends at 100 %. Every axis begins at zero, except for one of high shares, and one with losses.
 */
export function valueAxis(
  values: readonly (number | null)[],
  { isShare = false }: { isShare?: boolean } = {},
): Axis {
  const known = values.filter((value) => value !== null);
  if (isShare) return shareAxis(known);
  const low = Math.min(0, ...known);
  const high = Math.max(0, ...known);
  const isWhole = known.every(Number.isInteger);
  const rough = stepOf((high - low || 1) / STEPS_MAX);
  const step = isWhole ? Math.max(1, rough) : rough;
  const min = Math.floor(low / step) * step;
  const max = Math.max(min + step, Math.ceil(high / step) * step);
  return { min, max, ticks: ticksOf(min, max, step) };
}

function shareAxis(known: readonly number[]): Axis {
  const low = Math.min(1, ...known);
  if (known.length === 0 || low < HIGH_SHARE)
    return { min: 0, max: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
  // Whole per cents.
  return low < 0.9
    ? { min: HIGH_SHARE, max: 1, ticks: ticksOf(HIGH_SHARE, 1, 0.05) }
    : { min: 0.9, max: 1, ticks: ticksOf(0.9, 1, 0.02) };
}

function stepOf(rough: number): number {
  const ten = 10 ** Math.floor(Math.log10(rough));
  return ten * (FACTORS.find((factor) => factor * ten >= rough * 0.999_999) ?? 10);
}

function ticksOf(min: number, max: number, step: number): number[] {
  const count = Math.round((max - min) / step);
  // Multiplied, not added up: tenths would drift.
  return Array.from({ length: count + 1 }, (_, i) => Number((min + i * step).toPrecision(12)));
}

/**
 * Which of the buckets get a label, so that no two labels touch: every one, every second, and so on.
 * Counted back from the last one, which is now.
 */
export function labelPlaces(count: number, room: { widthPx: number; labelPx: number }): number[] {
  const fitting = Math.max(1, Math.floor(room.widthPx / room.labelPx));
  const every = Math.max(1, Math.ceil(count / fitting));
  return Array.from({ length: count }, (_, place) => place).filter(
    (place) => (count - 1 - place) % every === 0,
  );
}

/** Points that no line reaches, because the values on both sides are unknown. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  const isKnown = (place: number) => values[place] !== null && values[place] !== undefined;
  return values.flatMap((_value, place) =>
    isKnown(place) && !isKnown(place - 1) && !isKnown(place + 1) ? [place] : [],
  );
}

/** Whether there is anything to draw: columns of nothing are an empty chart too. */
export function hasData(series: readonly Series[], kind: 'columns' | 'lines'): boolean {
  return series.some(({ values }) =>
    values.some((value) => value !== null && (kind === 'lines' || value !== 0)),
  );
}
