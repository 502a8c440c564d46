import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { refused, unavailable } from '../../src/channels/failed-outcome.ts';
import { openHttpProvider } from '../../src/channels/http/http-provider.ts';
import { UNCLEAR_ANSWER } from '../../src/channels/http/provider-answer.ts';
import { readWebhookSecret, signWebhook } from '../../src/channels/http/standard-webhooks.ts';
import type { CallbackContent, CallbackRequest } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { HTTP, HTTP_PATH, OTHER_SECRET, openHttpRig } from './provider-rigs.ts';
import { startParrot } from './rig/local-server.ts';
import {
  codeMessage,
  groupMessage,
  linkMessage,
  newRef,
  PHONE,
  posted,
  QUIET,
  soon,
  withFlippedBit,
} from './rig/messages.ts';
import { openCallbackDesk } from './rig/open-rig.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

const REFUSED = refused('Провайдер отказался отправить сообщение');

const GROUP_WORD = 'group-abcdefghijkmnopqrstuvwxy';

describe('http-provider: what goes over the wire', () => {
  test('the path and the query of the address are kept as they are', async (t) => {
    const { url, paths } = await startParrot(t, { status: 200, body: { accepted: true, id: 'x' } });
    const { provider } = await openHttpRig(t, { settings: { url: url + HTTP_PATH } });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    assert.deepEqual(paths, [HTTP_PATH]);
  });

  test('a code goes out whole, signed, and under an id of its own', async (t) => {
    const { provider, simulator } = await openHttpRig(t, {
      settings: { callbackUrl: 'https://zhiber.kz/cb' },
    });
    const link = 'https://zhbr.kz/a';
    const sent = codeMessage({ content: 'code_with_link', link, language: 'both' });
    simulator.plans.add(QUIET);
    const outcome = await provider.send(sent, soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: 'out-1' });
    const [taken] = simulator.journal.taken();
    assert.partialDeepStrictEqual(taken, {
      id: 'out-1',
      to: '+77010000001',
      text: sent.text,
      ref: refText(sent.ref),
      code: '482913',
    });
    assert.deepEqual(taken?.details, {
      channel: 'sms',
      to: '+77010000001',
      kind: 'code_with_link',
      link,
      language: 'both',
      expires_in: 300,
      callback_url: 'https://zhiber.kz/cb',
      webhookId: `17_1_${sent.ref.messageId}`,
    });
  });

  test('a group is named by the id that its messenger knows it by', async (t) => {
    const { provider, simulator } = await openHttpRig(t, {
      settings: { channel: 'telegram', carries: ['group'] },
    });
    assert.deepEqual([provider.name, [...provider.carries]], ['http-telegram', ['group']]);
    assert.equal((await provider.send(groupMessage('-100123'), soon())).result, 'accepted');
    const [taken] = simulator.journal.taken();
    assert.deepEqual([taken?.to, taken?.details?.group], ['-100123', '-100123']);
  });

  test('it is named after its channel, and carries what phones can be sent', () => {
    for (const channel of ['whatsapp', 'telegram', 'sms'] as const) {
      const provider = openHttpProvider({ ...HTTP, channel, url: 'http://x.kz' }, TOOLS);
      assert.equal(provider.name, `http-${channel}`);
      assert.equal(provider.channel, channel);
      assert.deepEqual([...provider.carries], ['code', 'code_with_link', 'text', 'broadcast']);
    }
  });

  test('a broadcast has its kind, and by WhatsApp its template', async (t) => {
    const template = { name: 'autumn_sale', language: 'ru', variables: ['Айгүл', '20 %'] };
    for (const channel of ['whatsapp', 'sms'] as const) {
      const { provider, simulator } = await openHttpRig(t, { settings: { channel } });
      const message = linkMessage({ content: 'broadcast', isBulk: true, template });
      assert.equal((await provider.send(message, soon())).result, 'accepted');
      const { kind, template: sent } = simulator.journal.taken()[0]?.details ?? {};
      assert.deepEqual([kind, sent], ['broadcast', channel === 'whatsapp' ? template : undefined]);
    }
  });

  test('a message that is sent again after a lost answer goes out once', async (t) => {
    const { provider, simulator } = await openHttpRig(t);
    const sent = codeMessage();
    simulator.plans.add({ does: 'reset_during', times: 1, receipts: [] });
    assert.equal((await provider.send(sent, soon())).result, 'unknown');
    const again = await provider.send(sent, soon());
    assert.deepEqual(again, { result: 'accepted', providerId: 'out-1' });
    assert.equal(simulator.journal.taken().length, 1);
  });

  test('there is no provider without a secret', () => {
    for (const secret of ['', 'whsec_', HTTP.secret.slice(6)]) {
      assert.throws(
        () => openHttpProvider({ ...HTTP, secret, url: 'http://x.kz' }, TOOLS),
        /whsec_ followed by/,
      );
    }
  });
});

describe('http-provider: refusals', () => {
  const LONG = 'я'.repeat(300);
  const NO_CREDENTIALS = unavailable('Провайдер не принял учётные данные сервиса');
  testRefusals(openHttpRig, [
    ['Номер в чёрном списке', refused('Номер в чёрном списке')],
    [422, refused('the number is blocked')],
    [400, refused('the number is blocked')],
    [LONG, refused(LONG.slice(0, 200))],
    ['𝒳'.repeat(300), refused('𝒳'.repeat(200))],
    ['a\u0000b\nc\u202ed\u0007', refused('a b c d')],
    ['', REFUSED],
    // These speak of the provider, not of the message.
    [401, NO_CREDENTIALS],
    [403, NO_CREDENTIALS],
    [429, unavailable('Провайдер просит отправлять реже')],
    [503, UNCLEAR_ANSWER],
  ]);

  testAnswers(openHttpRig, {
    'acceptance and the status 202': [
      202,
      { accepted: true, id: 'x' },
      { result: 'accepted', providerId: 'x' },
    ],
    'an id alone': [200, { id: 'x' }, UNCLEAR_ANSWER],
    'acceptance alone': [200, { accepted: true }, UNCLEAR_ANSWER],
    'acceptance in a text': [200, { accepted: 'true', id: 'x' }, UNCLEAR_ANSWER],
    'an empty id': [200, { accepted: true, id: '' }, UNCLEAR_ANSWER],
    'an id that is a number': [200, { accepted: true, id: 1 }, UNCLEAR_ANSWER],
    'an id of several lines': [200, { accepted: true, id: 'x\ny' }, UNCLEAR_ANSWER],
    'an endless id': [200, { accepted: true, id: 'x'.repeat(201) }, UNCLEAR_ANSWER],
    'acceptance and the status 302': [302, { accepted: true, id: 'x' }, UNCLEAR_ANSWER],
    'acceptance and the status 500': [500, { accepted: true, id: 'x' }, UNCLEAR_ANSWER],
    'nothing and the status 408': [408, '', UNCLEAR_ANSWER],
    'a refusal and the status 408': [408, { accepted: false }, UNCLEAR_ANSWER],
    'acceptance and the status 404': [404, { accepted: true, id: 'x' }, REFUSED],
    'nothing and the status 404': [404, '', REFUSED],
  });
});

test('http-provider: a check is a signed ping, and a wrong secret is found by its status', async (t) => {
  const { provider, simulator } = await openHttpRig(t);
  assert.deepEqual(await provider.check(soon()), {
    ok: true,
    detail: `The provider at ${simulator.url} answers a signed ping.`,
  });
  const wrong = await openHttpRig(t, { settings: { secret: OTHER_SECRET } });
  assert.match((await wrong.provider.check(soon())).detail, /HTTP status 401/);
});

describe('http-provider: receipts', () => {
  const ref = newRef();
  const reference = refText(ref);
  const DELIVERED: CallbackContent = { reports: [{ ref, receipt: 'delivered' }] };
  const NOTHING: CallbackContent = { reports: [] };

  function signed(
    content: unknown,
    { secret = HTTP.secret, secondsAgo = 0 }: { secret?: string; secondsAgo?: number } = {},
  ): CallbackRequest {
    const request = posted(content);
    const key = readWebhookSecret(secret) ?? assert.fail();
    const at = new Date(Date.now() - secondsAgo * 1000);
    const headers = signWebhook(key, { id: 'receipt_1', body: request.body, at });
    return { ...request, headers };
  }
  const TRUE = signed({ reference, status: 'delivered' });
  const SIGNATURE = String(TRUE.headers['webhook-signature']);
  const withHeader = (name: string, value: string | undefined): CallbackRequest => ({
    ...TRUE,
    headers: { ...TRUE.headers, [name]: value },
  });
  const later = String(Math.ceil(Date.now() / 1000) + 9);

  test('the word of an invitation in a group is a claim of that group, where groups are carried', async () => {
    const settings = {
      ...HTTP,
      url: 'http://x.kz',
      channel: 'whatsapp',
      carries: ['group'],
    } as const;
    const provider = openHttpProvider({ ...settings, carries: [...settings.carries] }, TOOLS);
    const group_message = { group: '1@g.us', title: 'Склад', text: GROUP_WORD };
    assert.deepEqual(provider.readCallback?.(signed({ group_message })), {
      reports: [],
      claim: { channel: 'whatsapp', chatId: '1@g.us', title: 'Склад', word: GROUP_WORD },
    });
    const inTelegram = signed({
      group_message: { ...group_message, text: `/start ${GROUP_WORD}` },
    });
    assert.equal(provider.readCallback?.(inTelegram)?.claim?.word, GROUP_WORD);
    for (const wrong of [{ text: `a ${GROUP_WORD}` }, { group: 7 }, { group: '' }, { text: 7 }]) {
      const content = signed({ group_message: { ...group_message, ...wrong } });
      assert.deepEqual(provider.readCallback?.(content), NOTHING);
    }
    assert.equal(await provider.readGroupAccount?.(soon()), undefined);
    const plain = openHttpProvider({ ...HTTP, url: 'http://x.kz' }, TOOLS);
    assert.equal(plain.readGroupAccount, undefined);
  });

  testCallbacks(() => openHttpProvider({ ...HTTP, url: 'http://x.kz' }, TOOLS), {
    'with one receipt': [TRUE, DELIVERED],
    'with a stop word from a person': [
      signed({ person_message: { from: `+${PHONE}`, text: 'Стоп!' } }),
      { reports: [], stops: [{ phone: PHONE }] },
    ],
    'with other words from a person': [
      signed({ person_message: { from: `+${PHONE}`, text: 'Стоп, а сколько стоит?' } }),
      NOTHING,
    ],
    'with a stop word from no phone': [
      signed({ person_message: { from: '1414', text: 'Стоп' } }),
      NOTHING,
    ],
    'with the word of an invitation in a group, by SMS': [
      signed({ group_message: { group: '1@g.us', title: 'Склад', text: GROUP_WORD } }),
      NOTHING,
    ],
    'of an SMS that was read, which nobody can know': [
      signed({ reference, status: 'read' }),
      { reports: [{ ref, receipt: 'delivered' }] },
    ],
    'without our reference': [signed({ id: 'out-1', status: 'read' }), NOTHING],
    'with a failure': [
      signed({ reference, status: 'failed', reason: 'off\n' }),
      { reports: [{ ref, receipt: 'failed', reason: 'off' }] },
    ],
    'with a failure without a reason': [
      signed({ reference, status: 'failed' }),
      { reports: [{ ref, receipt: 'failed', reason: 'Провайдер не доставил сообщение' }] },
    ],
    'with a batch, of which some make no sense': [
      signed({
        receipts: [
          { reference, status: 'delivered', reason: 'ignored' },
          { reference, status: 'sent' },
          { reference: 'somebody else’s', status: 'read' },
          { status: 'read' },
          { id: { toString: 1 }, status: 'read' },
          null,
          'read',
          { reference, status: 'failed', reason: 'off' },
        ],
      }),
      {
        reports: [
          { ref, receipt: 'delivered' },
          { ref, receipt: 'failed', reason: 'off' },
        ],
      },
    ],
    'that is no JSON': [signed('status=read'), NOTHING],
    'that is a list': [signed([]), NOTHING],
    'that is empty': [signed(''), NOTHING],

    'with another signature beside the right one': [
      withHeader('webhook-signature', `v1,AAAA v1a,BBBB ${SIGNATURE}`),
      DELIVERED,
    ],
    'from 290 seconds ago': [() => signed('{}', { secondsAgo: 290 }), NOTHING],
    'from 310 seconds ago': [() => signed('{}', { secondsAgo: 310 }), undefined],
    'from 310 seconds ahead': [() => signed('{}', { secondsAgo: -310 }), undefined],
    'signed by somebody else': [signed('{}', { secret: OTHER_SECRET }), undefined],
    'with a flipped bit': [withFlippedBit(TRUE, 40), undefined],
    'with another id': [withHeader('webhook-id', 'receipt_2'), undefined],
    'with a later time': [withHeader('webhook-timestamp', later), undefined],
    'with an odd time': [withHeader('webhook-timestamp', 'now'), undefined],
    'without an id': [withHeader('webhook-id', undefined), undefined],
    'without a time': [withHeader('webhook-timestamp', undefined), undefined],
    'without a signature': [withHeader('webhook-signature', undefined), undefined],
    'with an empty signature': [withHeader('webhook-signature', ''), undefined],
    'with the version cut off': [withHeader('webhook-signature', SIGNATURE.slice(3)), undefined],
  });
});

test('http-provider: the receiver in the documentation works as it stands there', async (t) => {
  const page = await readFile(new URL('../../../docs/http-provider.md', import.meta.url), 'utf8');
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(program);
  const desk = await openCallbackDesk(t);
  const receiver = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { SECRET: HTTP.secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => receiver.kill());
  const lines = createInterface({ input: receiver.stdout })[Symbol.asyncIterator]();
  const port = /\d+/.exec((await lines.next()).value ?? '')?.[0];
  const open = (secret: string) => {
    const url = `http://127.0.0.1:${port}/in`;
    const settings = { ...HTTP, secret, url, callbackUrl: desk.url };
    const provider = openHttpProvider(settings, TOOLS);
    t.after(() => provider.stop?.());
    return provider;
  };

  const provider = open(HTTP.secret);
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
