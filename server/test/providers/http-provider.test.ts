import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/channels/channel.ts';
import { openHttpProvider } from '../../src/channels/http/http-provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { systemClock } from '../../src/clock.ts';
import { OTHER_SECRET, openHttpRig, PATH, SECRET, SETTINGS } from './http-provider-rig.ts';
import { testAnswers, UNCLEAR } from './rig/answers.ts';
import { testFaults } from './rig/faults.ts';
import { startParrot } from './rig/local-server.ts';
import { codeMessage, soon } from './rig/messages.ts';

testFaults(openHttpRig, { 401: 'unavailable', 403: 'unavailable' });

testAnswers(
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
    'nothing and the status 408': [408, '', UNCLEAR],
    'a refusal and the status 408': [408, { accepted: false }, UNCLEAR],
    'acceptance and the status 404': [
      404,
      { accepted: true, id: 'x' },
      refusal('Провайдер отказался отправить сообщение'),
    ],
  },
  openHttpRig,
);

test('the path and the query of the address are kept as they are', async (t) => {
  const { url, paths } = await startParrot(t, 200, { accepted: true, id: 'x' });
  const { provider } = await openHttpRig(t, { settings: { url: url + PATH } });
  assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  assert.deepEqual(paths, [PATH]);
});

test('a code goes out whole, signed, and under an id of its own', async (t) => {
  const { provider, simulator } = await openHttpRig(t, {
    settings: { callbackUrl: 'https://zhiber.kz/cb' },
  });
  const sent = codeMessage({ load: 'code_with_link', link: 'https://zhbr.kz/a', language: 'both' });
  simulator.plans.add({ does: 'accept', receipts: [] });
  assert.deepEqual(await provider.send(sent, soon()), { result: 'accepted', providerId: 'out-1' });
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
  const { provider, simulator } = await openHttpRig(t, {
    settings: { channel: 'telegram', carries: ['group'] },
  });
  assert.deepEqual([provider.name, [...provider.carries]], ['http-telegram', ['group']]);
  const sent = codeMessage({ load: 'group', to: { group: '-100123' }, code: undefined });
  assert.equal((await provider.send(sent, soon())).result, 'accepted');
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
  const { provider, simulator } = await openHttpRig(t);
  const sent = codeMessage();
  simulator.plans.add({ does: 'reset_during', times: 1, receipts: [] });
  assert.equal((await provider.send(sent, soon())).result, 'unknown');
  assert.deepEqual(await provider.send(sent, soon()), { result: 'accepted', providerId: 'out-1' });
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
    const { provider, simulator } = await openHttpRig(t);
    simulator.plans.add({ does: 'refuse', code });
    assert.deepEqual(await provider.send(codeMessage(), soon()), outcome);
    assert.equal(simulator.journal.taken().length, 0);
  });
}

test('404 without a word is a refusal', async (t) => {
  const { provider, simulator } = await openHttpRig(t);
  simulator.plans.add({ does: 'fail', code: 404 });
  assert.deepEqual(
    await provider.send(codeMessage(), soon()),
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
  const { provider, simulator } = await openHttpRig(t);
  assert.deepEqual(await provider.check(soon()), {
    ok: true,
    detail: `The provider at ${simulator.url} answers a signed ping.`,
  });
  assert.equal(simulator.journal.taken().length, 0);
});

test('a wrong secret is found by a check, sends nothing, and is told to nobody', async (t) => {
  const { provider, simulator } = await openHttpRig(t, { settings: { secret: OTHER_SECRET } });
  const check = await provider.check(soon());
  const outcome = await provider.send(codeMessage(), soon());
  assert.equal(check.ok, false);
  assert.match(check.detail, /HTTP status 401/);
  assert.equal(outcome.result, 'unavailable');
  assert.equal(simulator.journal.taken().length, 0);
  const said = JSON.stringify([check, outcome]);
  for (const secret of [SECRET, OTHER_SECRET, 'token']) assert.ok(!said.includes(secret));
});

test('the quiet simulator accepts everything under ids of its own, as late as it is told', async (t) => {
  const { provider, simulator } = await openHttpRig(t, { simulator: { quiet: true, delayMs: 50 } });
  const begun = performance.now();
  const outcomes = await Promise.all([1, 2, 3].map(() => provider.send(codeMessage(), soon())));
  assert.ok(performance.now() - begun >= 49);
  const ids = outcomes.map((outcome) => outcome.result === 'accepted' && outcome.providerId);
  assert.deepEqual(ids.toSorted(), ['quiet-1', 'quiet-2', 'quiet-3']);
  assert.equal(simulator.journal.lines.length, 0);
});
