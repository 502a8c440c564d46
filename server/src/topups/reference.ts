import { randomText } from '../ids.ts';

/** Without look-alikes: neither 0 and O, nor 1, I and L, nor 2 and Z, 5 and S, 8 and B, U and V. */
const ALPHABET = '34679ACDEFGHJKMNPQRTWXY';
const LENGTH = 8;

/**
 * The code of an order. People read it aloud and type it into their bank's app, and it is found in
 * bank statements by its form.
 */
export function newReference(): string {
  return `ZB-${randomText(ALPHABET, LENGTH)}`;
}
