import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { scriptedChannels } from '../delivery/scripted-channel.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });
const cabinet = createCabinetClient(service);

async function send(path: string, body: object = {}) {
  const key = await service.key();
  const phone = service.phone();
  const answer = await service.call(path, { phone, ...body }, key);
  assert.equal(answer.status, 200);
  const owner = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  return { key, phone, owner, id: answer.body.message_id as MessageId, answer };
}

type Owner = { cookie: string };
const readDetail = async (owner: Owner, id: string) =>
  (await cabinet.as(owner).call(M.message, { params: { id } })).ok();

const report = (key: TestKey, id: MessageId, attempt: number, receipt: 'delivered' | 'failed') =>
  recordReceipt(service.ctx, {
    ref: { companyId: key.companyId, messageId: id, attempt },
    receipt,
    ...(receipt === 'failed' && { reason: 'Абонент недоступен' }),
  });

test('a message with fallbacks shows every channel, its cost and late receipts', async () => {
  const { key, phone, owner, id, answer } = await send('/otp/send', { purpose: 'login' });
  await service.passTime(32);
  await watchOnce(service.ctx);
  await report(key, id, 2, 'failed');
  await until('SMS accepts', async () => (await readDetail(owner, id)).channel === 'sms');
  await report(key, id, 1, 'delivered');

  const detail = await readDetail(owner, id);
  assert.equal(detail.state, 'delivered');
  assert.equal(detail.cost, 3, 'WhatsApp has delivered, so its charge stays');
  assert.equal(detail.request_id, answer.headers['x-request-id']);
  assert.equal(detail.fallback_seconds, 30);
  assert.equal(detail.body, null);
  assert.deepEqual(detail.route, ['whatsapp', 'telegram', 'sms']);
  assert.deepEqual(
    detail.path.map(({ channel, outcome }) => `${channel} ${outcome}`),
    ['whatsapp delivered', 'telegram failed', 'sms accepted'],
  );
  const steps = detail.steps.map(({ step, channel, cost, reason, is_late }) =>
    [step, channel, cost, reason, is_late && 'late'].filter((fact) => fact || fact === 0).join(' '),
  );
  assert.deepEqual(steps, [
    'accepted',
    'attempt whatsapp',
    'sent whatsapp 3',
    'fallback telegram',
    'sent telegram 0',
    'failed telegram Абонент недоступен',
    'fallback sms',
    'sent sms 0',
    'delivered whatsapp late',
  ]);
  const code = channels.sms.sentTo(phone)[0]?.code as string;
  assert.doesNotMatch(JSON.stringify(detail), new RegExp(code));
  assert.equal(
    (await service.call('/otp/verify', { phone, purpose: 'login', code }, key)).status,
    200,
  );
  assert.equal((await readDetail(owner, id)).steps.at(-1)?.step, 'verified');
});

test('the detail shows how long another code must wait', async () => {
  const { owner, id } = await send('/otp/send');
  const { resend_after } = await readDetail(owner, id);
  assert(resend_after > 50 && resend_after <= 60, `${resend_after}`);
  await service.passTime(40);
  assert.equal((await readDetail(owner, id)).resend_after, resend_after - 40);
  await service.passTime(30);
  assert.equal((await readDetail(owner, id)).resend_after, 0);
});

test('a sent link shows its text, the first click of a person and the number of clicks', async () => {
  const { key, owner, id, answer } = await send('/links/send', {
    channel: 'sms',
    url: 'https://example.kz/a',
    text: 'Ваш заказ готов',
  });
  const before = await readDetail(owner, id);
  assert.equal(before.clicks, 0);
  assert.equal(before.short_url, answer.body.short_url);
  assert.match(before.body ?? '', /Ваш заказ готов/);
  assert.equal(before.resend_after, 0);
  await service.sql(
    `insert into click (slug_key, company_id, message_id, at, is_robot)
     select slug_key, company_id, message_id, clock_timestamp() + n * interval '1 second', n < 2
     from link, generate_series(0, 4) as n where company_id = $1`,
    [key.companyId],
  );
  const { clicks, steps } = await readDetail(owner, id);
  assert.equal(clicks, 3);
  assert.equal(steps.filter(({ step }) => step === 'clicked').length, 1);
  assert.match(steps.at(-1)?.text ?? '', /3/);
});

test('an unknown id, an invalid id and a message of another company are not found', async () => {
  const { id } = await send('/otp/send');
  const stranger = await cabinet.person({ role: 'owner' });
  for (const asked of [id, newId(Date.now()), 'x', '%00', "' or 1=1 --", '..', '0'.repeat(36)]) {
    const answer = await cabinet.as(stranger).call(M.message, { params: { id: asked } });
    answer.refused('not_found');
  }
});
