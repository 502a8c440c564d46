import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type HttpProviderOptions, startHttpProvider } from '../../../simulators/http-provider.ts';
import type { Outcome } from '../../src/channels/channel.ts';
import {
  type HttpProviderSettings,
  openHttpProvider,
} from '../../src/channels/http/http-provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { systemClock } from '../../src/clock.ts';
import {
  close,
  message,
  openParrot,
  sendTo,
  testFaults,
  testWords,
  UNCLEAR,
} from './http-provider-faults.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const SETTINGS = { channel: 'sms', secret: SECRET } as const;

async function together(
  settings: Partial<HttpProviderSettings> = {},
  options: Partial<HttpProviderOptions> = {},
) {
  const simulator = await startHttpProvider({ secret: SECRET, ...options });
  const url = `${simulator.url}/hooks/zhiber/?token=a%20b`;
  const provider = openHttpProvider({ ...SETTINGS, url, ...settings }, systemClock);
  return { provider, simulator };
}

async function started(
  t: TestContext,
  settings: Partial<HttpProviderSettings> = {},
  options: Partial<HttpProviderOptions> = {},
) {
  const both = await together(settings, options);
  t.after(() => close(both));
  return both;
}

testFaults({
  together,
  provider: (url) => openHttpProvider({ ...SETTINGS, url }, systemClock),
});

testWords(
  {
    '202': [202, { accepted: true, id: 'x' }, { result: 'accepted', providerId: 'x' }],
    'an id alone': [200, { id: 'x' }, UNCLEAR],
    'acceptance alone': [200, { accepted: true }, UNCLEAR],
    'acceptance in a text': [200, { accepted: 'true', id: 'x' }, UNCLEAR],
    'an empty id': [200, { accepted: true, id: '' }, UNCLEAR],
    'an id that is a number': [200, { accepted: true, id: 1 }, UNCLEAR],
    'an id of several lines': [200, { accepted: true, id: 'x\ny' }, UNCLEAR],
    'an endless id': [200, { accepted: true, id: 'x'.repeat(201) }, UNCLEAR],
    'acceptance and the status 302': [302, { accepted: true, id: 'x' }, UNCLEAR],
    'acceptance and the status 500': [500, { accepted: true, id: 'x' }, UNCLEAR],
    'acceptance and the status 404': [
      404,
      { accepted: true, id: 'x' },
      refusal('Провайдер отказался отправить сообщение'),
    ],
  },
  (url) => openHttpProvider({ ...SETTINGS, url }, systemClock),
);

test('the path and the query of the address are kept as they are', async (t) => {
  const { url, paths } = await openParrot(t, 200, { accepted: true, id: 'x' });
  const settings = { ...SETTINGS, url: `${url}/hooks/zhiber/?token=a%20b` };
  const provider = openHttpProvider(settings, systemClock);
  t.after(() => provider.stop?.());
  assert.equal((await sendTo(provider, message())).result, 'accepted');
  assert.deepEqual(paths, ['/hooks/zhiber/?token=a%20b']);
});

test('a code goes out whole, signed, and under an id of its own', async (t) => {
  const { provider, simulator } = await started(t, { callbackUrl: 'https://zhiber.kz/cb' });
  const sent = message({ load: 'code_with_link', link: 'https://zhbr.kz/a', language: 'both' });
  simulator.plans.add({ does: 'accept', receipts: [] });
  assert.deepEqual(await sendTo(provider, sent), { result: 'accepted', providerId: 'out-1' });
  const [taken] = simulator.journal.taken();
  assert.ok(taken);
  const { id, to, text, ref, code, details } = taken;
  assert.deepEqual(
    { id, to, text, ref, code, details },
    {
      id: 'out-1',
      to: '+77010000001',
      text: sent.text,
      ref: refText(sent.ref),
      code: '482913',
      details: {
        channel: 'sms',
        to: '+77010000001',
        kind: 'code_with_link',
        link: 'https://zhbr.kz/a',
        language: 'both',
        expires_in: 300,
        callback_url: 'https://zhiber.kz/cb',
        webhookId: `17_1_${sent.ref.messageId}`,
      },
    },
  );
});

test('a group is named by the id that its messenger knows it by', async (t) => {
  const { provider, simulator } = await started(t, { channel: 'telegram', carries: ['group'] });
  assert.deepEqual([provider.name, [...provider.carries]], ['http-telegram', ['group']]);
  const sent = message({ load: 'group', to: { group: '-100123' }, code: undefined });
  assert.equal((await sendTo(provider, sent)).result, 'accepted');
  const [taken] = simulator.journal.taken();
  assert.deepEqual([taken?.to, taken?.details?.group], ['-100123', '-100123']);
});

test('it is named after its channel, and carries what phones can be sent', () => {
  for (const channel of ['whatsapp', 'telegram', 'sms'] as const) {
    const provider = openHttpProvider({ ...SETTINGS, channel, url: 'http://x.kz' }, systemClock);
    assert.equal(provider.name, `http-${channel}`);
    assert.equal(provider.channel, channel);
    assert.deepEqual([...provider.carries], ['code', 'code_with_link', 'text']);
  }
});

test('a message that is sent again after a lost answer goes out once', async (t) => {
  const { provider, simulator } = await started(t);
  const sent = message();
  simulator.plans.add({ does: 'reset_during', times: 1, receipts: [] });
  assert.equal((await sendTo(provider, sent)).result, 'unknown');
  assert.deepEqual(await sendTo(provider, sent), { result: 'accepted', providerId: 'out-1' });
  assert.equal(simulator.journal.taken().length, 1);
});

const LONG = 'я'.repeat(300);
const REFUSALS: Record<string, [code: string | number, outcome: Outcome]> = {
  'in words': ['Номер в чёрном списке', refusal('Номер в чёрном списке')],
  'with 422': [422, refusal('the number is blocked')],
  'with 400': [400, refusal('the number is blocked')],
  'in a long speech': [LONG, refusal(LONG.slice(0, 200))],
  'in astral letters': ['𝒳'.repeat(300), refusal('𝒳'.repeat(200))],
  'with control characters': ['a\u0000b\nc\u202ed\u0007', refusal('a b c d')],
  'without words': ['', refusal('Провайдер отказался отправить сообщение')],
  // These speak of the provider, not of the message.
  'with 401': [
    401,
    { result: 'unavailable', reason: 'Провайдер не принял учётные данные сервиса' },
  ],
  'with 403': [
    403,
    { result: 'unavailable', reason: 'Провайдер не принял учётные данные сервиса' },
  ],
  'with 429': [429, { result: 'unavailable', reason: 'Провайдер просит отправлять реже' }],
  'with 503': [503, { result: 'unknown', reason: 'Провайдер ответил непонятно' }],
};
function refusal(reason: string): Outcome {
  return { result: 'refused', reason };
}
for (const [name, [code, outcome]] of Object.entries(REFUSALS)) {
  test(`a refusal ${name}: ${outcome.result}`, async (t) => {
    const { provider, simulator } = await started(t);
    simulator.plans.add({ does: 'refuse', code });
    assert.deepEqual(await sendTo(provider, message()), outcome);
    assert.equal(simulator.journal.taken().length, 0);
  });
}

test('404 without a word is a refusal', async (t) => {
  const { provider, simulator } = await started(t);
  simulator.plans.add({ does: 'fail', code: 404 });
  assert.deepEqual(
    await sendTo(provider, message()),
    refusal('Провайдер отказался отправить сообщение'),
  );
});

test('there is no provider without a secret', () => {
  for (const secret of ['', 'whsec_', SECRET.slice(6)]) {
    assert.throws(
      () => openHttpProvider({ ...SETTINGS, secret, url: 'http://x.kz' }, systemClock),
      /whsec_ followed by/,
    );
  }
});

test('a check is a signed ping', async (t) => {
  const { provider, simulator } = await started(t);
  assert.deepEqual(await provider.check(AbortSignal.timeout(5_000)), {
    ok: true,
    detail: `The provider at ${simulator.url} answers a signed ping.`,
  });
  assert.equal(simulator.journal.taken().length, 0);
});

test('a wrong secret is found by a check, sends nothing, and is told to nobody', async (t) => {
  const { provider, simulator } = await started(t, { secret: OTHER_SECRET });
  const check = await provider.check(AbortSignal.timeout(5_000));
  const outcome = await sendTo(provider, message());
  assert.equal(check.ok, false);
  assert.match(check.detail, /HTTP status 401/);
  assert.equal(outcome.result, 'unavailable');
  assert.equal(simulator.journal.taken().length, 0);
  const said = JSON.stringify([check, outcome]);
  for (const secret of [SECRET, OTHER_SECRET, 'token']) assert.ok(!said.includes(secret));
});

test('the quiet simulator accepts everything under ids of its own, as late as it is told', async (t) => {
  const { provider, simulator } = await started(t, {}, { quiet: true, delayMs: 50 });
  const begun = performance.now();
  const outcomes = await Promise.all([1, 2, 3].map(() => sendTo(provider, message())));
  assert.ok(performance.now() - begun >= 49);
  const ids = outcomes.map((outcome) => outcome.result === 'accepted' && outcome.providerId);
  assert.deepEqual(ids.toSorted(), ['quiet-1', 'quiet-2', 'quiet-3']);
  assert.equal(simulator.journal.lines.length, 0);
});
