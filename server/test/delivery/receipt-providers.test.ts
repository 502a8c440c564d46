import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Receipt } from '../../src/channels/channel.ts';
import { rememberIds } from '../../src/delivery/provider-id-store.ts';
import { recordIfConfirmed, recordReport } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { useService } from '../harness.ts';
import type { Sent } from './dead-process.ts';
import { type Script, scriptedChannels, throws } from './scripted-channel.ts';

// A receipt counts only for the provider that made the attempt, whoever else can sign one.
const channels = scriptedChannels();
const service = useService({ providers: channels });
const BY = { whatsapp: 'whatsapp-cloud', telegram: 'http-telegram', sms: 'http-sms' };

const acceptsAs =
  (provider: string): Script =>
  ({ ref }) => ({ result: 'accepted', providerId: `${provider}:${ref.messageId}-${ref.attempt}` });

type Reported = { receipt?: Receipt; attempt?: number };

/** Sends a code by the given channel, or by all of them in turn. */
async function send(
  scripts: Partial<Record<Channel, Script>> = {},
  channel: Channel | 'auto' = 'whatsapp',
  keyChannels: readonly Channel[] = CHANNELS,
): Promise<Sent> {
  const [key, phone] = [await service.key({ channels: keyChannels }), service.phone()];
  for (const [name, provider] of Object.entries(BY) as [Channel, string][]) {
    channels[name].onSend(phone, scripts[name] ?? acceptsAs(provider));
  }
  const sent = await service.call('/otp/send', { phone, channel }, key);
  const [stored] = await service.sql<{ id: MessageId }>(
    'select id from message where company_id = $1',
    [key.companyId],
  );
  return { key, phone, id: (sent.body.message_id ?? stored?.id) as MessageId };
}

const report = (
  { key, id }: Pick<Sent, 'key' | 'id'>,
  provider: string,
  { receipt = 'delivered', attempt = 1 }: Reported = {},
) =>
  recordReport(service.ctx, provider, {
    ref: { companyId: key.companyId, messageId: id, attempt },
    receipt,
  });

/** A channel whose acceptance is overtaken by a receipt, which this provider signs. */
const acceptsAfterReceipt =
  (accepting: string, signer: string, reported: Reported): Script =>
  async (message, signal) => {
    const { companyId, messageId } = message.ref;
    await report({ key: { companyId } as Sent['key'], id: messageId }, signer, reported);
    return await acceptsAs(accepting)(message, signal);
  };

const stateOf = async ({ key, id }: Sent) =>
  (await findTimeline(service.ctx.db, key.companyId, id))?.state;

async function fallBackInTime(): Promise<void> {
  await service.passTime(32);
  await watchOnce(service.ctx);
}

test('a receipt signed by one provider does not mark the message of another', async () => {
  const sent = await send();
  for (const receipt of ['failed', 'delivered', 'read'] as const) {
    await report(sent, BY.sms, { receipt });
    await report(sent, BY.sms, { receipt, attempt: 2 });
    await report(sent, 'whatsapp', { receipt });
    assert.equal(await stateOf(sent), 'sent');
  }
  await report(sent, BY.whatsapp);
  assert.equal(await stateOf(sent), 'delivered');
});

test('a receipt that comes before the acceptance counts only for the provider that accepts', async () => {
  const early = (signer: string) => acceptsAfterReceipt(BY.whatsapp, signer, {});
  assert.equal(await stateOf(await send({ whatsapp: early(BY.sms) })), 'sent');
  assert.equal(await stateOf(await send({ whatsapp: early(BY.whatsapp) })), 'delivered');
});

test('of two channels tried in one request, each counts the receipts of its own provider', async () => {
  const sent = await send({ whatsapp: throws }, 'auto');
  await report(sent, BY.sms, { attempt: 2 });
  await report(sent, BY.whatsapp, { attempt: 2 });
  // There was no such attempt.
  await report(sent, BY.sms, { attempt: 3 });
  await report(sent, BY.sms, { attempt: 99, receipt: 'read' });
  assert.equal(await stateOf(sent), 'sent');
  await report(sent, BY.telegram, { attempt: 2 });
  assert.equal(await stateOf(sent), 'delivered');
});

test('after a fallback, a receipt counts only for the provider of its own attempt', async () => {
  const sent = await send({}, 'auto');
  await fallBackInTime();
  await report(sent, BY.whatsapp, { attempt: 2 });
  await report(sent, BY.telegram, { attempt: 1 });
  await report(sent, BY.sms, { attempt: 3 });
  assert.equal(await stateOf(sent), 'sent');
  await report(sent, BY.telegram, { attempt: 2 });
  assert.equal(await stateOf(sent), 'delivered');
});

test('an early receipt of a fallback counts, and charges for it, only from its own provider', async () => {
  for (const [signer, state, balance] of [
    [BY.whatsapp, 'sent', { balance: 47, held: 5 }],
    [BY.sms, 'delivered', { balance: 42, held: 0 }],
  ] as const) {
    const sms = acceptsAfterReceipt(BY.sms, signer, { attempt: 2 });
    const sent = await send({ sms }, 'auto', ['whatsapp', 'sms']);
    await fallBackInTime();
    assert.equal(channels.sms.sentTo(sent.phone).length, 1);
    assert.equal(await stateOf(sent), state);
    assert.deepEqual(await service.balance(sent.key.companyId), balance);
    await report(sent, BY.sms, { attempt: 2, receipt: 'read' });
    assert.equal(await stateOf(sent), 'delivered', 'an SMS is never shown as read');
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
  }
  assert.deepEqual(await service.sql('select from early_receipt'), []);
});

test('an early failure of a fallback counts only from its own provider, and then the next channel is used', async () => {
  for (const [signer, smsCount] of [
    [BY.whatsapp, 0],
    [BY.telegram, 1],
  ] as const) {
    const reported = { attempt: 2, receipt: 'failed' } as const;
    const telegram = acceptsAfterReceipt(BY.telegram, signer, reported);
    const sent = await send({ telegram }, 'auto');
    await fallBackInTime();
    // Less than the fallback time, more than the pause after a failure.
    await service.passTime(6);
    await watchOnce(service.ctx);
    assert.equal(channels.sms.sentTo(sent.phone).length, smsCount, signer);
    await report(sent, smsCount === 0 ? BY.telegram : BY.sms, { attempt: 2 + smsCount });
    assert.equal(await stateOf(sent), 'delivered');
  }
});

test('a send whose outcome is unknown is reconciled by the provider that was asked, and by no other', async () => {
  const sent = await send({
    whatsapp: () => ({ result: 'unknown', reason: 'Связь оборвалась', provider: BY.whatsapp }),
  });
  await report(sent, BY.sms);
  assert.equal(await stateOf(sent), 'unknown');
  await report(sent, BY.whatsapp);
  assert.equal(await stateOf(sent), 'delivered');
});

test('a report without an id is ignored, also when a message was accepted without one', async () => {
  const sent = await send({ sms: () => ({ result: 'accepted', providerId: 'smsc:' }) }, 'sms');
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 1 };
  await service.ctx.db.inGroup(rememberIds, { ref, providerIds: ['smsc:'] });
  await recordReport(service.ctx, 'smsc', { providerId: '', receipt: 'delivered' });
  let questions = 0;
  const readStatus = async () => {
    questions += 1;
    return { known: 'accepted', providerId: '', receipt: 'delivered' } as const;
  };
  await recordIfConfirmed(service.ctx, { name: 'smsc', readStatus }, '');
  assert.equal(await stateOf(sent), 'sent');
  assert.equal(questions, 0);
  assert.deepEqual(
    await service.sql(`select receipt from provider_ref where provider_id = 'smsc:'`),
    [{ receipt: null }],
  );
});
