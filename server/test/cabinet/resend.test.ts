import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { type TestKey, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const URL = 'https://shop.kz/orders/42?from=sms';

const bodyOf = async (id: unknown) =>
  (await service.sql<{ body: string }>('select body from message where id = $1', [id]))[0]?.body;

async function sendLink(key: TestKey, text = 'Заказ готов: :link, ждём вас') {
  const phone = service.phone();
  const request = { phone, url: URL, channel: 'telegram', text };
  const { body } = await service.call('/links/send', request, key);
  assert.equal(body.success, true, JSON.stringify(body));
  return { phone, id: body.message_id as string };
}

describe('a message with a link', () => {
  test('is sent again with its text, by the channel that was chosen, at the usual price', async () => {
    const key = await service.key({ balance: 20 });
    const { id, phone } = await sendLink(key);
    const who = await cabinet.person({ companyId: key.companyId, role: 'developer' });
    const resend = { params: { id }, body: { channel: 'sms' } } as const;
    const again = (await cabinet.as(who).call(M.resendMessage, resend)).ok();
    assert.deepEqual([again.status, again.body.channel, again.body.cost], [200, 'sms', 8]);
    assert.equal(await service.balance(key.companyId).then(({ balance }) => balance), 20 - 3 - 8);

    const short = /https?:\/\/[^\s,]+/;
    const [before, after] = [await bodyOf(id), await bodyOf(again.body.message_id)];
    assert.equal(after?.replace(short, 'X'), 'Заказ готов: X, ждём вас');
    assert.notEqual(before, after, 'the clicks of each are counted by a link of its own');
    const [link] = await service.sql('select url from link where message_id = $1', [
      again.body.message_id,
    ]);
    assert.deepEqual(link, { url: URL });
    const [sent] = await service.sql('select recipient::text as phone from message where id = $1', [
      again.body.message_id,
    ]);
    assert.deepEqual(sent, { phone: phone.slice(1) }, 'the person need not see the phone in full');
    const [record] = await service.sql(
      `select after from audit_record where company_id = $1 and action = 'message.resent'`,
      [key.companyId],
    );
    assert.deepEqual(record, { after: { channel: 'sms' } });
  });

  test('is refused as any send is, when there is no money for it', async () => {
    const key = await service.key({ balance: 5 });
    const { id } = await sendLink(key);
    const who = await cabinet.person({ companyId: key.companyId, role: 'manager' });
    const resend = { params: { id }, body: { channel: 'sms' } } as const;
    const refused = (await cabinet.as(who).call(M.resendMessage, resend)).ok();
    assert.deepEqual([refused.status, refused.body.error_code], [402, 'insufficient_tokens']);
  });

  test('is not sent again by a key that was revoked, nor by another company', async () => {
    const key = await service.key();
    const { id } = await sendLink(key);
    const resend = { params: { id }, body: { channel: 'sms' } } as const;
    const stranger = await cabinet.person({ role: 'owner' });
    (await cabinet.as(stranger).call(M.resendMessage, resend)).refused('not_found');
    await markKeyRevoked(service.ctx.db, key);
    const who = await cabinet.person({ companyId: key.companyId, role: 'owner' });
    (await cabinet.as(who).call(M.resendMessage, resend)).refused('key_not_active');
    const detail = (await cabinet.as(who).call(M.message, { params: { id } })).ok();
    assert.deepEqual(detail.other_channels, []);
  });
});

test('a code is never sent again by the cabinet', async () => {
  const key = await service.key();
  const { body } = await service.call('/otp/send', { phone: service.phone() }, key);
  const who = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  const resend = { params: { id: body.message_id as string }, body: { channel: 'sms' } } as const;
  (await cabinet.as(who).call(M.resendMessage, resend)).refused('not_found');
});

test('the other channels of a message are those of its key that were not tried for it', async () => {
  const cases = [
    [['whatsapp', 'telegram', 'sms'], false, ['whatsapp 3', 'sms 8']],
    [['telegram', 'sms'], false, ['sms 8']],
    [['telegram'], false, []],
    [['sms', 'telegram'], true, ['sms 0']],
  ] as const;
  for (const [channels, isTest, expected] of cases) {
    const key = await service.key({ channels, isTest });
    const { id } = await sendLink(key);
    const who = await cabinet.person({ companyId: key.companyId, role: 'viewer' });
    const { other_channels: other } = (
      await cabinet.as(who).call(M.message, { params: { id } })
    ).ok();
    assert.deepEqual(
      other.map(({ channel, price }) => `${channel} ${price}`),
      expected,
    );
  }
});
