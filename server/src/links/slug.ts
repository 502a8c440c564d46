import { SLUG_LENGTH } from '@zhiber/contract/api/limits.ts';
import { randomText } from '../ids.ts';

// No 0 O 1 l I: a name may be read aloud or typed from paper.
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function newSlug(): string {
  return randomText(ALPHABET, SLUG_LENGTH);
}

/** The path of a short link: a generated name or an alias. */
export const SLUG_FORM = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])$/;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  i: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
};

/** The first words of all addresses of the service, and names that look like its own. */
const RESERVED = new Set(
  [
    'admin api app assets audit auth balance billing blog broadcasts cabinet callbacks changelog company',
    'confirm-email',
    'contact demo docs favicon finish-sign-up forgot-password groups health help home index invite',
    'keys legal links lists llms llms-full login logout messages metrics new-company openapi overview pay payment payments',
    'playground pricing privacy profile public receipt requests reset-password robots s sandbox security',
    'settings sign-in sign-up signin signup sitemap start static status support team terms try u unsubscribed verify',
    'webhooks well-known www zhiber',
  ]
    .flatMap((line) => line.split(' '))
    .map(foldLookAlikes),
);

/** Also in a spelling that reads the same: `l0gin`, `log_in`, `Sign-In`, `zhi-ber`, `clocs`. */
export function isReserved(alias: string): boolean {
  return RESERVED.has(foldLookAlikes(alias));
}

function foldLookAlikes(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[-_]/g, '')
    .replaceAll(/[01i3457]/g, (letter) => LOOK_ALIKES[letter] ?? letter)
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm')
    .replaceAll('cl', 'd');
}
