/** Prices of everybody and the registry of sender names, as operators change them. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_PRICE_ENDPOINTS as E } from '@zhiber/contract/admin/prices.ts';
import { setPrice } from '../../src/billing/manage-prices.ts';
import { chooseSenderName } from '../../src/company/choose-sender-name.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp } from './admin-client.ts';

const service = useService();
const { as, operator } = createAdminClient(service);
let who: OperatorWithApp;
beforeEach(async () => {
  who ??= await operator();
});

const prices = async () => (await as(who).call(E.prices)).ok();
const acts = async (
  action: 'price.set' | 'price.withdrawn' | 'sender.registered' | 'sender.removed',
) => (await as(who).call(A.audit, { query: { action } })).ok().rows;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a price of everybody', () => {
  test('holds at once, with its history and who set it', async () => {
    const { prices: before } = await prices();
    const { id } = (await as(who).call(E.setPrice, { body: { item: 'sms', tokens: 12 } })).ok();
    const after = await prices();
    assert.deepEqual(after.prices, { ...before, sms: 12 });
    const version = after.history.find((one) => one.id === id);
    assert.deepEqual(
      [version?.state, version?.tokens, version?.company, version?.set_by],
      ['holds', 12, null, 'Оператор 1'],
    );
    assert.equal(
      after.history.find((one) => one.item === 'sms' && one.state === 'past')?.tokens,
      8,
    );
    const [act] = await acts('price.set');
    assert.deepEqual(
      [act?.object, act?.before, act?.after?.tokens, act?.company],
      ['sms', { tokens: 8 }, 12, null],
    );
  });

  test('for later is withdrawn before it holds, once', async () => {
    const body = { item: 'telegram', tokens: 5, from: inDays(2) } as const;
    const { id, valid_from } = (await as(who).call(E.setPrice, { body })).ok();
    assert.equal(valid_from, body.from);
    assert.equal((await prices()).prices.telegram, 3);
    assert.equal((await prices()).history.find((one) => one.id === id)?.state, 'future');
    const withdraw = () => as(who).call(E.withdrawPrice, { params: { id } });
    const answers = await runConcurrently(6, withdraw);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    (await withdraw()).refused('price_holds');
    const version = (await prices()).history.find((one) => one.id === id);
    assert.deepEqual([version?.state, version?.withdrawn_by], ['withdrawn', 'Оператор 1']);
    assert.equal((await acts('price.withdrawn')).length, 1);
    const holding = (await prices()).history.find((one) => one.state === 'holds');
    const held = { params: { id: holding?.id as number } };
    (await as(who).call(E.withdrawPrice, held)).refused('price_holds');
    (await as(who).call(E.withdrawPrice, { params: { id: 999_999 } })).refused('not_found');
  });

  test('is neither set for the past nor to what is no price', async () => {
    const set = (body: object) =>
      as(who).call(E.setPrice, { body: { item: 'sms', ...body } as never });
    (await set({ tokens: 9, from: inDays(-1) })).refused('validation_error');
    for (const tokens of [-1, 1_000_001, 2.5, '9', undefined]) {
      (await set({ tokens })).refused('validation_error');
    }
    (await set({ tokens: 9, item: 'fax' })).refused('validation_error');
  });

  test('shows beforehand whom it reaches, and who pays a price of their own', async () => {
    const companyId = await service.company();
    await service.sql(`update company set name = 'Magnum' where id = $1`, [companyId]);
    const key = await service.key({ isTest: false, balance: 500 });
    await service.call('/otp/send', { phone: service.phone(), channel: 'whatsapp' }, key);
    const preview = async () =>
      (await as(who).call(E.previewPrice, { query: { item: 'whatsapp' } })).ok();
    const before = await preview();
    await setPrice(service.ctx, {}, { item: 'whatsapp', companyId, tokens: 2, by: 'Оператор 1' });
    const after = await preview();
    assert.deepEqual(after.other_prices, [
      { company: { id: companyId, name: 'Magnum' }, tokens: 2 },
    ]);
    assert.deepEqual(
      [after.before, after.companies, after.sends, after.days],
      [3, before.companies - 1, 1, 7],
    );
    const own = (await prices()).history.find(({ company }) => company !== null);
    assert.deepEqual(own?.company, { id: companyId, name: 'Magnum' });
  });

  test('of one company is withdrawn here as on its page, by name alone in the log of the company', async () => {
    const companyId = await service.company();
    const from = new Date(inDays(2));
    const own = { item: 'sms', companyId, tokens: 5, from, by: 'Оператор 1' } as const;
    const set = await setPrice(service.ctx, {}, own);
    assert(set.result === 'set');
    (await as(who).call(E.withdrawPrice, { params: { id: set.id } })).ok();
    const [act, ...others] = (
      await as(who).call(A.audit, { query: { company_id: companyId } })
    ).ok().rows;
    assert.partialDeepStrictEqual(act, {
      action: 'company.price_withdrawn',
      object: 'Тест',
      company: { id: companyId },
      before: { item: 'sms', tokens: 5 },
    });
    assert.deepEqual(others, []);
    const log = await service.sql<{ action: string; person_name: string; address: string | null }>(
      'select action, person_name, address from audit_record where company_id = $1 order by id',
      [companyId],
    );
    assert.deepEqual(log[1], {
      action: 'price.withdrawn',
      person_name: 'Оператор 1',
      address: null,
    });
  });
});

describe('a sender name', () => {
  test('is registered once, listed with who uses it, and removed when nobody does', async () => {
    const companyId = await service.company();
    const add = (name: string, note?: string) =>
      as(who).call(E.addSenderName, { body: { name, ...(note && { note }) } });
    const remove = (name: string) => as(who).call(E.removeSenderName, { params: { name } });
    (await add('Magnum Info', 'договор 12')).ok();
    (await add('Magnum Info')).refused('name_taken');
    for (const wrong of ['12345', 'аа', 'Магнум', 'a'.repeat(12), ' Magnum']) {
      (await add(wrong)).refused('validation_error');
    }
    await chooseSenderName(service.ctx, {}, { companyId, name: 'Magnum Info' });
    const { names } = (await as(who).call(E.senderNames)).ok();
    assert.deepEqual(
      names.map(({ name, note, companies }) => ({ name, note, companies })),
      [{ name: 'Magnum Info', note: 'договор 12', companies: [companyId] }],
    );
    (await remove('Magnum Info')).refused('changed_meanwhile');
    await chooseSenderName(service.ctx, {}, { companyId, name: null });
    (await remove('Magnum Info')).ok();
    (await remove('Magnum Info')).refused('not_found');
    assert.deepEqual((await as(who).call(E.senderNames)).ok().names, []);
    assert.deepEqual(
      [(await acts('sender.registered')).length, (await acts('sender.removed')).length],
      [1, 1],
    );
  });
});
