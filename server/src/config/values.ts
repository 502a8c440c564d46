/** Parsers of setting values: each returns the value, or `Wrong` with the reason. */
import { isIP } from 'node:net';
import path from 'node:path';

export const ROLES = ['all', 'api', 'worker'] as const;
/** What a process does: `api` sends no broadcasts, `worker` answers no requests. */
export type ProcessRole = (typeof ROLES)[number];

export const GUARD_MODES = ['record', 'block'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

export const SECOND_FACTOR_RULES = ['nobody', 'owners'] as const;
export type SecondFactorRule = (typeof SECOND_FACTOR_RULES)[number];

export const SANDBOX_REACHES = ['local', 'public'] as const;

/** The reason completes a sentence that begins with the name of the setting. */
export class Wrong {
  readonly because: string;

  constructor(because: string) {
    this.because = because;
  }
}

export function integerIn(min: number, max: number) {
  return (text: string): number | Wrong => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    return new Wrong(`should be a whole number from ${min} to ${max}, not "${text}"`);
  };
}

export function hostName(text: string): string | Wrong {
  if (isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)) return text;
  return new Wrong(`should be a host name or an IP address, not "${text}"`);
}

export function webAddress(text: string): string | Wrong {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    return new Wrong(`should be an address like https://example.kz, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

/** The address holds a password, so a wrong one is not repeated. */
export function databaseAddress(text: string): string | Wrong {
  const [, head = '', hosts = '', tail = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(text) ?? [];
  if (hosts.split(',').every((host) => URL.canParse(head + host + tail))) return text;
  return new Wrong('should be an address like postgres://user:password@host:5432/database');
}

/** The address holds a password, so a wrong one is not repeated. */
export function mailServer(text: string): string | Wrong {
  const url = URL.parse(text);
  if (url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '') return text;
  return new Wrong('should be an address like smtps://user:password@host:465');
}

export function mailAddress(text: string): string | Wrong {
  if (/^[^@\s<>,;]+@[^@\s<>,;]+$/.test(text)) return text;
  return new Wrong(`should be an address like hello@example.kz, not "${text}"`);
}

/** It becomes a line of a file, so it must be one address and nothing more. */
export function contactAddress(text: string): string | Wrong {
  const url = URL.parse(text);
  const isMail = url?.protocol === 'mailto:' && /^mailto:[^@\s<>,;?]+@[^@\s<>,;?]+$/.test(text);
  const isPage = url?.protocol === 'https:' && /^https:\/\/\S+$/i.test(text);
  if (isMail || isPage) return text;
  return new Wrong(
    `should be an address like mailto:security@example.kz or https://example.kz/security, not "${text}"`,
  );
}

export function longEnough(text: string): string | Wrong {
  return text.length >= 32 ? text : new Wrong('should have at least 32 characters');
}

export function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

export function countries(text: string): string[] | Wrong {
  const codes = splitList(text).map((code) => code.toUpperCase());
  const bad = codes.filter((code) => !/^[A-Z]{2}$/.test(code));
  if (bad.length === 0) return codes;
  return new Wrong(`should be two-letter country codes like KZ,KG, not "${text}"`);
}

export function addresses(text: string): string[] | Wrong {
  const items = splitList(text);
  if (items.every(isAddressOrRange)) return items;
  return new Wrong(`should be IP addresses or CIDR ranges like 10.0.0.0/8, not "${text}"`);
}

export function filePaths(text: string): string[] {
  const files = splitList(text).filter((file) => file !== '');
  return files.map((file) => path.resolve(file));
}

function isAddressOrRange(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

export function oneOf<const Word extends string>(words: readonly Word[]) {
  return (text: string): Word | Wrong =>
    words.find((word) => word === text.toLowerCase()) ??
    new Wrong(`should be one of ${words.join(', ')}, not "${text}"`);
}

/** For values that may be secret: a wrong one is not repeated. */
export function matching(pattern: RegExp, because: string) {
  return (text: string): string | Wrong => (pattern.test(text) ? text : new Wrong(because));
}

export function shareFrom0To1(text: string): number | Wrong {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return value >= 0 && value <= 1
    ? value
    : new Wrong(`should be a number from 0 to 1, not "${text}"`);
}

/** `name=value` pairs, with the values as in a URL. They hold tokens, so a wrong one is not repeated. */
export function headerList(text: string): Record<string, string> | Wrong {
  try {
    const pairs = splitList(text).map((pair) => /^([\w-]+)=(.+)$/.exec(pair) ?? ['', '', '']);
    const headers = pairs.map(([, name, value]) => [name, decodeURIComponent(value as string)]);
    if (headers.every(([name]) => name !== '')) return Object.fromEntries(headers);
  } catch {
    // A broken escape is one of the ways to be wrong.
  }
  return new Wrong('should be headers like authorization=Bearer%20TOKEN, separated by commas');
}
