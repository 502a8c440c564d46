/** Each client, installed from its package into an empty project, against the sandbox. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Driver, type Outcome, startDriver, type Way } from './driver.ts';
import { useSandbox, wrongCode } from './sandbox.ts';

const { service, open } = useSandbox();
const WAYS: Way[] = ['node', 'python', 'php with curl'];

for (const [index, way] of WAYS.entries()) {
  const phone = `+7701500000${index}`;

  describe(way, () => {
    test('a newcomer sends a code, verifies it, and sends links', async (t) => {
      const driver = await startDriver(way);
      if (driver === undefined) return t.skip('not installed');
      try {
        await walk(driver, phone);
      } finally {
        await driver.close();
      }
    });
  });
}

async function walk(driver: Driver, phone: string): Promise<void> {
  const sandbox = await open();
  const client = { api_key: sandbox.key, base_url: sandbox.apiUrl };
  const call = (operation: string, request: Record<string, unknown>, more: object = {}) =>
    driver.run({ client: { ...client, ...more }, operation, request });

  assert.equal((await call('health', {})).result?.status, 'ok');

  const repeated = { phone, purpose: 'login', idempotency_key: `order ${phone}` };
  const sent = await call('send_code', repeated);
  assert.deepEqual([sent.result?.channel, sent.result?.cost], ['whatsapp', 3], told(sent));
  const again = await call('send_code', repeated);
  assert.equal(again.result?.message_id, sent.result?.message_id, 'sent twice');
  const message = await sandbox.readMessage(phone);
  assert.equal(message.count, 1);
  const early = await call('send_code', { phone, purpose: 'login' });
  assert.deepEqual(errorOf(early), ['RateLimitError', 'send_rate_limited', 429]);
  assert(Number(early.error?.retry_after) > 0 && Number(early.error?.retry_after) <= 60);

  const code = message.code ?? '';
  const wrong = await call('verify_code', { phone, code: wrongCode(code), purpose: 'login' });
  assert.deepEqual(errorOf(wrong), ['CodeError', 'invalid_code', 422]);
  assert.equal(wrong.error?.attempts_left, 4);
  assert.equal(wrong.error?.message, 'Неверный код');
  const right = await call('verify_code', { phone, code, purpose: 'login' });
  assert.deepEqual(Object.keys(right), ['result'], told(right));
  const used = await call('verify_code', { phone, code, purpose: 'login' });
  assert.deepEqual(errorOf(used), ['CodeError', 'code_already_used', 422]);

  const alias = `sale-${phone.slice(-1)}`;
  const url = 'https://example.kz/spring?a=1&b=2';
  const short = await call('shorten_link', { url, alias, expires_in: 3600 });
  assert.deepEqual([short.result?.expires_in], [3600], told(short));
  assert.match(String(short.result?.short_url), new RegExp(`/s/${alias}$`));
  const link = await call('send_link', { phone, url, channel: 'sms', text: 'Заказ готов: :link' });
  assert.deepEqual([link.result?.channel, link.result?.cost], ['sms', 8], told(link));
  const received = await sandbox.readMessage(phone);
  assert.equal(received.text, `Заказ готов: ${link.result?.short_url}`);
  const post = await call('send_to_group', { group: 'Дежурные', text: 'Новая заявка' });
  assert.deepEqual([post.result?.channel, post.result?.cost], ['telegram', 0], told(post));

  const invalid = await call('send_code', { phone: '12' });
  assert.deepEqual(errorOf(invalid), ['ValidationError', 'invalid_phone', 422]);
  const unknown = await call('send_code', { phone }, { api_key: 'zk_live_nonsense' });
  assert.deepEqual(errorOf(unknown), ['AuthenticationError', 'invalid_api_key', 401]);
  assert.match(String(unknown.error?.request_id), /^[A-Za-z0-9._-]+$/);

  const bound = await service.key({ domain: 'shop.kz', isTest: true });
  const asked = { api_key: bound.key };
  const foreign = await call('send_code', { phone }, asked);
  assert.deepEqual(errorOf(foreign), ['AuthenticationError', 'origin_required', 403]);
  const own = await call('send_code', { phone }, { ...asked, origin: 'https://shop.kz' });
  assert.equal(own.result?.cost, 0, told(own));
}

function errorOf({ error }: Outcome) {
  return [error?.class, error?.code, error?.status];
}

function told(outcome: Outcome): string {
  return JSON.stringify(outcome);
}
