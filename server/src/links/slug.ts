import { SLUG_LENGTH } from '@zhiber/contract/api/limits.ts';
import { randomText } from '../ids.ts';

// No 0 O 1 l I: a name may be read aloud or typed from paper.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function newSlug(): string {
  return randomText(ALPHABET, SLUG_LENGTH);
}

/** The path of a short link: a generated name or an alias. */
export const SLUG_FORM = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])$/;

const LOOK_ALIKES: Readonly<Record<string, string>> = { 0: 'o', 1: 'l', i: 'l', 3: 'e', 5: 's' };

/** Names that look like a page of the service, or may become one. */
const RESERVED = new Set(
  [
    'api app admin assets auth billing blog cabinet callbacks changelog company confirm-email contact',
    'demo docs favicon finish-sign-up forgot-password health help home index invite legal login logout',
    'metrics openapi pay payment pricing privacy profile public reset-password robots sandbox security',
    'settings sign-in sign-up signin signup sitemap static status support terms try verify well-known',
    'www zhiber',
  ]
    .flatMap((line) => line.split(' '))
    .map(foldLookAlikes),
);

/** Also in a spelling that reads the same: `l0gin`, `log_in`, `Sign-In`, `zhi-ber`. */
export function isReserved(alias: string): boolean {
  return RESERVED.has(foldLookAlikes(alias));
}

function foldLookAlikes(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[-_]/g, '')
    .replaceAll(/[01i35]/g, (letter) => LOOK_ALIKES[letter] ?? letter)
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm');
}
