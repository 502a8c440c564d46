import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Provider } from '../../src/channels/provider.ts';
import { openTelegramGateway } from '../../src/channels/telegram/gateway.ts';
import { reportVerifiedTo } from '../../src/otp/report-verified.ts';
import { runConcurrently, until, useService } from '../harness.ts';
import { TOOLS } from '../providers/rig/tools.ts';
import { refuses, scriptedChannels } from './scripted-channel.ts';

// A provider that supports it gets a report when a code that it delivered was verified.
const channels = scriptedChannels();
const service = useService({ providers: channels });
const CONCURRENT_MAX = 16;
let reported: { providerId: string; code: string }[] = [];
let reporting: () => Promise<void>;
let ids = 0;

const provider: Provider = {
  ...openTelegramGateway({ token: 'no token' }, TOOLS),
  reportVerified(verified) {
    reported.push(verified);
    return reporting();
  },
};

beforeEach(() => {
  reported = [];
  reporting = () => Promise.resolve();
  service.ctx.onVerified = reportVerifiedTo([provider], service.ctx);
});

/** Sends a code, by default by Telegram. `carrier` is the provider that accepts it. */
async function sendCode({ channel = 'telegram', carrier = 'telegram-gateway' } = {}) {
  const [key, phone, id] = [await service.key(), service.phone(), String(++ids)];
  for (const scripted of Object.values(channels)) {
    scripted.onSend(phone, () => ({ result: 'accepted', providerId: `${carrier}:${id}` }));
  }
  if (channel === 'auto') channels.whatsapp.onSend(phone, refuses);
  const sent = await service.call('/otp/send', { phone, channel }, key);
  assert.equal(sent.status, 200);
  const code = String(
    Object.values(channels)
      .flatMap((scripted) => scripted.sentTo(phone))
      .at(-1)?.code,
  );
  const verify = async (guess = code) =>
    (await service.call('/otp/verify', { phone, code: guess }, key)).status;
  return { id, code, verify };
}

const waitForReports = (count: number) =>
  until(`${count} reports`, async () => reported.length >= count);
/**
 * Waits for the report of a later code: an unexpected report would hardly come after it. Two reports
 * are looked up at once, and may pass each other.
 */
async function assertReported(expected: object[]) {
  const last = await sendCode();
  assert.equal(await last.verify(), 200);
  await waitForReports(expected.length + 1);
  const byId = reported.toSorted((a, b) => Number(a.providerId) - Number(b.providerId));
  assert.deepEqual(byId, [...expected, { providerId: last.id, code: last.code }]);
}

test('a report has the id of the provider and is sent once, for the right code only', async () => {
  const { id, code, verify } = await sendCode();
  const wrong = code === '000000' ? '111111' : '000000';
  assert.equal(await verify(wrong), 422);
  assert.equal(await verify(`${code.slice(0, 3)}-${code.slice(3)}`), 200);
  assert.equal(await verify(), 422);
  await assertReported([{ providerId: id, code }]);
});

test('a code that another channel refused first is reported', async () => {
  const { id, code, verify } = await sendCode({ channel: 'auto' });
  assert.equal(await verify(), 200);
  await assertReported([{ providerId: id, code }]);
});

test('a code that another provider delivered is not reported', async () => {
  const { verify } = await sendCode({ carrier: 'telegram-bot' });
  assert.equal(await verify(), 200);
  await assertReported([]);
});

test('a code of a test key is not reported', async () => {
  const [key, phone] = [await service.key({ isTest: true }), service.phone()];
  await service.call('/otp/send', { phone, channel: 'telegram' }, key);
  const code = service.readSentCode(key, phone);
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
  await assertReported([]);
});

test('verification does not wait for reports, and only a few run at once', async () => {
  const hanging = Promise.withResolvers<void>();
  reporting = () => hanging.promise;
  const codes = await runConcurrently(CONCURRENT_MAX + 5, () => sendCode());
  const statuses = await Promise.all(codes.map(({ verify }) => verify()));
  assert.deepEqual(new Set(statuses), new Set([200]));
  await waitForReports(CONCURRENT_MAX);
  assert.equal(reported.length, CONCURRENT_MAX);
  hanging.resolve();
  await hanging.promise;
  const { id, verify } = await sendCode();
  assert.equal(await verify(), 200);
  await waitForReports(CONCURRENT_MAX + 1);
  assert.equal(reported.at(-1)?.providerId, id);
});

test('a failing report does not affect verification', async () => {
  reporting = () => Promise.reject(new Error('a bug in the adapter'));
  for (let i = 0; i <= CONCURRENT_MAX; i++) assert.equal(await (await sendCode()).verify(), 200);
  await waitForReports(CONCURRENT_MAX + 1);
});

test('no hook is installed when no provider takes reports', () => {
  const { reportVerified: _, ...withoutReports } = provider;
  assert.equal(reportVerifiedTo([withoutReports], service.ctx), undefined);
});

test('a code whose send was not answered is not reported, because its id is unknown', async () => {
  const [key, phone] = [await service.key(), service.phone()];
  channels.telegram.onSend(phone, () => ({
    result: 'unknown',
    reason: 'Связь оборвалась',
    provider: 'telegram-gateway',
  }));
  const sent = await service.call('/otp/send', { phone, channel: 'telegram' }, key);
  assert.equal(sent.body.error_code, 'delivery_unconfirmed');
  const code = String(channels.telegram.sentTo(phone)[0]?.code);
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
  await assertReported([]);
});
