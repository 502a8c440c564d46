import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { runConcurrently, type TestKey } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post, otherCtx } = useTwoNodes();

const COMPANIES = 50;

test('concurrent sends, guesses, links, receipts and the watch: no deadlock, nothing refused', async () => {
  const keys = await runConcurrently(COMPANIES, () => service.key({ balance: 100 }));
  const old = Array.from({ length: COMPANIES }, service.phone);
  const sent = await runConcurrently(COMPANIES, (i) =>
    post(i, '/otp/send', { phone: old[i] }, keys[i] as TestKey),
  );
  assert.deepEqual(tally(sent), { ok: COMPANIES });
  await service.passTime(62);

  const [answers] = await Promise.all([
    runConcurrently(COMPANIES * 6, (i) => {
      const key = keys[i % COMPANIES] as TestKey;
      const turn = Math.floor(i / COMPANIES);
      const phone = old[i % COMPANIES];
      if (turn < 3) return post(i, '/otp/send', { phone: service.phone() }, key);
      if (turn === 3) return post(i, '/otp/send', { phone }, key);
      if (turn === 4) return post(i, '/otp/verify', { phone, code: '0000' }, key);
      return post(i, '/links/shorten', { url: 'https://shop.kz/' }, key);
    }),
    runConcurrently(COMPANIES * 4, (i) =>
      recordReceipt(i % 2 === 0 ? service.ctx : otherCtx(), {
        ref: {
          companyId: (keys[i % COMPANIES] as TestKey).companyId,
          messageId: sent[i % COMPANIES]?.body.message_id as MessageId,
          attempt: 1,
        },
        receipt: i % 4 < 2 ? 'delivered' : 'read',
      }),
    ),
    runConcurrently(10, (i) => watchOnce(i % 2 === 0 ? service.ctx : otherCtx())),
  ]);
  const counts = tally(answers);
  assert.equal(counts.internal_error, undefined, JSON.stringify(counts));
  assert.equal(counts.service_unavailable, undefined, JSON.stringify(counts));
  assert.equal(counts.ok, COMPANIES * 5, JSON.stringify(counts));
  assert.equal(counts.invalid_code, COMPANIES, JSON.stringify(counts));
});
