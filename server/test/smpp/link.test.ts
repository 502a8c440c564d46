/**
 * Answers that a message centre should not give, and answers that come late. Each test is named
 * "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { withCircuitBreaker } from '../../src/channels/circuit-breaker.ts';
import type { ProviderIds } from '../../src/channels/combine-providers.ts';
import { connectProviders } from '../../src/channels/connect.ts';
import { createProviderMetrics } from '../../src/channels/provider-metrics.ts';
import { listPlaces } from '../../src/channels/sms/smpp/places.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { acceptedId, ignoreReports, PHONE, soon, until } from '../providers/rig/messages.ts';
import { SIDE_BY_SIDE } from '../providers/smpp-rig.ts';
import {
  connectTo,
  type ForeignPdu,
  type ForeignSession,
  startForeignCentre,
  textMessage,
} from './foreign-centre.ts';
import { startNetSmpp, whyNoNetSmpp } from './net-smpp-centre.ts';

const SUBMIT_SM_RESP = 0x8000_0004;
const OPENED = 'circuit opened: provider fails, one probe a second';

/** A response as octets, for what npm `smpp` would not write. */
function responseFrame(commandId: number, sequence: number, body: Buffer, status = 0): Buffer {
  const frame = Buffer.concat([Buffer.alloc(16), body]);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(commandId, 4);
  frame.writeUInt32BE(status, 8);
  frame.writeUInt32BE(sequence, 12);
  return frame;
}

type Answer = (pdu: ForeignPdu, session: ForeignSession) => void;

const answers: Record<string, { answer: Answer; becomes: 'unknown' | 'accepted' | 'refused' }> = {
  'a response with a command that does not exist': {
    answer: frameOf(0x8000_0777, Buffer.from('1\0')),
    becomes: 'unknown',
  },
  'a response to another command': {
    answer: frameOf(0x8000_0005, Buffer.from('1\0')),
    becomes: 'unknown',
  },
  'an id that no zero ends': {
    answer: frameOf(SUBMIT_SM_RESP, Buffer.from('12345')),
    becomes: 'unknown',
  },
  'an id of 65 characters': {
    answer: frameOf(SUBMIT_SM_RESP, Buffer.from(`${'1'.repeat(65)}\0`)),
    becomes: 'unknown',
  },
  'an id of 64 characters': {
    answer: frameOf(SUBMIT_SM_RESP, Buffer.from(`${'1'.repeat(64)}\0`)),
    becomes: 'accepted',
  },
  'an octet too many after the id': {
    answer: frameOf(SUBMIT_SM_RESP, Buffer.from('12345\0\0')),
    becomes: 'accepted',
  },
  'a generic_nack': {
    answer: (pdu, session) => {
      const nothing = Buffer.alloc(0);
      session.socket.write(responseFrame(0x8000_0000, pdu.sequence_number, nothing, 0x0b));
    },
    becomes: 'refused',
  },
};

function frameOf(commandId: number, body: Buffer): Answer {
  return (pdu, { socket }) => socket.write(responseFrame(commandId, pdu.sequence_number, body));
}

describe('node-smpp: an answer ends its own message only', SIDE_BY_SIDE, () => {
  for (const [what, { answer, becomes }] of Object.entries(answers)) {
    test(`node-smpp: ${what}: ${becomes}, and the link stays`, async (t) => {
      let isFirst = true;
      const centre = await startForeignCentre(t, {
        answer(pdu, session) {
          if (isFirst) answer(pdu, session);
          else session.send(pdu.response({ message_id: 'next' }));
          isFirst = false;
        },
      });
      const { provider } = connectTo(t, centre, { window: 1 });
      const sends = ['one', 'two'].map((text) => provider.send(textMessage(text), soon()));
      const [first, second] = await Promise.all(sends);
      assert.equal(first?.result, becomes);
      assert.ok(!('isConnectionLost' in (first ?? {})));
      assert.equal(second?.result, 'accepted');
      assert.deepEqual(
        centre.requests.map(({ command }) => command),
        ['bind_transceiver', 'submit_sm', 'submit_sm'],
      );
    });
  }
});

describe('node-smpp: a response after its time', SIDE_BY_SIDE, () => {
  /** A centre that answers each part when it is told to. */
  async function startSlowCentre(t: Parameters<typeof startForeignCentre>[0]) {
    const held: { release(id: string, status?: number): void }[] = [];
    const centre = await startForeignCentre(t, {
      answer: (pdu, session) =>
        held.push({
          release: (id, status = 0) => {
            const body = Buffer.from(`${id}\0`);
            const { sequence_number } = pdu;
            session.socket.write(responseFrame(SUBMIT_SM_RESP, sequence_number, body, status));
          },
        }),
    });
    const rig = connectTo(t, centre, { responseTimeoutMs: 500 });
    await until(() => centre.bound.length === 1);
    return { centre, rig, held };
  }

  test('node-smpp: the id comes late: the message is unknown, and the id is its own', async (t) => {
    const { rig, held } = await startSlowCentre(t);
    const message = textMessage('Hello');
    assert.equal((await rig.provider.send(message, soon())).result, 'unknown');
    assert.deepEqual(rig.late, []);
    held[0]?.release('0AFE');
    await until(() => rig.late.length === 1);
    assert.deepEqual(rig.late, [{ ref: message.ref, providerIds: ['0AFE'], phone: PHONE }]);
  });

  test('node-smpp: the sender has no time left: the id is remembered as well', async (t) => {
    const { rig, held } = await startSlowCentre(t);
    const time = new AbortController();
    const sending = rig.provider.send(textMessage('Hello'), time.signal);
    await until(() => held.length === 1);
    time.abort();
    assert.equal((await sending).result, 'unknown');
    held[0]?.release('7');
    await until(() => rig.late.length === 1);
  });

  test('node-smpp: the id of the last part comes late: all ids are of the message', async (t) => {
    const { rig, held } = await startSlowCentre(t);
    const sending = rig.provider.send(textMessage('я'.repeat(100)), soon());
    await until(() => held.length === 1);
    held[0]?.release('1');
    assert.equal((await sending).result, 'unknown');
    held[1]?.release('2');
    await until(() => rig.late.length === 1);
    assert.deepEqual(rig.late[0]?.providerIds, ['1', '2']);
  });

  test('node-smpp: the id of a part before the last comes late: the rest was not sent', async (t) => {
    const { rig, held } = await startSlowCentre(t);
    assert.equal((await rig.provider.send(textMessage('я'.repeat(100)), soon())).result, 'unknown');
    held[0]?.release('1');
    const sending = rig.provider.send(textMessage('next'), soon());
    await until(() => held.length === 2);
    held[1]?.release('2');
    acceptedId(await sending);
    assert.deepEqual(rig.late, []);
  });

  test('node-smpp: a late refusal: nothing is remembered', async (t) => {
    const { rig, held } = await startSlowCentre(t);
    assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'unknown');
    held[0]?.release('1', 0x0b);
    const sending = rig.provider.send(textMessage('next'), soon());
    await until(() => held.length === 2);
    held[1]?.release('2');
    acceptedId(await sending);
    assert.deepEqual(rig.late, []);
  });

  test('node-smpp: the id comes late: it is stored with its provider, centre and phone', async (t) => {
    const held: (() => void)[] = [];
    const { port } = await startForeignCentre(t, {
      answer: (pdu, session) => held.push(() => session.send(pdu.response({ message_id: '7' }))),
    });
    const { providers: configs } = readConfig({
      ...{ SMPP_2_HOST: '127.0.0.1', SMPP_2_PORT: String(port), SMPP_2_SENDER: 'Zhiber' },
      ...{ SMPP_2_SYSTEM_ID: 'zhiber', SMPP_2_PASSWORD: 'k9-Wq2xZ', SMPP_2_RESPONSE_MS: '500' },
    });
    const stored: ProviderIds[] = [];
    const { providers, close } = connectProviders(configs, {
      clock: systemClock,
      log: pino({ level: 'silent' }),
      metrics: createProviderMetrics(new Registry()),
      callbackUrl: () => '',
      findTelegramChat: async () => undefined,
      isWhatsappWindowOpen: async () => false,
      onContact: () => undefined,
      storeProviderIds: async (ids) => stored.push(ids) > 0,
    });
    t.after(close);
    providers[0]?.start?.(ignoreReports);
    const message = textMessage('Hello');
    assert.equal((await providers[0]?.send(message, soon()))?.result, 'unknown');
    held[0]?.();
    await until(() => stored.length === 1);
    const [place] = listPlaces({ host: '127.0.0.1', port, systemId: 'zhiber' });
    const providerIds = [`smpp-2:${place?.tag}/7`];
    assert.deepEqual(stored, [{ ref: message.ref, providerIds, phone: PHONE }]);
  });

  test('node-smpp: the link is lost first: nothing is remembered', async (t) => {
    const { centre, rig } = await startSlowCentre(t);
    assert.equal((await rig.provider.send(textMessage('Hello'), soon())).result, 'unknown');
    centre.bound[0]?.socket.destroy();
    await until(() => centre.requests.filter(({ command }) => /bind/.test(command)).length === 2);
    assert.deepEqual(rig.late, []);
  });
});

test('Net::SMPP: its process is stopped: the circuit opens, stays open, and closes when it goes on', {
  skip: whyNoNetSmpp(),
  timeout: 60_000,
}, async (t) => {
  const centre = await startNetSmpp(t);
  const { provider } = connectTo(t, centre, { window: 4, responseTimeoutMs: 2_000 });
  const said: string[] = [];
  const log = pino({}, { write: (line) => said.push(JSON.parse(line).msg) });
  const metrics = createProviderMetrics(new Registry());
  const kept = withCircuitBreaker(provider, { metrics, log });
  const sendSome = async () => {
    const sends = Array.from({ length: 12 }, () => kept.send(textMessage('Hello'), soon()));
    return (await Promise.all(sends)).map((outcome) => outcome.result);
  };
  assert.deepEqual(new Set(await sendSome()), new Set(['accepted']));

  centre.signal('SIGSTOP');
  t.after(() => centre.signal('SIGCONT'));
  const outcomes = [...(await sendSome()), ...(await sendSome()), ...(await sendSome())];
  assert.ok(outcomes.includes('refused'), 'the window was never full');
  assert.deepEqual(said, [OPENED]);
  for (let second = 0; second < 3; second++) {
    await pause(1_000);
    await sendSome();
  }
  assert.deepEqual(said, [OPENED]);

  centre.signal('SIGCONT');
  while (metrics.read()[0]?.circuit === 'open') await sendSome();
  assert.deepEqual(said, [OPENED, 'circuit closed: provider works again']);
});
