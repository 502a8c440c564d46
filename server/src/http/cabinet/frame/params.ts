import { Problem } from '../../../problem.ts';

/** A number in a path. What cannot be one names nothing. */
export function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,14}$/.test(text)) throw new Problem('not_found');
  return Number(text);
}
