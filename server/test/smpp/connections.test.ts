/**
 * Several binds and several hosts of one account, and what the operator hears of them. Each test is
 * named "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProviderReport } from '../../src/channels/provider.ts';
import { listPlaces } from '../../src/channels/sms/smpp/places.ts';
import type { Scope } from '../providers/rig/local-server.ts';
import { acceptedId, PHONE, soon, until } from '../providers/rig/messages.ts';
import { SIDE_BY_SIDE } from '../providers/smpp-rig.ts';
import { SELF_SIGNED } from '../self-signed.ts';
import {
  connectTo,
  type ForeignCentre,
  type ForeignRig,
  startForeignCentre,
  textMessage,
} from './foreign-centre.ts';

const DATES = 'submit date:2611190900 done date:2611190901';
const receiptOf = (id: string) => ({
  esm_class: 4,
  source_addr: PHONE,
  destination_addr: 'Zhiber',
  short_message: `id:${id} sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:`,
});

const commandsOf = ({ requests }: ForeignCentre) => requests.map(({ command }) => command);
const submitsOf = (centre: ForeignCentre) =>
  commandsOf(centre).filter((command) => command === 'submit_sm').length;
const detailOf = ({ provider }: ForeignRig) => provider.state?.().detail;

describe('node-smpp: binds', SIDE_BY_SIDE, () => {
  test('node-smpp: a transmitter and a receiver: messages by one, receipts by the other', async (t) => {
    const centre = await startForeignCentre(t);
    const rig = connectTo(t, centre, { bind: 'separate' });
    await until(() => centre.bound.length === 2);
    await until(() => detailOf(rig) === '2 of 2 binds.');
    const id = acceptedId(await rig.provider.send(textMessage('Hello'), soon()));
    assert.equal(await centre.deliver(receiptOf(id)), 0);
    assert.partialDeepStrictEqual(rig.reports, [{ providerId: id, receipt: 'delivered' }]);
    assert.deepEqual(commandsOf(centre).sort(), ['bind_receiver', 'bind_transmitter', 'submit_sm']);
  });

  test('node-smpp: the receiver is refused: messages go, and it is said', async (t) => {
    const admit = ({ command }: { command: string }) => (command === 'bind_receiver' ? 0x0d : 0);
    const centre = await startForeignCentre(t, { admit });
    const rig = connectTo(t, centre, { bind: 'separate' });
    const place = `127.0.0.1:${centre.port}`;
    const detail = `1 of 2 binds. Not bound at ${place} as receiver: it refused the bind.`;
    await until(() => detailOf(rig) === detail);
    assert.equal(rig.provider.state?.().isUp, true);
    assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'accepted');
  });

  test('node-smpp: the transmitter is refused: it is down', async (t) => {
    const admit = ({ command }: { command: string }) => (command === 'bind_transmitter' ? 0x0d : 0);
    const centre = await startForeignCentre(t, { admit });
    const rig = connectTo(t, centre, { bind: 'separate' });
    const place = `127.0.0.1:${centre.port}`;
    const detail = `1 of 2 binds. Not bound at ${place} as transmitter: it refused the bind.`;
    await until(() => detailOf(rig) === detail);
    assert.equal(rig.provider.state?.().isUp, false);
    assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'unavailable');
  });

  test('node-smpp: three binds: all are used, and each has a window of its own', async (t) => {
    const users = new Set<unknown>();
    const centre = await startForeignCentre(t, {
      answer(pdu, session) {
        users.add(session);
        setTimeout(() => session.send(pdu.response({ message_id: '1' })), 200);
      },
    });
    const rig = connectTo(t, centre, { binds: 3, window: 1 });
    await until(() => detailOf(rig) === '3 of 3 binds.');
    const sends = ['a', 'b', 'c'].map((text) => rig.provider.send(textMessage(text), soon()));
    await until(() => submitsOf(centre) === 3);
    assert.equal(users.size, 3);
    for (const sent of sends) assert.equal((await sent).result, 'accepted');
    assert.equal(rig.provider.inFlightMax, 3);
  });

  test('node-smpp: one of two binds is lost: the other carries, and it is bound again', async (t) => {
    let isOpen = true;
    const centre = await startForeignCentre(t, { admit: () => (isOpen ? 0 : 0x05) });
    const rig = connectTo(t, centre, { binds: 2 });
    await until(() => detailOf(rig) === '2 of 2 binds.');
    isOpen = false;
    centre.bound[0]?.socket.destroy();
    const why = 'it says that we are bound already';
    const place = `127.0.0.1:${centre.port}`;
    await until(() => detailOf(rig) === `1 of 2 binds. Not bound at ${place}: ${why}.`);
    for (let i = 0; i < 3; i++)
      assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'accepted');
    isOpen = true;
    await until(() => detailOf(rig) === '2 of 2 binds.');
  });
});

describe('node-smpp: hosts', SIDE_BY_SIDE, () => {
  async function startTwo(
    t: Scope,
    hostUse: 'all' | 'first',
    isMatched?: (report: ProviderReport) => boolean,
  ) {
    const centres = [await startForeignCentre(t), await startForeignCentre(t)] as const;
    const host = centres.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const rig = connectTo(t, centres[0], { host, hostUse }, isMatched);
    await until(() => detailOf(rig) === '2 of 2 binds.');
    const tags = listPlaces({ host, port: 1, systemId: 'zhiber' }).map(({ tag }) => tag);
    return { rig, centres, tags };
  }

  test('node-smpp: two hosts, all: messages go to each in turn, and equal ids stay apart', async (t) => {
    const { rig, centres, tags } = await startTwo(t, 'all');
    const ids: string[] = [];
    for (let i = 0; i < 4; i++)
      ids.push(acceptedId(await rig.tagged.send(textMessage('Hello'), soon())));
    assert.equal(rig.provider.inFlightMax, 20);
    assert.deepEqual(centres.map(submitsOf), [2, 2]);
    const expected = tags.flatMap((tag) => [`${tag}/1001`, `${tag}/1002`]);
    assert.deepEqual(ids.toSorted(), expected.toSorted());
  });

  test('node-smpp: two hosts, one is slow: messages go to the other', async (t) => {
    const held: (() => void)[] = [];
    const slow = await startForeignCentre(t, {
      answer: (pdu, session) => held.push(() => session.send(pdu.response({ message_id: '1' }))),
    });
    const quick = await startForeignCentre(t);
    const host = [slow, quick].map(({ port }) => `127.0.0.1:${port}`).join(',');
    const rig = connectTo(t, slow, { host, responseTimeoutMs: 20_000 });
    await until(() => detailOf(rig) === '2 of 2 binds.');
    const sends = ['a', 'b'].map((text) => rig.provider.send(textMessage(text), soon()));
    await until(() => submitsOf(slow) === 1);
    for (let i = 0; i < 4; i++)
      assert.equal((await rig.provider.send(textMessage('c'), soon())).result, 'accepted');
    assert.deepEqual([submitsOf(slow), submitsOf(quick)], [1, 5]);
    held[0]?.();
    for (const sent of sends) assert.equal((await sent).result, 'accepted');
  });

  test('node-smpp: two hosts, first: the second carries only while the first is down', async (t) => {
    const { rig, centres } = await startTwo(t, 'first');
    const send = async () =>
      assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'accepted');
    assert.equal(rig.provider.inFlightMax, 10);
    for (let i = 0; i < 3; i++) await send();
    assert.deepEqual(centres.map(submitsOf), [3, 0]);
    const { port } = centres[0];
    centres[0].close();
    await until(() => detailOf(rig)?.startsWith('1 of 2 binds.') === true);
    for (let i = 0; i < 3; i++) await send();
    assert.deepEqual(centres.map(submitsOf), [3, 3]);
    const again = await startForeignCentre(t, { port });
    await until(() => detailOf(rig) === '2 of 2 binds.');
    await send();
    assert.deepEqual([submitsOf(again), submitsOf(centres[1])], [1, 3]);
  });

  test('node-smpp: a receipt by the other host: it finds its message', async (t) => {
    const known: string[] = [];
    const heard: string[] = [];
    const { rig, centres, tags } = await startTwo(t, 'first', (report) => {
      const id = 'providerId' in report ? report.providerId : '';
      heard.push(id);
      return known.includes(id);
    });
    known.push('1001');
    acceptedId(await rig.provider.send(textMessage('Hello'), soon()));
    assert.equal(await centres[1].deliver(receiptOf('1001')), 0);
    assert.deepEqual(heard, ['1001']);
    assert.equal(await centres[1].deliver(receiptOf('9')), 0);
    assert.deepEqual(heard, ['1001', '9', '9']);
    assert.equal(tags.length, 2);
    assert.equal(rig.provider.receipts?.().matched, 1);
  });
});

describe('node-smpp: what is said of a link', SIDE_BY_SIDE, () => {
  const refusals: [number, string][] = [
    [0x0e, 'the password is wrong'],
    [0x0f, 'the system id is wrong'],
    [0x05, 'it says that we are bound already'],
    [0x58, 'it says that we bind too often'],
    [0x0d, 'it refused the bind'],
    [0x53, 'the system type is wrong'],
    [0x401, 'it refused the bind with status 0x401'],
  ];
  for (const [status, why] of refusals) {
    test(`node-smpp: a bind is answered with 0x${status.toString(16)}: ${why}, said once`, async (t) => {
      const centre = await startForeignCentre(t, { admit: () => status });
      const rig = connectTo(t, centre);
      await until(() => centre.requests.length >= 4);
      const detail = `Not bound at 127.0.0.1:${centre.port}: ${why}.`;
      assert.partialDeepStrictEqual(rig.provider.state?.(), { isUp: false, detail });
      assert.deepEqual(
        rig.said.map(({ level, msg, why: said }) => [level, msg, said]),
        [[50, 'provider is down', detail]],
      );
    });
  }

  test('node-smpp: bound, lost and bound again: each is said once', async (t) => {
    const centre = await startForeignCentre(t);
    const rig = connectTo(t, centre);
    await until(() => centre.bound.length === 1);
    centre.bound[0]?.socket.destroy();
    await until(() => rig.said.length === 3);
    const place = `127.0.0.1:${centre.port}`;
    assert.deepEqual(
      rig.said.map(({ msg, why }) => [msg, why]),
      [
        ['provider is up', `Bound at ${place}.`],
        ['provider is down', `Not bound at ${place}: it closed the connection.`],
        ['provider is up', `Bound at ${place}.`],
      ],
    );
  });

  test('node-smpp: TLS with a certificate that nobody knows: its code is said', async (t) => {
    const centre = await startForeignCentre(t, SELF_SIGNED);
    const rig = connectTo(t, centre, { tls: true });
    const why = 'its TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT)';
    await until(() => detailOf(rig) === `Not bound at 127.0.0.1:${centre.port}: ${why}.`);
  });

  test('node-smpp: its port is closed: it is said', async (t) => {
    const centre = await startForeignCentre(t);
    centre.close();
    const rig = connectTo(t, centre);
    const why = 'it cannot be reached (ECONNREFUSED)';
    await until(() => detailOf(rig) === `Not bound at 127.0.0.1:${centre.port}: ${why}.`);
  });

  test('node-smpp: the service stops: nothing is said to be down', async (t) => {
    const centre = await startForeignCentre(t);
    const rig = connectTo(t, centre);
    await until(() => rig.said.length === 1);
    await rig.provider.stop?.();
    assert.deepEqual(
      rig.said.map(({ msg }) => msg),
      ['provider is up'],
    );
  });
});

test('node-smpp: receipts with decimal ids of hexadecimal responses: counted, and the form is suggested', async (t) => {
  const centre = await startForeignCentre(t, {
    answer: (pdu, session) =>
      session.send(pdu.response({ message_id: (0xabc000 + pdu.sequence_number).toString(16) })),
  });
  const clock = { aheadMs: 0 };
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + clock.aheadMs);
  const rig = connectTo(t, centre, { name: 'smpp-2' }, () => false);
  const deliver = async () => {
    const id = acceptedId(await rig.provider.send(textMessage('Hello'), soon()));
    assert.equal(await centre.deliver(receiptOf(String(Number.parseInt(id, 16)))), 0);
  };
  for (let i = 0; i < 5; i++) await deliver();
  assert.deepEqual(rig.provider.receipts?.(), { matched: 0, unmatched: 0, unusable: 0 });
  clock.aheadMs = 60_000;
  assert.deepEqual(rig.provider.receipts?.(), { matched: 0, unmatched: 5, unusable: 0 });
  const advice = 'Receipts match no message; they would with SMPP_2_ID_FORM=hex_in_response.';
  assert.equal(detailOf(rig), `Bound at 127.0.0.1:${centre.port}. ${advice}`);
  await deliver();
  await deliver();
  assert.deepEqual(
    rig.said.filter(({ level }) => level === 40).map(({ why }) => why),
    [advice],
  );
  await centre.deliver({ ...receiptOf('1'), short_message: 'stat:DELIVRD' });
  assert.equal(rig.provider.receipts?.().unusable, 1);
});
