import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openHttpProvider } from '../../src/channels/http/http-provider.ts';
import {
  readWebhookSecret,
  signWebhook,
  type WebhookKey,
} from '../../src/channels/http/standard-webhooks.ts';
import type { CallbackRequest } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { systemClock } from '../../src/clock.ts';
import { OTHER_SECRET, openHttpRig, SECRET, SETTINGS } from './http-provider-rig.ts';
import { openCallbackDesk } from './rig/callback-desk.ts';
import { codeMessage, soon } from './rig/messages.ts';

function keyOf(secret: string): WebhookKey {
  const key = readWebhookSecret(secret);
  assert.ok(key);
  return key;
}

test('receipts come back by reference, forged ones are not read', async (t) => {
  const { provider, simulator, desk } = await openHttpRig(t);
  simulator.plans.add({ does: 'accept', receipts: [] });
  const { ref, ...rest } = codeMessage();
  await provider.send({ ref, ...rest }, soon());
  assert.deepEqual(await simulator.report('out-1', 'delivered', { copies: 2 }), [200, 200]);
  assert.deepEqual(await simulator.report('out-1', 'read'), [200]);
  assert.deepEqual(await simulator.report('out-1', 'failed', { failure: 'off\n' }), [200]);
  assert.deepEqual(await simulator.report('out-1', 'delivered', { isForged: true }), [403]);
  assert.deepEqual(
    desk.contents.map(({ reports }) => reports),
    [
      [{ ref, receipt: 'delivered' }],
      [{ ref, receipt: 'delivered' }],
      [{ ref, receipt: 'read' }],
      [{ ref, receipt: 'failed', reason: 'off' }],
    ],
  );
});

const { ref: REF } = codeMessage();
const REFERENCE = refText(REF);
const BODIES: Record<string, [body: unknown, reports: unknown[]]> = {
  'one receipt': [
    { reference: REFERENCE, status: 'delivered' },
    [{ ref: REF, receipt: 'delivered' }],
  ],
  'a receipt without our reference': [{ id: 'out-1', status: 'read' }, []],
  'a failure without a reason': [
    { reference: REFERENCE, status: 'failed' },
    [{ ref: REF, receipt: 'failed', reason: 'Провайдер не доставил сообщение' }],
  ],
  'a batch, with some that make no sense': [
    {
      receipts: [
        { reference: REFERENCE, status: 'delivered', reason: 'ignored' },
        { reference: REFERENCE, status: 'sent' },
        { reference: 'somebody else’s', status: 'read' },
        { status: 'read' },
        { id: { toString: 1 }, status: 'read' },
        null,
        'read',
        { reference: REFERENCE, status: 'failed', reason: 'off' },
      ],
    },
    [
      { ref: REF, receipt: 'delivered' },
      { ref: REF, receipt: 'failed', reason: 'off' },
    ],
  ],
  'no JSON': ['status=read', []],
  'a list': [[], []],
  nothing: ['', []],
};
for (const [name, [body, reports]] of Object.entries(BODIES)) {
  test(`a signed callback with ${name} gives ${reports.length} reports`, () => {
    const provider = openHttpProvider({ ...SETTINGS, url: 'http://x.kz' }, systemClock);
    assert.deepEqual(provider.readCallback?.(signed(body)), { reports });
  });
}

function signed(
  content: unknown,
  { secret = SECRET, secondsAgo = 0 }: { secret?: string; secondsAgo?: number } = {},
): CallbackRequest {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const at = new Date(Date.now() - secondsAgo * 1000);
  const headers = signWebhook(keyOf(secret), { id: 'receipt_1', body, at });
  return { method: 'POST', headers, query: {}, body };
}

const TRUE = signed({ reference: REFERENCE, status: 'delivered' });
function withHeader(name: string, value: string | undefined): CallbackRequest {
  return { ...TRUE, headers: { ...TRUE.headers, [name]: value } };
}
const SIGNATURE = String(TRUE.headers['webhook-signature']);
const REQUESTS: Record<string, [request: CallbackRequest, isAuthentic: boolean]> = {
  'as it should be': [TRUE, true],
  'with another signature beside the right one': [
    withHeader('webhook-signature', `v1,AAAA v1a,BBBB ${SIGNATURE}`),
    true,
  ],
  'from 290 seconds ago': [signed('{}', { secondsAgo: 290 }), true],
  'from 310 seconds ago': [signed('{}', { secondsAgo: 310 }), false],
  'from 310 seconds ahead': [signed('{}', { secondsAgo: -310 }), false],
  'signed by somebody else': [signed('{}', { secret: OTHER_SECRET }), false],
  'with a flipped bit': [{ ...TRUE, body: flipped(TRUE.body) }, false],
  'with another id': [withHeader('webhook-id', 'receipt_2'), false],
  'with a later time': [
    withHeader('webhook-timestamp', String(Math.ceil(Date.now() / 1000) + 9)),
    false,
  ],
  'with an odd time': [withHeader('webhook-timestamp', 'now'), false],
  'without an id': [withHeader('webhook-id', undefined), false],
  'without a time': [withHeader('webhook-timestamp', undefined), false],
  'without a signature': [withHeader('webhook-signature', undefined), false],
  'with an empty signature': [withHeader('webhook-signature', ''), false],
  'with the version cut off': [withHeader('webhook-signature', SIGNATURE.slice(3)), false],
};
for (const [name, [request, isAuthentic]] of Object.entries(REQUESTS)) {
  test(`a callback ${name} is ${isAuthentic ? 'authentic' : 'not'}`, () => {
    const provider = openHttpProvider({ ...SETTINGS, url: 'http://x.kz' }, systemClock);
    assert.equal(provider.readCallback?.(request) !== undefined, isAuthentic);
  });
}

function flipped(body: Buffer): Buffer {
  const copy = Buffer.from(body);
  copy.writeUInt8(copy.readUInt8(5) ^ 1, 5);
  return copy;
}

test('the receiver in the documentation works as it stands there', async (t) => {
  const page = await readFile(new URL('../../../docs/http-provider.md', import.meta.url), 'utf8');
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(program);
  const desk = await openCallbackDesk(t);
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { SECRET, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => receiver.kill());
  const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  const port = /\d+/.exec((await lines.next()).value ?? '')?.[0];
  const open = (secret: string) => {
    const url = `http://127.0.0.1:${port}/in`;
    const settings = { ...SETTINGS, secret, url, callbackUrl: desk.url };
    const provider = openHttpProvider(settings, systemClock);
    t.after(() => provider.stop?.());
    return provider;
  };

  const provider = open(SECRET);
  desk.reader = provider;
  assert.equal((await provider.check(soon())).ok, true);
  assert.equal((await open(OTHER_SECRET).check(soon())).ok, false);
  const sent = codeMessage();
  const accepted = await provider.send(sent, soon());
  assert.equal(accepted.result, 'accepted');
  assert.deepEqual(await provider.send(sent, soon()), accepted);
  assert.equal((await lines.next()).value, `to +77010000001: ${sent.text}`);
  assert.deepEqual(await desk.first, { reports: [{ ref: sent.ref, receipt: 'delivered' }] });
});
