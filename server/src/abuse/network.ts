import { isIPv4, isIPv6 } from 'node:net';

/** The networks that a caller is counted by, from the narrowest on. */
export type Networks = readonly [Network, ...Network[]];
export type Network = {
  name: string;
  /** How many times more than one household this network may hold. */
  size: number;
};

/** A provider gives whole /48 networks to customers, but also to towns. */
const WIDE_SIZE = 4;

/**
 * An IPv4 address, or the /64 and the /48 of an IPv6 address: whoever has one such address has all
 * of its /64, and often of the /48.
 */
export function networksOf(address: string): Networks {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain) || !isIPv6(plain)) return [{ name: plain, size: 1 }];
  const groups = groupsOf(plain);
  const prefix = (count: number) => groups.slice(0, count).join(':');
  return [
    { name: `${prefix(4)}::/64`, size: 1 },
    { name: `${prefix(3)}::/48`, size: WIDE_SIZE },
  ];
}

/** The eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.toLowerCase().split('::');
  const split = (part: string) => (part === '' ? [] : part.split(':').flatMap(toGroups));
  const start = split(before);
  const end = after === undefined ? [] : split(after);
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return [...start, ...zeros, ...end];
}

/** The last part may be written as an IPv4 address. */
function toGroups(part: string): string[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16).toString(16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
}
