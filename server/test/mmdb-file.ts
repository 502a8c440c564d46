import { writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';

type Value = string | number | { [key: string]: Value };

/** For each network, as in '95.56.0.0/16' or '2a03:32c0::/32', what the database says of it. */
export type Networks = Record<string, Value>;

/** Bytes between the tree and the data. */
const SEPARATOR_BYTES = 16;
const METADATA_MARK = Buffer.concat([Buffer.from('abcdef', 'hex'), Buffer.from('MaxMind.com')]);

/**
 * Writes a database in the MMDB format, as small as its networks: a binary tree of 24-bit records
 * over the bits of an address, then the data. Networks do not overlap.
 */
export function writeMmdb(file: string, ipVersion: 4 | 6, networks: Networks): void {
  type Node = [Branch, Branch];
  type Branch = Node | { offset: number } | undefined;
  const root: Node = [undefined, undefined];
  const nodes = [root];
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [network, value] of Object.entries(networks)) {
    const bits = bitsOf(network, ipVersion);
    let node = root;
    for (const bit of bits.slice(0, -1)) {
      const next = (node[bit] ?? [undefined, undefined]) as Node;
      if (node[bit] === undefined) nodes.push(next);
      node[bit] = next;
      node = next;
    }
    node[bits.at(-1) as 0 | 1] = { offset: dataBytes };
    const encoded = encode(value);
    data.push(encoded);
    dataBytes += encoded.length;
  }

  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [number, node] of nodes.entries()) {
    for (const side of [0, 1] as const) {
      const branch = node[side];
      let record = nodes.length;
      if (Array.isArray(branch)) record = numbers.get(branch) as number;
      else if (branch !== undefined) record = nodes.length + SEPARATOR_BYTES + branch.offset;
      tree.writeUIntBE(record, number * 6 + side * 3, 3);
    }
  }
  const metadata = {
    node_count: nodes.length,
    record_size: 24,
    ip_version: ipVersion,
    database_type: 'test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
  };
  const separator = Buffer.alloc(SEPARATOR_BYTES);
  writeFileSync(file, Buffer.concat([tree, separator, ...data, METADATA_MARK, encode(metadata)]));
}

function bitsOf(network: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address = '', length] = network.split('/');
  const isMapped = ipVersion === 6 && isIPv4(address);
  const bits = isIPv4(address)
    ? address.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    : groupsOf(address).map((group) => group.toString(2).padStart(16, '0'));
  // IPv4 lies in the first 32 bits after 96 zeros.
  const whole = '0'.repeat(isMapped ? 96 : 0) + bits.join('').slice(0, Number(length));
  return [...whole].map((bit) => (bit === '1' ? 1 : 0));
}

function groupsOf(address: string): number[] {
  const [start = '', end = ''] = address.split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':')).map((x) => parseInt(x, 16));
  const [left, right] = [read(start), read(end)];
  return [...left, ...new Array(8 - left.length - right.length).fill(0), ...right];
}

/** Texts, maps, and numbers as 32 bits; the type is in the first three bits, then the size. */
function encode(value: Value): Buffer {
  if (typeof value === 'number') {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(value);
    return Buffer.concat([header(6, 4), number]);
  }
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([header(2, text.length), text]);
  }
  const entries = Object.entries(value);
  const parts = entries.flatMap(([key, each]) => [encode(key), encode(each)]);
  return Buffer.concat([header(7, entries.length), ...parts]);
}

function header(type: number, size: number): Buffer {
  if (size < 29) return Buffer.from([(type << 5) | size]);
  // One more byte has sizes up to 284.
  return Buffer.from([(type << 5) | 29, size - 29]);
}
