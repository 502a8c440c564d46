/**
 * What operators prescribe, as it arrives at a centre. Each test is named "peer: case: what
 * happened".
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UCS2_CODING } from '@zhiber/contract/message/sms-parts.ts';
import type { Outcome, OutgoingMessage } from '../../src/channels/channel.ts';
import { readSmppSettings } from '../../src/channels/sms/smpp/read-settings.ts';
import type { Scope } from '../providers/rig/local-server.ts';
import { PHONE, soon, until } from '../providers/rig/messages.ts';
import { SIDE_BY_SIDE } from '../providers/smpp-rig.ts';
import {
  connectTo,
  type Fields,
  type ForeignPdu,
  type ForeignSession,
  startForeignCentre,
  textMessage,
} from './foreign-centre.ts';
import { startNetSmpp, whyNoNetSmpp } from './net-smpp-centre.ts';

/** As written in the environment, by the names of the settings in the adapter. */
type Texts = Record<string, string>;

type Case = {
  texts: Texts;
  /** The fields of the bind and of the only submit_sm that matter. */
  bind?: Fields;
  submit?: Fields;
};

const CASES: Record<string, Case> = {
  'a sender by name': {
    texts: { sender: 'Zhiber' },
    submit: { source_addr: 'Zhiber', source_addr_ton: 5, source_addr_npi: 0 },
  },
  'a short number': {
    texts: { sender: '1414' },
    submit: { source_addr: '1414', source_addr_ton: 3, source_addr_npi: 0 },
  },
  'a long number': {
    texts: { sender: '77010000000' },
    submit: { source_addr: '77010000000', source_addr_ton: 1, source_addr_npi: 1 },
  },
  'the type and plan of the sender as prescribed': {
    texts: { sender: '1414', sourceTon: '6', sourceNpi: '9' },
    submit: { source_addr_ton: 6, source_addr_npi: 9 },
  },
  'the usual type and plan of a phone': {
    texts: {},
    submit: { destination_addr: PHONE, dest_addr_ton: 1, dest_addr_npi: 1 },
  },
  'the type and plan of phones as prescribed': {
    texts: { destinationTon: '2', destinationNpi: '8' },
    submit: { dest_addr_ton: 2, dest_addr_npi: 8 },
  },
  'a service type': { texts: { serviceType: 'OTP' }, submit: { service_type: 'OTP' } },
  'an address range and a system type': {
    texts: { addressRange: '^7701', systemType: 'VMS' },
    bind: { address_range: '^7701', system_type: 'VMS' },
  },
  'a name and a password of sixty characters': {
    texts: { systemId: 's'.repeat(60), password: 'p'.repeat(60) },
    bind: { system_id: 's'.repeat(60), password: 'p'.repeat(60) },
  },
};

describe('node-smpp: settings', SIDE_BY_SIDE, () => {
  for (const [what, { texts, bind = {}, submit = {} }] of Object.entries(CASES)) {
    test(`node-smpp: ${what}: as set`, async (t) => {
      const { outcome, requests } = await sendWith(t, texts, textMessage('Hello'));
      assert.equal(outcome.result, 'accepted');
      assert.partialDeepStrictEqual(requests, [bind, submit]);
    });
  }

  test('node-smpp: the validity of a code: told, and not when it is off', async (t) => {
    const code = textMessage('4821', { code: '4821', ttlSeconds: 300 });
    const told = await sendWith(t, {}, code);
    // npm `smpp` reads it as a date.
    const aheadMs = Number(told.requests[1]?.validity_period) - Date.now();
    assert.ok(aheadMs > 290_000 && aheadMs <= 300_000, `${aheadMs}`);
    const off = await sendWith(t, { validity: 'no' }, code);
    assert.equal(off.requests[1]?.validity_period, '');
  });

  for (const [text, dataCoding] of [
    ['x'.repeat(161), 0],
    ['Қош келдіңіз! '.repeat(30), UCS2_CODING],
  ] as const) {
    test(`node-smpp: message_payload for ${text.length} characters: one message, one id`, async (t) => {
      const { outcome, requests } = await sendWith(
        t,
        { concatenation: 'payload' },
        textMessage(text),
      );
      assert.deepEqual(outcome, { result: 'accepted', providerId: '1001' });
      assert.equal(requests.length, 2);
      assert.partialDeepStrictEqual(requests[1], {
        esm_class: 0,
        data_coding: dataCoding,
        message_payload: { message: text },
      });
    });
  }

  test('node-smpp: message_payload for a short text: as usual', async (t) => {
    const { requests } = await sendWith(t, { concatenation: 'payload' }, textMessage('Hello'));
    assert.partialDeepStrictEqual(requests[1], { short_message: { message: 'Hello' } });
    assert.equal(requests[1]?.message_payload, undefined);
  });

  test('node-smpp: a response in 300 ms with a time-out of 100: unknown', async (t) => {
    const outcomeWithin = async (responseTimeoutMs: string) => {
      const centre = await startForeignCentre(t, {
        answer: (pdu, session) =>
          setTimeout(() => session.send(pdu.response({ message_id: '1' })), 300),
      });
      const settings = readSmppSettings({ ...ACCOUNT, responseTimeoutMs }, 'smpp');
      const { provider } = connectTo(t, centre, settings);
      return (await provider.send(textMessage('Hello'), soon())).result;
    };
    assert.equal(await outcomeWithin('100'), 'unknown');
    assert.equal(await outcomeWithin('3000'), 'accepted');
  });
});

describe("node-smpp: an operator's own statuses", SIDE_BY_SIDE, () => {
  const statuses = '0x401:unavailable,0x402:Throttled,0x4ff:unknown,0x58:refused';
  const meanings: [number, Outcome['result'], string][] = [
    [0x400, 'refused', 'Оператор отклонил SMS (код 400)'],
    [0x401, 'unavailable', 'Оператор SMS временно не принимает сообщения (код 401)'],
    [0x402, 'unavailable', 'Превышена скорость отправки SMS (код 402)'],
    [0x4ff, 'unknown', 'Сбой у оператора SMS (код 4ff)'],
    [0x58, 'refused', 'Оператор отклонил SMS (код 58)'],
    [0x14, 'unavailable', 'Очередь оператора SMS переполнена'],
  ];
  for (const [status, result, reason] of meanings) {
    test(`node-smpp: its own status 0x${status.toString(16)}: ${result}`, async (t) => {
      const outcome = await sendWith(t, { statuses }, textMessage('Hello'), status);
      assert.deepEqual(outcome.outcome, { result, reason });
      const isThrottled = status === 0x402 || status === 0x14;
      const tries = outcome.requests.length - 1;
      assert.equal(tries, isThrottled ? 3 : 1);
    });
  }
});

describe('Net::SMPP: the alphabet of data_coding 0', () => {
  const skip = whyNoNetSmpp();
  const cases: [Texts, string, number, Buffer][] = [
    [{}, '@ {ab}_$é', 0, Buffer.from('\x00 \x1b\x28ab\x1b\x29\x11\x02\x05', 'latin1')],
    [{ alphabet: 'latin1' }, '@ {ab}_$é', 0, Buffer.from('@ {ab}_$é', 'latin1')],
    [
      { alphabet: 'latin1' },
      '5€',
      UCS2_CODING,
      Buffer.from('00 35 20 ac'.replaceAll(' ', ''), 'hex'),
    ],
  ];
  for (const [texts, text, dataCoding, octets] of cases) {
    test(`Net::SMPP: "${text}" in ${texts.alphabet ?? 'gsm'}: it reads the same`, {
      skip,
    }, async (t) => {
      const centre = await startNetSmpp(t);
      const { provider } = connectTo(t, centre, readSmppSettings({ ...ACCOUNT, ...texts }, 'smpp'));
      assert.equal((await provider.send(textMessage(text), soon())).result, 'accepted');
      const findSent = () => centre.requests.find(({ command }) => command === 'submit_sm');
      await until(() => findSent() !== undefined);
      const sent = findSent();
      assert.equal(sent?.data_coding, dataCoding);
      assert.deepEqual(Buffer.from(String(sent?.short_message), 'latin1'), octets);
    });
  }
});

test('node-smpp: a name and a password above the standard: doctor warns, and shows neither', async (t) => {
  const centre = await startForeignCentre(t);
  const long = { systemId: 's'.repeat(16), password: 'p'.repeat(9) };
  const { provider } = connectTo(t, centre, { name: 'smpp-2', ...long });
  const { ok, warning, detail } = await provider.check(soon());
  assert.deepEqual([ok, warning], [true, true]);
  assert.match(detail, /SMPP_2_SYSTEM_ID has 16 characters, SMPP_2_PASSWORD has 9 characters/);
  assert.ok(!detail.includes(long.systemId) && !detail.includes(long.password));
});

const ACCOUNT = {
  host: '127.0.0.1',
  systemId: 'zhiber',
  password: 'k9-Wq2xZ',
  sender: 'Zhiber',
};

/** Sends one message to a centre of its own, which answers with this status. */
async function sendWith(
  t: Scope,
  texts: Texts,
  message: OutgoingMessage,
  status = 0,
): Promise<{ outcome: Outcome; requests: readonly ForeignPdu[] }> {
  const refuse = (pdu: ForeignPdu, session: ForeignSession) =>
    session.send(pdu.response({ command_status: status }));
  const centre = await startForeignCentre(t, status === 0 ? {} : { answer: refuse });
  const { provider } = connectTo(t, centre, {
    ...readSmppSettings({ ...ACCOUNT, ...texts }, 'smpp'),
    port: centre.port,
  });
  return { outcome: await provider.send(message, soon()), requests: centre.requests };
}
