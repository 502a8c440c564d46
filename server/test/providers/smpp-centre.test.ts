/** That the message centre of the tests is as strict as a true one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  createFrameReader,
  decodePdu,
  encodePdu,
  type Pdu,
} from '../../src/channels/sms/smpp/pdu.ts';
import { submitsOf } from '../../src/channels/sms/smpp/submit-sm.ts';
import { PHONE, soon } from './rig/messages.ts';
import { message, PASSWORD, SYSTEM_ID, startCentre, startRig } from './smpp-rig.ts';

type Asked = { command: string; status: number };

async function dial(t: TestContext, port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  const read = createFrameReader();
  let sequence = 0;
  return async (command: 'bind_transceiver' | 'submit_sm', body: object): Promise<Asked> => {
    sequence += 1;
    socket.write(encodePdu({ command, status: 0, sequence, body, tlvs: [] } as unknown as Pdu));
    const [octets] = (await once(socket, 'data')) as [Buffer];
    const [frame] = read(octets) ?? [];
    const pdu = decodePdu(frame ?? assert.fail());
    return 'bad' in pdu ? assert.fail() : { command: pdu.command, status: pdu.status };
  };
}

const BIND = {
  systemId: SYSTEM_ID,
  password: PASSWORD,
  systemType: '',
  interfaceVersion: 0x34,
  addressTon: 0,
  addressNpi: 0,
  addressRange: '',
};
const how = { sender: 'Zhiber', concatenation: 'udh' } as const;
const SUBMIT = submitsOf({ phone: PHONE, text: 'code' }, 1, how)?.[0]?.body ?? assert.fail();

test('it binds once, and only those it knows', async (t) => {
  const centre = await startCentre(t);
  const ask = await dial(t, centre.port);
  const bind = (changes: object) => ask('bind_transceiver', { ...BIND, ...changes });
  assert.equal((await bind({ systemId: 'nobody' })).status, 0x0f);
  assert.equal((await bind({ password: 'wrong' })).status, 0x0e);
  assert.equal((await ask('submit_sm', SUBMIT)).status, 0x04);
  assert.equal((await bind({})).status, 0);
  assert.equal((await bind({})).status, 0x05);
  assert.deepEqual(await ask('submit_sm', SUBMIT), { command: 'submit_sm_resp', status: 0 });
  assert.equal(centre.journal.taken().length, 1);
});

const wrong: Record<string, [object, number]> = {
  'a name as a number': [{ sourceTon: 1, sourceNpi: 1 }, 0x0a],
  'a name of twelve letters': [{ source: 'TwelveLetter' }, 0x0a],
  'a phone with a plus': [{ destination: `+${PHONE}` }, 0x0b],
  'a phone of another type': [{ destinationTon: 0 }, 0x0b],
  'a validity that is none': [{ validityPeriod: '300' }, 0x62],
  '161 septets': [{ shortMessage: Buffer.alloc(161, 'a') }, 0x01],
  '71 units of UCS-2': [{ dataCoding: 8, shortMessage: Buffer.alloc(142) }, 0x01],
  'half a unit of UCS-2': [{ dataCoding: 8, shortMessage: Buffer.alloc(3) }, 0x01],
  'a part that leaves no room for its header': [
    {
      esmClass: 0x40,
      shortMessage: Buffer.concat([Buffer.of(5, 0, 3, 1, 2, 1), Buffer.alloc(154, 'a')]),
    },
    0x01,
  ],
};
for (const [what, [changes, status]] of Object.entries(wrong)) {
  test(`it refuses ${what}`, async (t) => {
    const centre = await startCentre(t);
    const ask = await dial(t, centre.port);
    await ask('bind_transceiver', BIND);
    assert.equal((await ask('submit_sm', { ...SUBMIT, ...changes })).status, status);
    assert.deepEqual(centre.journal.taken(), []);
  });
}

test('it is told what to do at its control address', async (t) => {
  const { centre, provider, reports } = await startRig(t, { centre: { controlPort: 0 } });
  const plan = { method: 'POST', body: JSON.stringify({ does: 'accept', receipts: [] }) };
  assert.ok((await fetch(`${centre.controlUrl}/_simulator/plans`, plan)).ok);
  await provider.send(message('код'), soon());
  const lines = await (await fetch(`${centre.controlUrl}/_simulator/journal`)).text();
  const { id, text } = JSON.parse(lines);
  assert.equal(text, 'код');
  const report = { method: 'POST', body: JSON.stringify({ id, receipt: 'delivered' }) };
  assert.ok((await fetch(`${centre.controlUrl}/_simulator/receipts`, report)).ok);
  assert.deepEqual(reports, [{ providerId: id, receipt: 'delivered', reason: undefined }]);
});
