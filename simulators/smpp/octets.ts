/** Reads and writes SMPP fields one after the other. */

export type OctetReader = {
  readonly left: number;
  u8(): number;
  u16(): number;
  u32(): number;
  take(count: number): Buffer;
  /** A C-Octet String of at most `room` octets, the final zero included. */
  text(room: number): string;
};

/** Every method throws when there is not enough left. */
export function readOctets(octets: Buffer): OctetReader {
  let rest = octets;
  const take = (count: number) => {
    if (count > rest.length) throw new RangeError(`${count} octets of ${rest.length}`);
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return {
    get left() {
      return rest.length;
    },
    take,
    u8: () => take(1).readUInt8(),
    u16: () => take(2).readUInt16BE(),
    u32: () => take(4).readUInt32BE(),
    text(room) {
      let text = '';
      for (let octet = take(1)[0] as number; octet !== 0; octet = take(1)[0] as number) {
        text += String.fromCharCode(octet);
        if (text.length >= room) throw new RangeError(`a text of more than ${room} octets`);
      }
      return text;
    },
  };
}

/** A text is a C-Octet String, a number one octet. */
export function writeOctets(...fields: (string | number | Buffer)[]): Buffer {
  const pieces = fields.map((field) => {
    if (typeof field === 'number') return Buffer.from([field]);
    return typeof field === 'string' ? Buffer.from(`${field}\0`, 'latin1') : field;
  });
  return Buffer.concat(pieces);
}

export function tlv(tag: number, value: Buffer): Buffer {
  return Buffer.concat([u32((tag * 0x1_0000 + value.length) >>> 0), value]);
}

export function u32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}

export type Header = { id: number; status: number; sequence: number };

export function writePdu({ id, status, sequence }: Header, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([u32(16 + body.length), u32(id), u32(status), u32(sequence), body]);
}
