import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipts } from '../../src/delivery/receipt-store.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { hasLockWaiter, type TestKey, until, useService } from '../harness.ts';
import { reserveThenDie } from './dead-process.ts';
import { answersUnknown, refuses, type Script, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

type Sent = { key: TestKey; phone: string; id: MessageId; code: string };

async function send(
  options: { body?: object; script?: Script; settings?: Parameters<typeof service.key>[0] } = {},
): Promise<Sent> {
  const key = await service.key(options.settings);
  const phone = service.phone();
  if (options.script !== undefined) {
    for (const channel of Object.values(channels)) channel.onSend(phone, options.script);
  }
  const sent = await service.call('/otp/send', { phone, ...options.body }, key);
  const code = channels.whatsapp.sentTo(phone)[0]?.code as string;
  return { key, phone, id: sent.body.message_id as MessageId, code };
}

async function sealedOf({ key }: { key: TestKey }): Promise<Buffer | null | undefined> {
  const rows = await service.sql<{ sealed: Buffer | null }>(
    'select sealed from code where key_id = $1',
    [key.keyId],
  );
  return rows[0]?.sealed;
}

async function pass(seconds: number): Promise<void> {
  await service.passTime(seconds);
  await watchOnce(service.ctx);
}

test('while a fallback is possible the code is stored sealed, and nowhere in plain text', async () => {
  const sent = await send();
  const sealed = await sealedOf(sent);
  assert(sealed);
  assert.equal(service.ctx.secrets.unseal(sealed), sent.code);
  assert(!sealed.includes(sent.code));
  for (const table of [
    'message',
    'code',
    'attempt',
    'recent_sends',
    'idempotency',
    'request_log',
  ]) {
    const rows = await service.sql<{ row: string }>(
      `select (to_jsonb(t) - 'id' - 'message_id' - 'last_message')::text as row from ${table} t`,
    );
    const clear = new RegExp(`(?<![0-9a-fA-F.])${sent.code}(?![0-9a-fA-F])`);
    for (const { row } of rows) assert.doesNotMatch(row, clear, table);
  }
});

test('without a possible fallback no sealed copy is stored', async () => {
  assert.equal(await sealedOf(await send({ body: { channel: 'whatsapp' } })), null);
  const single = await send({ settings: { channels: ['whatsapp'] } });
  assert.equal(await sealedOf(single), null);
});

test('the copy is wiped when the code is verified', async () => {
  const sent = await send();
  const { phone, code } = sent;
  assert.equal((await service.call('/otp/verify', { phone, code }, sent.key)).status, 200);
  assert.equal(await sealedOf(sent), null);
});

test('a wrong guess does not wipe the copy', async () => {
  const sent = await send();
  const wrong = sent.code === '000000' ? '000001' : '000000';
  await service.call('/otp/verify', { phone: sent.phone, code: wrong }, sent.key);
  assert(await sealedOf(sent));
});

test('the copy is wiped when the message is delivered', async () => {
  const sent = await send();
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 1 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  await pass(32);
  assert.equal(await sealedOf(sent), null);
});

test('the copy is wiped when the receipt is committed while the watch waits for the message', async () => {
  const sent = await send();
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 1 };
  await service.passTime(32);
  let watching: Promise<number> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    await recordReceipts.run(tx, [{ ref, receipt: 'delivered' }]);
    watching = watchOnce(service.ctx);
    await until('the watch waits for the message', () => hasLockWaiter(service.sql));
  });
  await watching;
  assert.equal(await sealedOf(sent), null);
});

test('the copy is wiped when a status query reports the delivery', async () => {
  const sent = await send();
  channels.whatsapp.onStatusQuery(sent.phone, () => Promise.resolve({ receipt: 'delivered' }));
  await pass(32);
  await pass(32);
  assert.equal(await sealedOf(sent), null);
});

test('the copy is wiped when the code has expired', async () => {
  const sent = await send({ settings: { codeTtlSeconds: 60, fallbackSeconds: 120 } });
  await pass(125);
  assert.equal(await sealedOf(sent), null);
  assert.equal(channels.telegram.sentTo(sent.phone).length, 0);
});

test('the copy is kept during fallbacks and wiped after the last channel', async () => {
  const sent = await send();
  await pass(32);
  assert(await sealedOf(sent), 'SMS is still to come');
  await pass(32);
  await pass(32);
  assert.equal(channels.sms.sentTo(sent.phone).length, 1);
  assert.equal(await sealedOf(sent), null);
});

test('a send that every channel refused leaves no sealed copy', async () => {
  assert.equal(await sealedOf(await send({ script: refuses })), null);
});

test('the copy of a send of unknown outcome is wiped, because it is never sent again', async () => {
  const sent = await send({ script: answersUnknown });
  await pass(32);
  assert.equal(await sealedOf(sent), null);
});

test('the copy of a send whose process died is wiped', async () => {
  const key = await service.key();
  await reserveThenDie(service, { key, phone: service.phone() });
  await pass(40);
  await pass(40);
  assert.equal(await sealedOf({ key }), null);
});
