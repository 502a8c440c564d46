export type TimeUnits = { day: string; hour: string; minute: string; second: string };

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `6 д 23 ч`, `14 мин 5 с`: only the two largest units. */
export function timeLeft(seconds: number, units: TimeUnits): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const shown = first === -1 ? UNITS.slice(-1) : UNITS.slice(first, first + 2);
  let rest = Math.max(0, Math.floor(seconds));
  return shown
    .map(([unit, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return `${count}\u00a0${units[unit]}`;
    })
    .join(' ');
}

export function secondsUntil(at: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(at) - now) / 1_000));
}
