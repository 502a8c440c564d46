import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPrice } from '../../src/billing/manage-prices.ts';
import type { AcceptanceQuery } from '../../src/channels/channel.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { CompanyId } from '../../src/ids.ts';
import { runConcurrently, type TestKey } from '../harness.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import { claimThenDie, readMessage, reserveThenDie, sendCode } from './dead-process.ts';
import { countSends, scriptedChannel, scriptedChannels } from './scripted-channel.ts';

/** The phones whose messages each channel reports as accepted. */
const acceptedPhones = {
  whatsapp: new Set<string>(),
  telegram: new Set<string>(),
  sms: new Set<string>(),
};
const queries: AcceptanceQuery[] = [];

/** WhatsApp can be retried and queried, SMS can only be queried, Telegram neither. */
const channels = scriptedChannels();
for (const name of ['whatsapp', 'sms'] as const) {
  const channel = scriptedChannel(name);
  channels[name] = {
    ...channel,
    ...(name === 'whatsapp' && { recover: channel.send }),
    async findAccepted(query) {
      queries.push(query);
      const phone = 'phone' in query.to ? `+${query.to.phone}` : '';
      if (!acceptedPhones[name].has(phone)) return undefined;
      return { result: 'accepted', providerId: `${name}-of-${phone}` };
    },
  };
}
const { service, restarted } = useRestartedService(channels);

/** Runs the watch in another process, after the lease of the dead one. */
async function watchLater() {
  await service.passTime(40);
  await watchOnce(restarted());
}

type Repeat = { key: TestKey; phone: string; idempotencyKey: string };

/** A send whose process died between reserving and settling. */
async function crashSend({
  isRepeatable = false,
  prices = [3, 3, 8],
  companyId,
}: {
  isRepeatable?: boolean;
  prices?: number[];
  companyId?: CompanyId;
} = {}) {
  const key = await service.key(companyId === undefined ? {} : { companyId });
  const phone = service.phone();
  const id = await reserveThenDie(service, { key, phone, code: '246810', prices });
  const idempotencyKey = `key-of-${id}`;
  if (isRepeatable) {
    await service.sql(
      `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at)
       values ($1, '/otp/send', $2, $3, $4, clock_timestamp())`,
      [
        key.keyId,
        idempotencyKey,
        service.ctx.secrets.macOfBody(JSON.stringify({ phone, channel: 'auto' })),
        id,
      ],
    );
  }
  return { key, phone, id, idempotencyKey, message: () => readMessage(service, key, id) };
}

const repeat = ({ key, phone, idempotencyKey }: Repeat) =>
  service.call(
    '/otp/send',
    { phone, channel: 'auto' },
    { ...key, headers: { 'idempotency-key': idempotencyKey } },
  );

test('a crashed send without an Idempotency-Key is not charged and not sent again', async () => {
  const lost = await crashSend();
  acceptedPhones.whatsapp.add(lost.phone);
  await watchLater();
  await watchOnce(service.ctx);
  const { state, channel, charged, route } = await lost.message();
  assert.deepEqual(
    { state, channel, charged, route },
    { state: 'unknown', channel: null, charged: 0, route: '' },
  );
  assert.deepEqual(countSends(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('a crashed send with an Idempotency-Key is charged once when its channel had accepted it', async () => {
  const lost = await crashSend({ isRepeatable: true });
  acceptedPhones.whatsapp.add(lost.phone);
  const early = await repeat(lost);
  assert.equal(early.body.error_code, 'request_in_progress');
  await watchLater();
  const { state, channel, charged, route } = await lost.message();
  assert.deepEqual({ state, channel, charged }, { state: 'sent', channel: 'whatsapp', charged: 3 });
  assert.equal(route, 'telegram,sms', 'the remaining channels are kept for a fallback');
  assert.deepEqual(countSends(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 47, held: 0 });

  const answer = await repeat(lost);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    { message_id: answer.body.message_id, cost: answer.body.cost },
    { message_id: lost.id, cost: 3 },
  );
});

test('a repeat that is answered after fallbacks costs what the first channel did, until a dearer one delivers', async () => {
  const lost = await crashSend({ isRepeatable: true });
  acceptedPhones.whatsapp.add(lost.phone);
  await watchLater();
  await watchLater();
  await watchLater();
  assert.deepEqual(countSends(channels, lost.phone), { whatsapp: 0, telegram: 1, sms: 1 });
  const answer = await repeat(lost);
  const { channel, cost, balance } = answer.body;
  assert.deepEqual({ channel, cost, balance }, { channel: 'sms', cost: 3, balance: 47 });

  const ref = { companyId: lost.key.companyId, messageId: lost.id, attempt: 3 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 42, held: 0 });
  assert.deepEqual((await repeat(lost)).body, answer.body, 'the first answer again');
});

test('a crashed send is charged by the price of its company when it was made', async () => {
  const companyId = await service.company();
  const setOwn = (tokens: number) =>
    setPrice(service.ctx, {}, { item: 'whatsapp', companyId, tokens, by: 'тест' });
  await setOwn(2);
  const lost = await crashSend({ isRepeatable: true, companyId, prices: [2, 3, 8] });
  await setOwn(6);
  acceptedPhones.whatsapp.add(lost.phone);
  await watchLater();
  assert.equal((await lost.message()).charged, 2);
  assert.deepEqual(await service.balance(companyId), { balance: 48, held: 0 });
});

test('a crashed send whose caller got an error is not charged, even when its channel had accepted it', async () => {
  const lost = await crashSend({ isRepeatable: true });
  acceptedPhones.whatsapp.add(lost.phone);
  await service.sql(`update idempotency set status = 504, answer = '{}' where subject = $1`, [
    lost.id,
  ]);
  await watchLater();
  const { state, charged } = await lost.message();
  assert.deepEqual({ state, charged }, { state: 'unknown', charged: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('a crashed send that a later channel accepted is found by the number of that attempt', async () => {
  const lost = await crashSend({ isRepeatable: true });
  acceptedPhones.sms.add(lost.phone);
  await watchLater();
  const { state, channel, charged, attempt } = await lost.message();
  assert.deepEqual(
    { state, channel, charged, attempt },
    { state: 'sent', channel: 'sms', charged: 8, attempt: 3 },
  );
  const ownQueries = queries.filter(({ ref }) => ref.messageId === lost.id);
  assert.deepEqual(
    ownQueries.map(({ ref, content }) => [ref.attempt, content]),
    [
      [1, 'code'],
      [3, 'code'],
    ],
  );
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 42, held: 0 });
});

test('a crashed send that no channel accepted is unknown and free, and a repeat gets delivery_unconfirmed', async () => {
  const lost = await crashSend({ isRepeatable: true });
  await watchLater();
  assert.equal((await lost.message()).state, 'unknown');
  assert.deepEqual(countSends(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  for (let times = 0; times < 2; times++) {
    const answer = await repeat(lost);
    assert.equal(answer.body.error_code, 'delivery_unconfirmed');
  }
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('until the crashed send is settled a repeat gets 409, also after the idempotency claim has expired', async () => {
  const lost = await crashSend({ isRepeatable: true });
  acceptedPhones.whatsapp.add(lost.phone);
  // The claim is 25 s old, and the first look at the message comes after 31 s.
  await service.passTime(25);
  const early = await repeat(lost);
  assert.equal(early.status, 409);
  assert.equal(early.body.error_code, 'request_in_progress');
  await watchLater();
  assert.equal((await repeat(lost)).status, 200);
});

test('a send that was refused before any channel was called is sent by its repeat', async () => {
  const lost = await crashSend({ isRepeatable: true });
  const { companyId, keyId } = lost.key;
  const recipient = lost.phone.slice(1);
  await refuseSends(service.ctx.db, [
    {
      companyId,
      keyId,
      id: lost.id,
      kind: 'otp',
      isTest: false,
      recipient,
      requestId: 'req_dead',
      hasLeft: false,
    },
  ]);
  await service.passTime(25);
  const answer = await repeat(lost);
  assert.equal(answer.status, 200);
  assert.notEqual(answer.body.message_id, lost.id);
  assert.equal(channels.whatsapp.sentTo(lost.phone).length, 1);
  assert.deepEqual(await service.balance(companyId), { balance: 47, held: 0 });
  assert.deepEqual((await repeat(lost)).body.message_id, answer.body.message_id);
});

test('a channel that costs more than the hold is not charged', async () => {
  // The balance covered only the two channels that cost 3.
  const lost = await crashSend({ isRepeatable: true, prices: [3, 3] });
  acceptedPhones.sms.add(lost.phone);
  await watchLater();
  const { state, charged } = await lost.message();
  assert.deepEqual({ state, charged }, { state: 'unknown', charged: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('two nodes that recover the same send at once charge it once', async () => {
  const lost = await runConcurrently(20, () => crashSend({ isRepeatable: true }));
  for (const { phone } of lost) acceptedPhones.whatsapp.add(phone);
  const ctx = restarted();
  await service.passTime(40);
  await runConcurrently(4, (index) => watchOnce(index % 2 === 0 ? ctx : service.ctx));
  for (const { key, message } of lost) {
    assert.equal((await message()).state, 'sent');
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  }
});

for (const isSuspended of [false, true]) {
  const what = isSuspended ? 'is not resumed for a suspended company' : 'is resumed';
  test(`a fallback of a dead process whose adapter can repeat it ${what}`, async () => {
    const sent = await sendCode(service, { channels: ['telegram', 'whatsapp'] });
    const message = await readMessage(service, sent.key, sent.id);
    await claimThenDie(service, message, { channel: 'whatsapp', route: '', price: 3 });
    const { companyId } = sent.key;
    if (isSuspended) await suspendCompany(service.ctx, { companyId, reason: 'жалобы' });
    await watchLater();
    const counts = { telegram: 1, whatsapp: isSuspended ? 0 : 1, sms: 0 };
    assert.deepEqual(countSends(channels, sent.phone), counts);
  });
}

test('an adapter that cannot recover an attempt leaves it unknown', async () => {
  const { attempts } = await deliver(
    service.ctx,
    {
      ref: { companyId: 1 as never, messageId: 'none' as never, attempt: 1 },
      keyId: 1,
      isTest: false,
      to: { phone: '77010000001' as never },
      content: 'code',
      language: 'ru',
      compose: () => ({ text: '' }),
    },
    [{ channel: 'telegram', price: 3 }],
    'recover',
  );
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ['unknown'],
  );
});
