/** That the simulators are as strict as the providers that they stand for. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { refused } from '../../src/channels/failed-outcome.ts';
import {
  createFrameReader,
  decodePdu,
  encodePdu,
  type Pdu,
} from '../../src/channels/sms/smpp/pdu.ts';
import { applyDefaults } from '../../src/channels/sms/smpp/settings.ts';
import { toSubmits } from '../../src/channels/sms/smpp/submit-sm.ts';
import {
  CLOUD,
  codeTemplate,
  GATEWAY_TOKEN,
  GREEN_API,
  openCloudRig,
  openGatewayRig,
  openGreenRig,
  openHttpRig,
} from './provider-rigs.ts';
import { codeMessage, PHONE, QUIET, soon } from './rig/messages.ts';
import { message, PASSWORD, SYSTEM_ID, startCentre, startRig } from './smpp-rig.ts';

describe('simulators: Green-API refuses', () => {
  const chatId = `${PHONE}@c.us`;
  const CALLS: Record<string, object> = {
    'a phone without its kind': { chatId: PHONE, message: 'Привет' },
    'no words': { chatId, message: '' },
    'too many words': { chatId, message: 'я'.repeat(20_001) },
    'an odd preview': { chatId, message: 'Привет', linkPreview: 'no' },
  };
  for (const [name, call] of Object.entries(CALLS)) {
    test(`${name}`, async (t) => {
      const { simulator } = await openGreenRig(t);
      const { instanceId, token } = GREEN_API;
      const url = `${simulator.url}/waInstance${instanceId}/sendMessage/${token}`;
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call) });
      assert.equal(response.status, 400);
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }
});

test('simulators: the quiet HTTP provider accepts everything under ids of its own, as late as it is told', async (t) => {
  const { provider, simulator } = await openHttpRig(t, { simulator: { quiet: true, delayMs: 50 } });
  const begun = performance.now();
  const outcomes = await Promise.all([1, 2, 3].map(() => provider.send(codeMessage(), soon())));
  assert.ok(performance.now() - begun >= 49);
  const ids = outcomes.map((outcome) => outcome.result === 'accepted' && outcome.providerId);
  assert.deepEqual(ids.toSorted(), ['quiet-1', 'quiet-2', 'quiet-3']);
  assert.equal(simulator.journal.lines.length, 0);
});

describe('simulators: the Telegram Gateway', () => {
  const RIGHT = { phone_number: `+${PHONE}`, code: '482913', ttl: 60 };
  const REFUSED: [string, object][] = [
    ['PHONE_NUMBER_INVALID', { phone_number: '77010000001' }],
    ['CODE_INVALID', { code: '482 913' }],
    ['CODE_INVALID', { code: 482_913 }],
    ['CODE_LENGTH_REQUIRED', { code: undefined }],
    ['CODE_LENGTH_INVALID', { code: undefined, code_length: 9 }],
    ['TTL_INVALID', { ttl: 29 }],
    ['TTL_INVALID', { ttl: 3_601 }],
    ['PAYLOAD_INVALID', { payload: 'ы'.repeat(65) }],
    ['CALLBACK_URL_INVALID', { callback_url: `https://a.example/${'a'.repeat(256)}` }],
    ['SENDER_USERNAME_INVALID', { sender_username: 'a b' }],
    ['SENDER_NOT_OWNED', { sender_username: 'somebody' }],
    ['REQUEST_ID_INVALID', { request_id: '4711' }],
  ];
  const call = async (url: string, method: string, body: object) => {
    const answer = await fetch(`${url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${GATEWAY_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { error?: string; result?: Record<string, unknown> };
  };

  test('refuses every wrong parameter, and sends nothing', async (t) => {
    const { simulator } = await openGatewayRig(t);
    for (const [error, changes] of REFUSED) {
      const answer = await call(simulator.url, 'sendVerificationMessage', { ...RIGHT, ...changes });
      assert.equal(answer.error, error);
    }
    assert.equal((await call(simulator.url, 'sendMessage', {})).error, 'UNKNOWN_METHOD');
    assert.deepEqual(simulator.journal.taken(), []);
  });

  test('charges once for a code, and refunds one that has expired', async (t) => {
    const { simulator } = await openGatewayRig(t, { simulator: { balanceCents: 2 } });
    simulator.plans.add(QUIET);
    const { url } = simulator;
    const able = await call(url, 'checkSendAbility', { phone_number: RIGHT.phone_number });
    const { request_id } = able.result ?? {};
    const sent = await call(url, 'sendVerificationMessage', { ...RIGHT, request_id });
    assert.deepEqual(
      [able.result?.remaining_balance, sent.result?.request_id, sent.result?.remaining_balance],
      [0.01, request_id, undefined],
    );
    const again = await call(url, 'sendVerificationMessage', { ...RIGHT, request_id });
    assert.equal(again.error, 'REQUEST_ID_INVALID');
    await simulator.report(String(request_id), 'failed');
    const { result } = await call(url, 'checkVerificationStatus', { request_id, code: '000000' });
    assert.partialDeepStrictEqual(result, {
      is_refunded: true,
      delivery_status: { status: 'expired' },
      verification_status: { status: 'code_invalid', code_entered: '000000' },
    });
  });
});

describe('simulators: the Cloud API refuses', () => {
  const good = () => ({
    messaging_product: 'whatsapp',
    to: `+${PHONE}`,
    type: 'template',
    template: codeTemplate(),
  });
  const withCode = (...codes: Parameters<typeof codeTemplate>) => ({
    ...good(),
    template: codeTemplate(...codes),
  });
  const CALLS: Record<string, [call: unknown, status: number, code: number]> = {
    'no JSON': ['{', 400, 100],
    'no product': [{ ...good(), messaging_product: undefined }, 400, 100],
    'no recipient': [{ ...good(), to: undefined }, 400, 100],
    'a bad recipient': [{ ...good(), to: '+7701' }, 400, 131009],
    'another type': [{ ...good(), type: 'carousel' }, 400, 131051],
    'a text without words': [{ ...good(), type: 'text', text: {} }, 400, 131008],
    'a text outside the window': [
      { ...good(), type: 'text', text: { body: 'Привет' } },
      400,
      131047,
    ],
    'no such template': [{ ...good(), template: { ...good().template, name: 'x' } }, 404, 132001],
    'no such language': [
      { ...good(), template: { ...good().template, language: { code: 'en' } } },
      404,
      132001,
    ],
    'no values': [{ ...good(), template: { ...good().template, components: [] } }, 400, 132000],
    'no code in the button': [
      {
        ...good(),
        template: { ...good().template, components: good().template.components.slice(0, 1) },
      },
      400,
      132000,
    ],
    'another code in the button': [withCode('482913', '482914'), 400, 132000],
    'an address for a code': [withCode('https://a.kz'), 400, 132012],
    'a long code': [withCode('1234567890123456'), 400, 100],
    'an empty code': [withCode(''), 400, 131008],
    'a code on two lines': [withCode('482\n913'), 400, 132012],
  };
  for (const [name, [call, status, code]] of Object.entries(CALLS)) {
    test(`${name}: ${code}`, async (t) => {
      const { simulator } = await openCloudRig(t);
      const response = await fetch(`${simulator.url}/v25.0/${CLOUD.phoneNumberId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${CLOUD.token}` },
        body: typeof call === 'string' ? call : JSON.stringify(call),
      });
      const { error } = (await response.json()) as { error: { code: number; type: string } };
      assert.deepEqual([response.status, error.code, error.type], [status, code, 'OAuthException']);
      assert.deepEqual(simulator.journal.taken(), []);
    });
  }

  for (const [status, code] of [
    ['PAUSED', 132015],
    ['DISABLED', 132016],
    ['PENDING', 132001],
  ] as const) {
    test(`a template that is ${status}: ${code}`, async (t) => {
      const { provider, simulator } = await openCloudRig(t);
      for (const template of simulator.templates) template.status = status;
      assert.equal((await provider.send(codeMessage(), soon())).result, 'refused');
    });
  }

  test('the 46th message in a row to one person, where the limit is on', async (t) => {
    const simulator = { hasPairLimit: true };
    const { provider, simulator: meta } = await openCloudRig(t, { simulator });
    meta.plans.add(QUIET);
    for (let i = 0; i < 45; i++) {
      assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    }
    assert.deepEqual(
      await provider.send(codeMessage(), soon()),
      refused('Слишком много сообщений WhatsApp на этот номер подряд'),
    );
  });
});

type Asked = { command: string; status: number };

async function dial(t: TestContext, port: number) {
  const socket = connect(port, '127.0.0.1');
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
const how = applyDefaults({ host: 'h', systemId: 'z', password: 'p', sender: 'Zhiber' });
const SUBMIT = toSubmits({ phone: PHONE, text: 'code' }, 1, how)?.[0]?.body ?? assert.fail();

describe('simulators: the message centre of SMPP', () => {
  test('binds once, and only those it knows', async (t) => {
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

  const WRONG: Record<string, [object, number]> = {
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
  for (const [what, [changes, status]] of Object.entries(WRONG)) {
    test(`refuses ${what}`, async (t) => {
      const centre = await startCentre(t);
      const ask = await dial(t, centre.port);
      await ask('bind_transceiver', BIND);
      assert.equal((await ask('submit_sm', { ...SUBMIT, ...changes })).status, status);
      assert.deepEqual(centre.journal.taken(), []);
    });
  }

  test('is told what to do at its control address', async (t) => {
    const { centre, provider, reports } = await startRig(t, { centre: { controlPort: 0 } });
    const plan = { method: 'POST', body: JSON.stringify(QUIET) };
    assert.ok((await fetch(`${centre.controlUrl}/_simulator/plans`, plan)).ok);
    await provider.send(message('код'), soon());
    const lines = await (await fetch(`${centre.controlUrl}/_simulator/journal`)).text();
    const { id, text } = JSON.parse(lines);
    assert.equal(text, 'код');
    const report = { method: 'POST', body: JSON.stringify({ id, receipt: 'delivered' }) };
    assert.ok((await fetch(`${centre.controlUrl}/_simulator/receipts`, report)).ok);
    assert.partialDeepStrictEqual(reports, [{ providerId: id, receipt: 'delivered' }]);
  });
});
