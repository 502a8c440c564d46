import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { createResolver } from './resolve-host.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

type Records = Readonly<Record<string, { [TYPE_A]?: number[][]; [TYPE_AAAA]?: number[][] }>>;

/** A name server on this machine, which knows these names and is silent about `silent.kz`. */
async function startNameServer(t: TestContext, records: Records) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, question } = readQuestion(query);
    asked.push(name);
    if (name === 'silent.kz') return;
    const found = records[name]?.[type as typeof TYPE_A] ?? [];
    const isKnown = records[name] !== undefined;
    const head = Buffer.from(query.subarray(0, HEADER_BYTES));
    head.writeUInt16BE(isKnown ? 0x81_80 : 0x81_83, 2);
    head.writeUInt16BE(found.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = found.map((address) =>
      Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
    );
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return { asked, resolve: createResolver([`127.0.0.1:${socket.address().port}`]) };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(HEADER_BYTES, end),
  };
}

const PUBLIC_V6 = [0x2a, 0, 0x14, 0x50, ...Array<number>(11).fill(0), 1];

test('both kinds of addresses of a name are found, or the one kind that it has', async (t) => {
  const { resolve } = await startNameServer(t, {
    'both.kz': {
      [TYPE_A]: [
        [8, 8, 8, 8],
        [10, 0, 0, 1],
      ],
      [TYPE_AAAA]: [PUBLIC_V6],
    },
    'old.kz': { [TYPE_A]: [[1, 1, 1, 1]] },
    'new.kz': { [TYPE_AAAA]: [PUBLIC_V6] },
  });
  const v6 = { address: '2a00:1450::1', family: 6 };
  assert.deepEqual(await resolve('both.kz'), [
    { address: '8.8.8.8', family: 4 },
    { address: '10.0.0.1', family: 4 },
    v6,
  ]);
  assert.deepEqual(await resolve('old.kz'), [{ address: '1.1.1.1', family: 4 }]);
  assert.deepEqual(await resolve('new.kz'), [v6]);
});

test('a name without an address, and one whose server is silent, are unknown names', async (t) => {
  const { resolve } = await startNameServer(t, { 'empty.kz': {} });
  for (const name of ['empty.kz', 'nowhere.kz', 'silent.kz']) {
    await assert.rejects(resolve(name), { code: 'ENOTFOUND' }, name);
  }
});

test('localhost is this machine, whatever a name server would say', async (t) => {
  const { resolve, asked } = await startNameServer(t, { localhost: { [TYPE_A]: [[8, 8, 8, 8]] } });
  assert.deepEqual(await resolve('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual(asked, []);
});
