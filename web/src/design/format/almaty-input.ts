import { TIME_ZONE } from './format.ts';

const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** The Swedish locale formats dates like ISO 8601. */
const isoFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** An instant as a value of `<input type="datetime-local">`, in Almaty time. */
export function toAlmatyInput(instant: string | number): string {
  return isoFormat.format(new Date(instant)).replace(' ', 'T').slice(0, MINUTE_LENGTH);
}

/** The value of such an input as an instant; undefined when it is invalid. */
export function fromAlmatyInput(local: string): string | undefined {
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs)) return undefined;
  // The offset depends on the instant, not on the wall clock, so the first guess is corrected once.
  const guess = localMs - offsetAt(localMs);
  return new Date(localMs - offsetAt(guess)).toISOString();
}

/** How many milliseconds Almaty is ahead of UTC. */
function offsetAt(instant: number): number {
  return Date.parse(`${isoFormat.format(instant).replace(' ', 'T')}Z`) - instant;
}
