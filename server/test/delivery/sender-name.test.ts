import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chooseSenderName } from '../../src/company/choose-sender-name.ts';
import {
  deleteSenderName,
  insertSenderName,
  listSenderNames,
} from '../../src/company/sender-name-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { CompanyId } from '../../src/ids.ts';
import { advanceProcessClock, useService } from '../harness.ts';
import { openHttpRig, openMobizonRig, openSmscRig } from '../providers/provider-rigs.ts';
import { codeMessage, soon } from '../providers/rig/messages.ts';
import { startRig } from '../providers/smpp-rig.ts';
import { sendCode } from './dead-process.ts';
import { scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

const register = (name: string) => insertSenderName(service.ctx.db, { name, note: null });
const choose = (companyId: CompanyId, name: string | null) =>
  chooseSenderName(service.ctx, {}, { companyId, name });

test('an SMS comes from the name of its company within a second, and others from no name', async () => {
  await register('Magnum');
  const key = await service.key({ channels: ['sms'] });
  const senderOf = async () => {
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    return channels.sms.sentTo(phone).at(-1)?.sender;
  };
  assert.equal(await senderOf(), undefined);
  assert.equal(await choose(key.companyId, 'Magnum'), 'chosen');
  advanceProcessClock();
  assert.equal(await senderOf(), 'Magnum');
  assert.equal(await choose(key.companyId, null), 'chosen');
  advanceProcessClock();
  assert.equal(await senderOf(), undefined);
});

test('the fallback to SMS has the name, too', async () => {
  await register('Fallback');
  const { key, phone } = await sendCode(service, { channels: ['whatsapp', 'sms'] });
  await choose(key.companyId, 'Fallback');
  advanceProcessClock();
  await service.passTime(32);
  await watchOnce(service.ctx);
  assert.equal(channels.sms.sentTo(phone).at(-1)?.sender, 'Fallback');
});

test('a send takes the name from the cached key, without a query of its own', async (t) => {
  await register('Cached');
  const key = await service.key({ channels: ['sms'] });
  await choose(key.companyId, 'Cached');
  advanceProcessClock();
  await service.call('/otp/send', { phone: service.phone() }, key);
  t.after(() => service.sql('alter table company enable trigger company_suspended'));
  // Without the trigger no node learns of the change: a send that shows it has asked the database.
  await service.sql('alter table company disable trigger company_suspended');
  await service.sql('update company set sender_name = null where id = $1', [key.companyId]);
  advanceProcessClock();
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  assert.equal(channels.sms.sentTo(phone).at(-1)?.sender, 'Cached');
});

test('only a registered name can be chosen, and one in use is not removed', async () => {
  const companyId = await service.company();
  assert.equal(await choose(companyId, 'Unknown'), 'not_registered');
  assert.equal(await choose(999_999 as CompanyId, null), 'no_company');
  assert.equal(await register('Taken'), true);
  assert.equal(await register('Taken'), false);
  assert.equal(await choose(companyId, 'Taken'), 'chosen');
  assert.equal(await choose(companyId, 'Taken'), 'same');
  assert.equal(await deleteSenderName(service.ctx.db, 'Taken'), false);
  const taken = (await listSenderNames(service.ctx.db)).find(({ name }) => name === 'Taken');
  assert.deepEqual(taken?.companies, [companyId]);
  await choose(companyId, null);
  assert.equal(await deleteSenderName(service.ctx.db, 'Taken'), true);
  const events = await service.sql(
    `select action, before, after from audit_record where company_id = $1 order by id`,
    [companyId],
  );
  assert.deepEqual(events, [
    { action: 'sender.changed', before: { sender: null }, after: { sender: 'Taken' } },
    { action: 'sender.changed', before: { sender: 'Taken' }, after: { sender: null } },
  ]);
});

test('the database refuses a name that no operator takes', async () => {
  for (const name of ['Ab', 'ABCDEFGHIJKL', '12345', 'Магнум', ' Shop']) {
    await assert.rejects(register(name), /sender_name_name_check/, name);
  }
});

describe('the name of a company goes over the wire, and the configured one without it', () => {
  let texts = 0;
  // Some gateways refuse the same text twice in a minute.
  const message = (sent: { sender?: string }) =>
    codeMessage({ ...sent, text: `Код 482913 (${++texts})` });

  test('smsc', async (t) => {
    const { provider, simulator } = await openSmscRig(t, { settings: { sender: 'ZHIBER' } });
    await provider.send(message({ sender: 'Magnum' }), soon());
    await provider.send(message({}), soon());
    const senders = simulator.journal.taken().map(({ details }) => details?.sender);
    assert.deepEqual(senders, ['Magnum', 'ZHIBER']);
  });

  test('mobizon', async (t) => {
    const { provider, simulator } = await openMobizonRig(t, { settings: { sender: 'ZHIBER' } });
    await provider.send(message({ sender: 'Magnum' }), soon());
    await provider.send(message({}), soon());
    const senders = simulator.journal.taken().map(({ details }) => details?.from);
    assert.deepEqual(senders, ['Magnum', 'ZHIBER']);
  });

  test('smpp, where a name has another type of address than a number', async (t) => {
    const { provider, centre } = await startRig(t, { settings: { sender: '77010000000' } });
    await provider.send(message({ sender: 'Magnum' }), soon());
    await provider.send(message({}), soon());
    const senders = centre.journal
      .taken()
      .map(({ details }) => [details?.from, details?.sourceTon]);
    assert.deepEqual(senders, [
      ['Magnum', 5],
      ['77010000000', 1],
    ]);
  });

  test('http-sms, and http-telegram has none', async (t) => {
    const { provider, simulator } = await openHttpRig(t);
    await provider.send(message({ sender: 'Magnum' }), soon());
    await provider.send(message({}), soon());
    const senders = simulator.journal.taken().map(({ details }) => details?.sender);
    assert.deepEqual(senders, ['Magnum', undefined]);
    const telegram = await openHttpRig(t, { settings: { channel: 'telegram' } });
    await telegram.provider.send(message({ sender: 'Magnum' }), soon());
    assert.equal(telegram.simulator.journal.taken()[0]?.details?.sender, undefined);
  });
});
