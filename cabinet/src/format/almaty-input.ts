import { TIME_ZONE } from './format.ts';

const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length;

/** Swedish writes dates as ISO does. */
const shown = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** An instant as `<input type="datetime-local">` holds it, on the clocks of Almaty. */
export function toAlmatyInput(instant: string | number): string {
  return shown.format(new Date(instant)).replace(' ', 'T').slice(0, MINUTE_LENGTH);
}

/** What such an input holds, as an instant; undefined when it is no time. */
export function fromAlmatyInput(local: string): string | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  // The zone is that of the instant and not of the wall clock, so the first guess is mended once.
  const guess = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(guess)).toISOString();
}

/** By how many milliseconds the clocks of Almaty are ahead of UTC. */
function offsetAt(instant: number): number {
  return Date.parse(`${shown.format(instant).replace(' ', 'T')}Z`) - instant;
}
