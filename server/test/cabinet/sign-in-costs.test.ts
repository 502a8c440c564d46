/** The operator pays for the codes of the sign-in page, and anybody can ask for them. */
import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { guardOnce } from '../../src/abuse/guard-rounds.ts';
import { listDecisions } from '../../src/abuse/guard-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { countSends, refuses, scriptedChannels } from '../delivery/scripted-channel.ts';
import { freshPhones, type TestKey, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const channels = scriptedChannels();
const service = useService({
  env: { TRUST_PROXY: '127.0.0.1', SIGN_IN_CODES_PER_HOUR: '8' },
  providers: channels,
});
const cabinet = createCabinetClient(service);

let addresses = 0;
/** Every request from another address: limits by network are not the ones looked at here. */
function ask(phone: string, more: { channel?: 'auto' | 'sms'; request_token?: string } = {}) {
  addresses += 1;
  return cabinet.call(S.sendPhoneCode, {
    body: { phone, ...more },
    headers: { 'x-forwarded-for': `10.7.${addresses >> 8}.${addresses & 255}` },
  });
}

const forgetCodes = () => service.sql('delete from sign_in_limit');

describe('SIGN_IN_CODES_PER_HOUR', () => {
  const [altel, beeline, kcell, tele2, izi] = ['700', '705', '702', '707', '706'].map((operator) =>
    freshPhones(`+7${operator}`),
  ) as [() => string, () => string, () => string, () => string, () => string];
  beforeEach(forgetCodes);

  test('limits the numbers of one operator to a quarter, and leaves the others theirs', async () => {
    (await ask(altel())).ok();
    (await ask(altel())).ok();
    const { retry_after: wait } = (await ask(altel())).refused('sign_in_limited');
    assert(typeof wait === 'number' && wait > 3_500 && wait <= 3_600, String(wait));
    (await ask(beeline())).ok();
    await service.passTime(3_601);
    (await ask(altel())).ok();
  });

  test('limits all codes together', async () => {
    for (const phone of [altel, beeline, kcell, tele2]) {
      (await ask(phone())).ok();
      (await ask(phone())).ok();
    }
    const phone = izi();
    (await ask(phone)).refused('sign_in_limited');
    assert.deepEqual(countSends(channels, phone), { whatsapp: 0, telegram: 0, sms: 0 });
    await service.passTime(3_601);
    (await ask(phone)).ok();
  });

  test('does not count a code that is refused as too early', async () => {
    const phone = altel();
    (await ask(phone)).ok();
    for (let i = 0; i < 10; i++) (await ask(phone)).refused('send_rate_limited');
    (await ask(altel())).ok();
    (await ask(altel())).refused('sign_in_limited');
    for (const operator of [beeline, kcell, tele2]) {
      (await ask(operator())).ok();
      (await ask(operator())).ok();
    }
    (await ask(izi())).refused('sign_in_limited');
    await service.passTime(3_601);
  });

  test('does not count a code to a number that is never served', async () => {
    for (let i = 0; i < 10; i++) (await ask('+449091234567')).refused('blocked_by_fraud_guard');
    for (const operator of [altel, beeline, kcell, tele2]) {
      (await ask(operator())).ok();
      (await ask(operator())).ok();
    }
    (await ask(izi())).refused('sign_in_limited');
    await service.passTime(3_601);
  });

  test('counts the codes that a signed-in person asks for', async () => {
    const person = await cabinet.person();
    (await cabinet.as(person).call(S.sendIdentityCode)).ok();
    await service.passTime(61);
    (await cabinet.as(person).call(S.sendIdentityCode)).ok();
    await service.passTime(61);
    (await cabinet.as(person).call(S.sendIdentityCode)).refused('sign_in_limited');
  });

  test('does not limit the codes of customers', async () => {
    const key = await service.key({ balance: 1_000 });
    for (let i = 0; i < 10; i++) {
      assert.equal((await service.call('/otp/send', { phone: altel() }, key)).status, 200);
    }
  });
});

describe('SMS', () => {
  beforeEach(forgetCodes);

  test('is not sent to who asks for it first: a messenger is', async () => {
    const phone = service.phone();
    (await ask(phone, { channel: 'sms' })).ok();
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  });

  test('is sent to the browser that a messenger was tried for', async () => {
    const phone = service.phone();
    const { request_token } = (await ask(phone)).ok();
    await service.passTime(61);
    assert.equal(
      (await ask(phone, { channel: 'sms', request_token })).ok().request_token,
      request_token,
    );
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
  });

  for (const [name, token] of [
    ['another browser', 'A'.repeat(43)],
    ['a browser without a token', undefined],
  ] as const) {
    test(`is not sent to ${name}`, async () => {
      const phone = service.phone();
      (await ask(phone)).ok();
      await service.passTime(61);
      const request = token === undefined ? {} : { request_token: token };
      (await ask(phone, { channel: 'sms', ...request })).ok();
      assert.deepEqual(countSends(channels, phone), { whatsapp: 2, telegram: 0, sms: 0 });
    });
  }

  test('is not sent for a messenger of another phone, or of long ago', async () => {
    const [phone, other] = [service.phone(), service.phone()];
    const { request_token } = (await ask(phone)).ok();
    (await ask(other, { channel: 'sms', request_token })).ok();
    assert.deepEqual(countSends(channels, other), { whatsapp: 1, telegram: 0, sms: 0 });
    await service.passTime(15 * 60 + 1);
    await forgetCodes();
    (await ask(phone, { channel: 'sms', request_token })).ok();
    assert.deepEqual(countSends(channels, phone), { whatsapp: 2, telegram: 0, sms: 0 });
  });

  test('comes last: both messengers are tried before it', async () => {
    const phone = service.phone();
    channels.whatsapp.onSend(phone, refuses);
    channels.telegram.onSend(phone, refuses);
    (await ask(phone)).ok();
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
    const [message] = channels.sms.sentTo(phone);
    assert.equal(message?.ref.attempt, 3);
  });

  test('follows when neither messenger reports a delivery', async () => {
    const phone = service.phone();
    (await ask(phone)).ok();
    const path = [];
    for (let i = 0; i < 2; i++) {
      await service.passTime(32);
      await watchOnce(service.ctx);
      path.push(countSends(channels, phone));
    }
    assert.deepEqual(path, [
      { whatsapp: 1, telegram: 1, sms: 0 },
      { whatsapp: 1, telegram: 1, sms: 1 },
    ]);
  });
});

describe('while nobody enters the codes to the numbers of an operator', () => {
  const phones = freshPhones('+7747');
  let customer: TestKey;
  before(async () => {
    customer = await service.key({ balance: 1_000 });
    const system = await service.accounts.systemKey();
    await service.sql(
      `insert into guard_count (minute, company_id, prefix, sent, verified)
       select date_trunc('minute', clock_timestamp()) - interval '5 minutes', id, '7747', 60, 0
       from unnest($1::bigint[]) as id`,
      [[customer.companyId, system.companyId]],
    );
    await guardOnce(service.ctx);
  });
  /** No messenger reaches this phone. */
  const smsOnlyPhone = () => {
    const phone = phones();
    channels.whatsapp.onSend(phone, refuses);
    channels.telegram.onSend(phone, refuses);
    return phone;
  };
  const countSms = (sent: readonly string[]) =>
    sent.reduce((sum, phone) => sum + channels.sms.sentTo(phone).length, 0);
  const actionOf = async (companyId: number) => {
    await guardOnce(service.ctx);
    const found = await listDecisions(service.ctx.db, { companyId: companyId as never, max: 1 });
    return found[0]?.action;
  };
  beforeEach(forgetCodes);

  test('the sign-in sends them no SMS, though the operator only records', async () => {
    assert.equal(service.ctx.config.pumpingGuard, 'record');
    const { companyId, isSystem } = await service.accounts.systemKey();
    assert.equal(isSystem, true);
    const tried = Array.from({ length: 8 }, smsOnlyPhone);
    for (const phone of tried) {
      await ask(phone);
      await forgetCodes();
    }
    assert.equal(countSms(tried), 1, 'one passes as a probe');
    for (const phone of tried) assert.equal(channels.telegram.sentTo(phone).length, 1);
    assert.equal(await actionOf(companyId), 'blocked');

    // Nor does it fall back to SMS later.
    const waiting = Array.from({ length: 4 }, phones);
    for (const phone of waiting) {
      (await ask(phone)).ok();
      await forgetCodes();
    }
    for (let i = 0; i < 2; i++) {
      await service.passTime(32);
      await watchOnce(service.ctx);
    }
    for (const phone of waiting) assert.equal(channels.telegram.sentTo(phone).length, 1);
    assert(countSms(waiting) <= 1, String(countSms(waiting)));
  });

  test('a customer goes on, as the operator has chosen', async () => {
    assert.equal((await service.ctx.keys.read(customer.keyId)).isSystem, false);
    const tried = Array.from({ length: 8 }, smsOnlyPhone);
    for (const phone of tried) {
      assert.equal((await service.call('/otp/send', { phone }, customer)).status, 200);
    }
    assert.equal(countSms(tried), 8);
    assert.equal(await actionOf(customer.companyId), 'recorded');
  });
});
