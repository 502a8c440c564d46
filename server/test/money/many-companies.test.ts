import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { type TestKey, together } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post, otherCtx } = useTwoNodes();

const COMPANIES = 50;

test('50 companies that send at once over two nodes do not get in each other’s way', async () => {
  const keys = await together(COMPANIES, () => service.key({ balance: 100 }));
  const answers = await together(COMPANIES * 10, (i) =>
    post(
      i,
      i % 5 === 4 ? '/links/send' : '/otp/send',
      i % 5 === 4
        ? { phone: service.phone(), url: 'https://shop.kz/', channel: 'whatsapp' }
        : { phone: service.phone(), channel: 'whatsapp' },
      keys[Math.floor(i / 10)] as TestKey,
    ),
  );
  assert.deepEqual(tally(answers), { ok: COMPANIES * 10 });
  for (const key of keys) {
    assert.deepEqual(await service.balance(key.companyId), { balance: 70, held: 0 });
  }
});

test('sends, guesses, links, receipts and the watch at once: no deadlock, nothing refused', async () => {
  const keys = await together(COMPANIES, () => service.key({ balance: 100 }));
  const old = Array.from({ length: COMPANIES }, service.phone);
  const sent = await together(COMPANIES, (i) =>
    post(i, '/otp/send', { phone: old[i] }, keys[i] as TestKey),
  );
  assert.deepEqual(tally(sent), { ok: COMPANIES });
  await service.passTime(62);

  const [answers] = await Promise.all([
    together(COMPANIES * 6, (i) => {
      const key = keys[i % COMPANIES] as TestKey;
      const turn = Math.floor(i / COMPANIES);
      const phone = old[i % COMPANIES];
      if (turn < 3) return post(i, '/otp/send', { phone: service.phone() }, key);
      if (turn === 3) return post(i, '/otp/send', { phone }, key);
      if (turn === 4) return post(i, '/otp/verify', { phone, code: '0000' }, key);
      return post(i, '/links/shorten', { url: 'https://shop.kz/' }, key);
    }),
    together(COMPANIES * 4, (i) =>
      recordReceipt(i % 2 === 0 ? service.ctx : otherCtx(), {
        ref: {
          companyId: (keys[i % COMPANIES] as TestKey).companyId,
          messageId: sent[i % COMPANIES]?.body.message_id as MessageId,
          attempt: 1,
        },
        receipt: i % 4 < 2 ? 'delivered' : 'read',
      }),
    ),
    together(10, (i) => watchOnce(i % 2 === 0 ? service.ctx : otherCtx())),
  ]);
  const counts = tally(answers);
  assert.equal(counts.internal_error, undefined, JSON.stringify(counts));
  assert.equal(counts.service_unavailable, undefined, JSON.stringify(counts));
  assert.equal(counts.ok, COMPANIES * 5, JSON.stringify(counts));
  assert.equal(counts.invalid_code, COMPANIES, JSON.stringify(counts));
});
