import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { refText } from '../../src/channels/ref-text.ts';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { newRef, PHONE } from './rig/messages.ts';
import { PHONE_NUMBER_ID, SECRETS, WABA_ID } from './whatsapp-cloud-rig.ts';

const NOW = new Date('2026-11-15T12:00:00Z');
const NOW_SECONDS = String(NOW.getTime() / 1_000);

/** Reads callbacks alone; it never calls anybody. */
function openReader(t: TestContext, appSecret = SECRETS.appSecret) {
  const provider = openWhatsappCloud(
    { ...SECRETS, appSecret, phoneNumberId: PHONE_NUMBER_ID, codeTemplate: 'otp_code' },
    { now: () => NOW },
    async () => false,
  );
  t.after(() => provider.stop?.());
  return (body: string | Buffer, signature = signed(body, appSecret)) =>
    provider.readCallback?.({
      method: 'POST',
      headers: signature === '' ? {} : { 'x-hub-signature-256': signature },
      query: {},
      body: Buffer.from(body),
    });
}

function signed(body: string | Buffer, secret = SECRETS.appSecret): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function event(news: object, phoneNumberId = PHONE_NUMBER_ID, field = 'messages'): string {
  const metadata = { display_phone_number: '77000000000', phone_number_id: phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, ...news };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: WABA_ID, changes: [{ value, field }] }],
  });
}

const NOTHING = { reports: [], contacts: [] };
const ref = newRef();
const status = (changes: object) => ({
  id: 'wamid.X',
  timestamp: NOW_SECONDS,
  recipient_id: PHONE,
  biz_opaque_callback_data: refText(ref),
  ...changes,
});

describe('who may report', () => {
  const EMPTY = '{"object":"whatsapp_business_account","entry":[]}';
  const VECTOR = 'sha256=523505d20f6a97026a425949264490ca97eab5d4ba6cd6a0f56f7557599d7f7b';

  test('a known signature is right', (t) => {
    assert.deepEqual(openReader(t, 'app_secret_test')(EMPTY, VECTOR), NOTHING);
  });

  const FORGED: Record<string, [body: string, signature: string]> = {
    'no signature': [EMPTY, ''],
    'another secret': [EMPTY, signed(EMPTY, 'another')],
    'one bit of the signature': [EMPTY, VECTOR.replace(/b$/, 'a')],
    'one bit of the body': [EMPTY.replace('entry', 'entrx'), VECTOR],
    'one space more': [`${EMPTY} `, VECTOR],
    'a shorter signature': [EMPTY, VECTOR.slice(0, -1)],
    'the older kind of signature': [EMPTY, `sha1=${'0'.repeat(40)}`],
  };
  for (const [name, [body, signature]] of Object.entries(FORGED)) {
    test(`${name} is not from Meta`, (t) => {
      assert.equal(openReader(t, 'app_secret_test')(body, signature), undefined);
    });
  }

  test('without a secret of its own it believes nobody', (t) => {
    const read = openReader(t, '');
    assert.equal(
      read(EMPTY, `sha256=${createHmac('sha256', '').update(EMPTY).digest('hex')}`),
      undefined,
    );
  });

  test('the signature is over the bytes, not over the text', (t) => {
    const bytes = Buffer.concat([
      Buffer.from('{"entry":[],"odd":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    assert.deepEqual(openReader(t)(bytes, signed(bytes)), NOTHING);
  });
});

describe('what is reported', () => {
  for (const receipt of ['delivered', 'read'] as const) {
    test(`${receipt}, by our reference`, (t) => {
      const content = openReader(t)(event({ statuses: [status({ status: receipt })] }));
      assert.deepEqual(content?.reports, [{ ref, receipt }]);
    });
  }

  const FAILURES: [errors: unknown, reason: string][] = [
    [[{ code: 131026 }], 'У этого номера нет WhatsApp, или он не может принять сообщение'],
    [[{ code: 131049 }], 'WhatsApp решил не доставлять это сообщение'],
    [[{ code: 132015 }], 'Шаблон сообщения WhatsApp приостановлен'],
    [[{ code: 139999 }], 'WhatsApp не доставил сообщение (код 139999)'],
    [[{ code: 'odd' }], 'WhatsApp не доставил сообщение'],
    [[null], 'WhatsApp не доставил сообщение'],
    [undefined, 'WhatsApp не доставил сообщение'],
  ];
  for (const [errors, reason] of FAILURES) {
    test(`failed with ${JSON.stringify(errors)}: ${reason}`, (t) => {
      const content = openReader(t)(event({ statuses: [status({ status: 'failed', errors })] }));
      assert.deepEqual(content?.reports, [{ ref, receipt: 'failed', reason }]);
    });
  }

  test('a status without our reference is of a message that is not ours', (t) => {
    for (const data of [undefined, 'dlv_01J9', 7, '']) {
      const statuses = [status({ status: 'read', biz_opaque_callback_data: data })];
      assert.deepEqual(openReader(t)(event({ statuses }))?.reports, []);
    }
  });

  const IGNORED: Record<string, string> = {
    sent: event({ statuses: [status({ status: 'sent' })] }),
    played: event({ statuses: [status({ status: 'played' })] }),
    'a status of the future': event({ statuses: [status({ status: 'teleported' })] }),
    'a status that is a word of the language': event({
      statuses: [status({ status: 'constructor' })],
    }),
    'another number of the same app': event({ statuses: [status({ status: 'read' })] }, '42'),
    'another field': event({ statuses: [status({ status: 'read' })] }, PHONE_NUMBER_ID, 'calls'),
    'a status that names nothing': event({ statuses: [{ status: 'read' }] }),
    'no JSON': '{"entry":',
    'an empty body': '',
    'an array': '[]',
    null: 'null',
    'odd types everywhere': JSON.stringify({
      entry: [null, 7, { changes: 'x' }, { changes: [null] }],
    }),
    'a value that is no object': JSON.stringify({
      entry: [{ changes: [{ field: 'messages', value: 7 }] }],
    }),
    'statuses that are no objects': event({ statuses: [null, 'read', []], messages: [null, 3] }),
  };
  for (const [name, body] of Object.entries(IGNORED)) {
    test(`${name}: nothing`, (t) => {
      assert.deepEqual(openReader(t)(body), NOTHING);
    });
  }

  test('a thousand in one call, each with its own message', (t) => {
    const refs = Array.from({ length: 1_000 }, newRef);
    const statuses = refs.map((each) =>
      status({ status: 'delivered', biz_opaque_callback_data: refText(each) }),
    );
    assert.deepEqual(
      openReader(t)(event({ statuses }))?.reports,
      refs.map((each) => ({ ref: each, receipt: 'delivered' })),
    );
  });
});

describe('people who write', () => {
  const message = (changes: object) => ({
    from: PHONE,
    id: 'wamid.in',
    timestamp: NOW_SECONDS,
    type: 'text',
    text: { body: 'Здравствуйте' },
    ...changes,
  });
  const opened = (openedAt: Date) => [{ kind: 'whatsapp_window', phone: PHONE, openedAt }];

  test('open the window at the time of their message', (t) => {
    const hourAgo = new Date(NOW.getTime() - 3_600_000);
    const timestamp = String(hourAgo.getTime() / 1_000);
    const content = openReader(t)(event({ messages: [message({ timestamp })] }));
    assert.deepEqual(content, { reports: [], contacts: opened(hourAgo) });
  });

  test('open it now at the latest, whatever the clock of Meta says', (t) => {
    const timestamp = String(NOW.getTime() / 1_000 + 86_400);
    const content = openReader(t)(event({ messages: [message({ timestamp })] }));
    assert.deepEqual(content?.contacts, opened(NOW));
  });

  test('open it with a button or a picture too', (t) => {
    const messages = [message({ type: 'button' }), message({ type: 'image' })];
    assert.equal(openReader(t)(event({ messages }))?.contacts?.length, 2);
  });

  const NOT: Record<string, object> = {
    'a notice of WhatsApp': message({ type: 'system' }),
    'a word in a group': message({ group_id: 'G1' }),
    'somebody without a phone': message({ from: undefined, from_user_id: 'KZ.1349' }),
    'a phone that is none': message({ from: 'KZ.1349' }),
    'no time': message({ timestamp: undefined }),
    'a time that is none': message({ timestamp: 'yesterday' }),
  };
  for (const [name, each] of Object.entries(NOT)) {
    test(`${name} opens none`, (t) => {
      assert.deepEqual(openReader(t)(event({ messages: [each] })), NOTHING);
    });
  }
});

describe('the handshake', () => {
  const ask = (t: TestContext, changes: Record<string, string>, settings: object = {}) => {
    const provider = openWhatsappCloud(
      { ...SECRETS, phoneNumberId: PHONE_NUMBER_ID, codeTemplate: 'otp_code', ...settings },
      { now: () => NOW },
      async () => false,
    );
    t.after(() => provider.stop?.());
    const query = {
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': SECRETS.verifyToken,
      ...changes,
    };
    return provider.readCallback?.({ method: 'GET', headers: {}, query, body: Buffer.alloc(0) });
  };

  test('repeats the challenge as plain text', (t) => {
    const answer = { contentType: 'text/plain', body: '1158201444' };
    assert.deepEqual(ask(t, {}), { reports: [], answer });
  });

  for (const changes of [
    { 'hub.verify_token': 'another' },
    { 'hub.verify_token': '' },
    { 'hub.mode': 'unsubscribe' },
  ]) {
    test(`${JSON.stringify(changes)} is not from Meta`, (t) => {
      assert.equal(ask(t, changes), undefined);
    });
  }

  test('a word that nobody has set opens nothing', (t) => {
    assert.equal(ask(t, { 'hub.verify_token': '' }, { verifyToken: '' }), undefined);
  });
});
