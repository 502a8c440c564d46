import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AcceptanceQuestion } from '../../src/channels/channel.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type TestKey, together, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { readMessage, reserveThenDie } from './dead-process.ts';
import { countsFor, scriptedChannel, scriptedChannels } from './scripted-channel.ts';

/** Whose messages each channel has, as it says when it is asked. */
const taken = { whatsapp: new Set<string>(), telegram: new Set<string>(), sms: new Set<string>() };
const questions: AcceptanceQuestion[] = [];

/** WhatsApp knows a repeat for what it is and can be asked, SMS can be asked, Telegram can do neither. */
const channels = scriptedChannels();
for (const name of ['whatsapp', 'sms'] as const) {
  const channel = scriptedChannel(name);
  channels[name] = {
    ...channel,
    ...(name === 'whatsapp' && { recover: channel.send }),
    async findAccepted(question) {
      questions.push(question);
      const phone = 'phone' in question.to ? `+${question.to.phone}` : '';
      if (!taken[name].has(phone)) return undefined;
      return { result: 'accepted', providerId: `${name}-of-${phone}` };
    },
  };
}
const service = useService({ providers: channels });
let opened: OpenedContext | undefined;
after(async () => opened?.close());

/** Another process, in which the watch finds what the dead one left. */
async function watchLater() {
  opened ??= openContext(service, channels);
  await service.passTime(40);
  await watchOnce(opened.ctx);
}

type Repeat = { key: TestKey; phone: string; idempotencyKey: string };

/** A process that reserves a send and dies before it has settled it. */
async function die({ isRepeatable = false, prices = [3, 3, 8] } = {}) {
  const key = await service.key();
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

test('a send that nobody was told of is free and is not sent, whatever its channels could do', async () => {
  const lost = await die();
  taken.whatsapp.add(lost.phone);
  await watchLater();
  await watchOnce(service.ctx);
  const { state, channel, charged, route } = await lost.message();
  assert.deepEqual(
    { state, channel, charged, route },
    { state: 'unknown', channel: null, charged: 0, route: '' },
  );
  assert.deepEqual(countsFor(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('one with an Idempotency-Key is charged once where its channel says that it has it', async () => {
  const lost = await die({ isRepeatable: true });
  taken.whatsapp.add(lost.phone);
  const early = await repeat(lost);
  assert.equal(early.body.error_code, 'request_in_progress');
  await watchLater();
  const { state, channel, charged, route } = await lost.message();
  assert.deepEqual({ state, channel, charged }, { state: 'sent', channel: 'whatsapp', charged: 3 });
  assert.equal(route, 'telegram,sms', 'and may fall back');
  assert.deepEqual(countsFor(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 47, held: 0 });

  const answer = await repeat(lost);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    { message_id: answer.body.message_id, cost: answer.body.cost },
    { message_id: lost.id, cost: 3 },
  );
});

test('one whose caller was answered with a failure is free, whatever its channel says', async () => {
  const lost = await die({ isRepeatable: true });
  taken.whatsapp.add(lost.phone);
  await service.sql(`update idempotency set status = 504, answer = '{}' where subject = $1`, [
    lost.id,
  ]);
  await watchLater();
  const { state, charged } = await lost.message();
  assert.deepEqual({ state, charged }, { state: 'unknown', charged: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('the channel that has it may be a later one, asked by the number of its attempt', async () => {
  const lost = await die({ isRepeatable: true });
  taken.sms.add(lost.phone);
  await watchLater();
  const { state, channel, charged, attempt } = await lost.message();
  assert.deepEqual(
    { state, channel, charged, attempt },
    { state: 'sent', channel: 'sms', charged: 8, attempt: 3 },
  );
  const asked = questions.filter(({ ref }) => ref.messageId === lost.id);
  assert.deepEqual(
    asked.map(({ ref, load }) => [ref.attempt, load]),
    [
      [1, 'code'],
      [3, 'code'],
    ],
  );
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 42, held: 0 });
});

test('one that no channel has is unknown and free, and so is its repeat answered', async () => {
  const lost = await die({ isRepeatable: true });
  await watchLater();
  assert.equal((await lost.message()).state, 'unknown');
  assert.deepEqual(countsFor(channels, lost.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  for (let times = 0; times < 2; times++) {
    const answer = await repeat(lost);
    assert.equal(answer.body.error_code, 'delivery_unconfirmed');
  }
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('before it is settled a repeat is told to wait, also after its claim has run out', async () => {
  const lost = await die({ isRepeatable: true });
  taken.whatsapp.add(lost.phone);
  // The claim is 25 s old, and the first look at the message comes after 31 s.
  await service.passTime(25);
  const early = await repeat(lost);
  assert.equal(early.status, 409);
  assert.equal(early.body.error_code, 'request_in_progress');
  await watchLater();
  assert.equal((await repeat(lost)).status, 200);
});

test('one that was refused before any channel was asked is tried again by its repeat', async () => {
  const lost = await die({ isRepeatable: true });
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

test('a channel dearer than what was held is not charged', async () => {
  // Two channels of 3 were all there was money for.
  const lost = await die({ isRepeatable: true, prices: [3, 3] });
  taken.sms.add(lost.phone);
  await watchLater();
  const { state, charged } = await lost.message();
  assert.deepEqual({ state, charged }, { state: 'unknown', charged: 0 });
  assert.deepEqual(await service.balance(lost.key.companyId), { balance: 50, held: 0 });
});

test('two nodes that find it at once charge it once', async () => {
  const lost = await together(20, () => die({ isRepeatable: true }));
  for (const { phone } of lost) taken.whatsapp.add(phone);
  opened ??= openContext(service, channels);
  await service.passTime(40);
  const { ctx } = opened;
  await together(4, (index) => watchOnce(index % 2 === 0 ? ctx : service.ctx));
  for (const { key, message } of lost) {
    assert.equal((await message()).state, 'sent');
    assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  }
});

test('the way of a fallback that cannot be taken up is not gone again', async () => {
  const { attempts } = await deliver(
    service.ctx,
    {
      ref: { companyId: 1 as never, messageId: 'none' as never, attempt: 1 },
      keyId: 1,
      isTest: false,
      to: { phone: '77010000001' as never },
      load: 'code',
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
