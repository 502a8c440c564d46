import type { Tone } from '../ui/display/chip.tsx';

/** What the caller can mend is a warning; what only the service can is worse. */
export function statusTone(status: number): Tone {
  if (status < 400) return 'ok';
  return status < 500 ? 'warn' : 'bad';
}
