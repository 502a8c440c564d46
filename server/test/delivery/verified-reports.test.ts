import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Provider } from '../../src/channels/provider.ts';
import { openTelegramGateway } from '../../src/channels/telegram/gateway.ts';
import { systemClock } from '../../src/clock.ts';
import { reportVerifiedTo } from '../../src/otp/report-verified.ts';
import { together, until, useService } from '../harness.ts';
import { refuses, scriptedChannels } from './scripted-channel.ts';

/** Providers that ask for it are told that a code which they carried was entered. */
const channels = scriptedChannels();
const service = useService({ providers: channels });
const UNDER_WAY_MAX = 16;
let told: { providerId: string; code: string }[] = [];
let reporting: () => Promise<void>;
let ids = 0;

const curious: Provider = {
  ...openTelegramGateway({ token: 'no token' }, systemClock),
  reportVerified(verified) {
    told.push(verified);
    return reporting();
  },
};

beforeEach(() => {
  told = [];
  reporting = () => Promise.resolve();
  service.ctx.onVerified = reportVerifiedTo([curious], service.ctx);
});

/** A code that was sent by Telegram, unless said otherwise; with whoever carried it. */
async function sendCode({ channel = 'telegram', carrier = 'telegram-gateway' } = {}) {
  const [key, phone, id] = [await service.key(), service.phone(), String(++ids)];
  for (const one of Object.values(channels)) {
    one.onSend(phone, () => ({ result: 'accepted', providerId: `${carrier}:${id}` }));
  }
  if (channel === 'auto') channels.whatsapp.onSend(phone, refuses);
  const sent = await service.call('/otp/send', { phone, channel }, key);
  assert.equal(sent.status, 200);
  const code = String(
    Object.values(channels)
      .flatMap((one) => one.sentTo(phone))
      .at(-1)?.code,
  );
  const verify = async (guess = code) =>
    (await service.call('/otp/verify', { phone, code: guess }, key)).status;
  return { id, code, verify };
}

const isTold = (count: number) => until(`${count} are told`, async () => told.length >= count);
/** Whatever would be told late has been told by then: those that come after it have. */
async function assertNothingElse(expected: object[]) {
  const last = await sendCode();
  assert.equal(await last.verify(), 200);
  await isTold(expected.length + 1);
  assert.deepEqual(told, [...expected, { providerId: last.id, code: last.code }]);
}

test('once, with the id they gave it, and only when the code was right', async () => {
  const { id, code, verify } = await sendCode();
  const wrong = code === '000000' ? '111111' : '000000';
  assert.equal(await verify(wrong), 422);
  assert.equal(await verify(`${code.slice(0, 3)}-${code.slice(3)}`), 200);
  assert.equal(await verify(), 422);
  await assertNothingElse([{ providerId: id, code }]);
});

test('also of a code that another channel had refused before', async () => {
  const { id, code, verify } = await sendCode({ channel: 'auto' });
  assert.equal(await verify(), 200);
  await assertNothingElse([{ providerId: id, code }]);
});

test('not of a code that somebody else carried', async () => {
  const { verify } = await sendCode({ carrier: 'telegram-bot' });
  assert.equal(await verify(), 200);
  await assertNothingElse([]);
});

test('not of a code of a test key', async () => {
  const [key, phone] = [await service.key({ isTest: true }), service.phone()];
  await service.call('/otp/send', { phone, channel: 'telegram' }, key);
  const code = service.codeOn(key, phone);
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
  await assertNothingElse([]);
});

test('without anybody waiting for it, and never by more than a few at once', async () => {
  const hanging = Promise.withResolvers<void>();
  reporting = () => hanging.promise;
  const codes = await together(UNDER_WAY_MAX + 5, () => sendCode());
  const statuses = await Promise.all(codes.map(({ verify }) => verify()));
  assert.deepEqual(new Set(statuses), new Set([200]));
  await isTold(UNDER_WAY_MAX);
  assert.equal(told.length, UNDER_WAY_MAX);
  hanging.resolve();
  await hanging.promise;
  const { id, verify } = await sendCode();
  assert.equal(await verify(), 200);
  await isTold(UNDER_WAY_MAX + 1);
  assert.equal(told.at(-1)?.providerId, id);
});

test('and their trouble with it is nobody else’s', async () => {
  reporting = () => Promise.reject(new Error('a bug in the adapter'));
  for (let i = 0; i <= UNDER_WAY_MAX; i++) assert.equal(await (await sendCode()).verify(), 200);
  await isTold(UNDER_WAY_MAX + 1);
});

test('where none of them asks for it, nothing is looked up', () => {
  const { reportVerified: _, ...indifferent } = curious;
  assert.equal(reportVerifiedTo([indifferent], service.ctx), undefined);
});
