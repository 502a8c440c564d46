/** Channel capabilities and outcomes, with scripted providers instead of the sandbox. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type {
  ChannelAdapter,
  ContentKind,
  Outcome,
  OutgoingMessage,
} from '../../src/channels/channel.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';

type Provider = ChannelAdapter & {
  sent: OutgoingMessage[];
  answer: () => Promise<Outcome>;
};

function createProvider(name: string, carries: ContentKind[]): Provider {
  const provider: Provider = {
    name,
    carries: new Set(carries),
    sent: [],
    answer: accept,
    async send(message) {
      provider.sent.push(message);
      return await provider.answer();
    },
  };
  return provider;
}

const accept = async (): Promise<Outcome> => ({ result: 'accepted', providerId: 'p' });
const refuse = async (): Promise<Outcome> => ({ result: 'refused', reason: 'нет' });
const unavailable = async (): Promise<Outcome> => ({ result: 'unavailable', reason: 'закрыт' });
const unknown = async (): Promise<Outcome> => ({ result: 'unknown', reason: 'обрыв' });
const throwError = () => Promise.reject(new Error('broken on purpose'));

// As in production: WhatsApp authentication templates allow no URL, and the Telegram gateway sends
// only codes.
const whatsapp = createProvider('whatsapp', ['code']);
const telegram = createProvider('telegram', ['code']);
const sms = createProvider('sms', ['code', 'code_with_link', 'text']);
const providers = { whatsapp, telegram, sms };
const service = useService({ providers });

function setOutcomes(
  outcomes: Partial<Record<keyof typeof providers, () => Promise<Outcome>>>,
): void {
  for (const [name, provider] of Object.entries(providers)) {
    provider.answer = outcomes[name as keyof typeof providers] ?? accept;
    provider.sent.length = 0;
  }
}

const send = (key: TestKey, phone: string, more: object = {}): Promise<ApiAnswer> =>
  service.call('/otp/send', { phone, ...more }, key);
const calledProviders = () =>
  Object.entries(providers)
    .filter(([, provider]) => provider.sent.length > 0)
    .map(([name]) => name);

describe('a channel that cannot carry the message', () => {
  const link = 'https://example.kz/order';

  test('is skipped by auto', async () => {
    setOutcomes({});
    const sent = await send(await service.key(), service.phone(), { link });
    assert.equal(sent.body.channel, 'sms');
    assert.equal(sent.body.cost, 8);
    assert.deepEqual(calledProviders(), ['sms']);
  });

  test('is refused when it is chosen explicitly', async () => {
    setOutcomes({});
    const key = await service.key();
    for (const channel of ['whatsapp', 'telegram']) {
      const withCode = await send(key, service.phone(), { link, channel });
      assert.equal(withCode.body.error_code, 'channel_unsuitable');
      const body = { phone: service.phone(), url: link, channel };
      const linkOnly = await service.call('/links/send', body, key);
      assert.equal(linkOnly.body.error_code, 'channel_unsuitable');
    }
    assert.deepEqual(calledProviders(), []);
  });

  test('leaves auto without a channel when no other is enabled', async () => {
    const key = await service.key({ channels: ['whatsapp', 'telegram'] });
    const refused = await send(key, service.phone(), { link });
    assert.equal(refused.body.error_code, 'no_channel_available');
  });

  test('cannot post into a group', async () => {
    const key = await service.key();
    const group = {
      companyId: key.companyId,
      channel: 'telegram',
      name: 'Г',
      chatId: '-1',
    } as const;
    await insertGroup(service.ctx.db, group);
    const body = { group: 'Г', text: 'Привет', channel: 'telegram' };
    const explicit = await service.call('/group/send', body, key);
    assert.equal(explicit.body.error_code, 'channel_unsuitable');
    const auto = await service.call('/group/send', { ...body, channel: 'auto' }, key);
    assert.equal(auto.body.error_code, 'no_channel_available');
  });
});

describe('auto falls back to the next channel', () => {
  const reasons: Record<string, () => Promise<Outcome>> = {
    'after a refusal': refuse,
    'when a circuit breaker is open': unavailable,
    'after an unknown outcome': unknown,
    'when an adapter throws': throwError,
  };
  for (const [name, outcome] of Object.entries(reasons)) {
    test(`${name}, with the same code, and charges only the channel that accepted`, async () => {
      setOutcomes({ whatsapp: outcome, telegram: outcome });
      const key = await service.key();
      const phone = service.phone();
      const sent = await send(key, phone);
      assert.equal(sent.body.channel, 'sms');
      assert.equal(sent.body.cost, 8);
      assert.deepEqual(await service.balance(key.companyId), { balance: 42, held: 0 });
      const codes = Object.values(providers).map((provider) => provider.sent[0]?.code);
      assert.equal(new Set(codes).size, 1);
      const code = codes[0] as string;
      assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
    });
  }

  test('an explicit channel has no fallback', async () => {
    setOutcomes({ whatsapp: refuse });
    const failed = await send(await service.key(), service.phone(), { channel: 'whatsapp' });
    assert.equal(failed.body.error_code, 'delivery_failed');
    assert.deepEqual(calledProviders(), ['whatsapp']);
  });
});

describe('when no channel accepts', () => {
  test('all refused: 502, nothing charged, no code stored, the phone can be sent to again', async () => {
    setOutcomes({ whatsapp: refuse, telegram: unavailable, sms: refuse });
    const key = await service.key();
    const phone = service.phone();
    const failed = await send(key, phone);
    assert.equal(failed.status, 502);
    assert.equal(failed.body.error_code, 'delivery_failed');
    assert.match(String(failed.body.message_id), /^[0-9a-f-]{36}$/);
    assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
    const code = whatsapp.sent[0]?.code as string;
    const guess = await service.call('/otp/verify', { phone, code }, key);
    assert.equal(guess.body.error_code, 'code_not_found');
    setOutcomes({});
    assert.equal((await send(key, phone)).status, 200);
  });

  test('one unknown: 504, nothing charged, the code is valid, the rate limit applies', async () => {
    setOutcomes({ whatsapp: refuse, telegram: unknown, sms: refuse });
    const key = await service.key();
    const phone = service.phone();
    const unconfirmed = await send(key, phone);
    assert.equal(unconfirmed.status, 504);
    assert.equal(unconfirmed.body.error_code, 'delivery_unconfirmed');
    assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
    const again = await send(key, phone);
    assert.equal(again.body.error_code, 'send_rate_limited');
    const code = telegram.sent[0]?.code as string;
    assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
    await service.passTime(60);
    setOutcomes({});
    assert.equal((await send(key, phone)).status, 200);
  });

  test('an unconfirmed link is not charged either', async () => {
    setOutcomes({ sms: throwError });
    const key = await service.key();
    const body = { phone: service.phone(), url: 'https://example.kz', channel: 'sms' };
    const unconfirmed = await service.call('/links/send', body, key);
    assert.equal(unconfirmed.status, 504);
    assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  });
});

describe('outside the sandbox', () => {
  test('a test key never reaches a provider', async () => {
    setOutcomes({});
    const key = await service.key({ isTest: true });
    const phone = service.phone();
    assert.equal((await send(key, phone)).status, 200);
    assert.match(service.readSentCode(key, phone), /^\d{6}$/);
    assert.deepEqual(calledProviders(), []);
  });

  const privateUrls = [
    'http://localhost/',
    'http://shop.localhost:3000/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/',
    'http://8.8.8.8/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://intranet/',
    'http://printer.local/',
  ];
  for (const url of privateUrls) {
    test(`${url} cannot be the target of a link`, async () => {
      const key = await service.key();
      const refused = await service.call('/links/shorten', { url }, key);
      assert.equal(refused.body.error_code, 'invalid_url');
    });
  }

  test('a public address can be the target of a link', async () => {
    const body = { url: 'https://example.kz/order' };
    const made = await service.call('/links/shorten', body, await service.key());
    assert.equal(made.status, 200);
  });
});
