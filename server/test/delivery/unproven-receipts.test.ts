import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { systemClock } from '../../src/clock.ts';
import { rememberIds } from '../../src/delivery/receipts/provider-id-store.ts';
import { readTimeline } from '../../src/history/timeline.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { MessageId } from '../../src/ids.ts';
import { useService } from '../harness.ts';
import { serve } from '../providers/rig/local-server.ts';
import { scriptedChannels } from './scripted-channel.ts';

/** Receipts whose signature says nothing of the message, so that Mobizon is asked for its status. */
const service = useService({ providers: scriptedChannels() });
const SECRETS = { apiKey: 'kz0123456789abcdef', callbackSecret: 'secret123' };
/** Mobizon waits no longer for an answer. */
const PATIENCE_MS = 5_000;
let lastId = 169;

type Answer = (response: ServerResponse, id: string) => void;

const telling =
  (status: string): Answer =>
  (response, id) =>
    response.end(JSON.stringify({ code: 0, data: [{ id, status }], message: '' }));

/** A message that Mobizon took, and what Mobizon says of it when it is asked. */
async function openReceipt(t: TestContext, answer: Answer) {
  const id = String(++lastId);
  let tell = answer;
  const url = await serve(t, (_request, response) => tell(response, id));
  const provider = openMobizon({ ...SECRETS, url }, systemClock);
  const http = createHttpServer(service.ctx, service.sandbox, [provider]);
  await http.ready();
  t.after(async () => {
    await http.close();
    await provider.stop?.();
  });
  const key = await service.key();
  const sent = await service.call('/otp/send', { phone: service.phone(), channel: 'sms' }, key);
  const { companyId } = key;
  const messageId = sent.body.message_id as MessageId;
  const ref = { companyId, messageId, attempt: 1 };
  await service.ctx.db.inGroup(rememberIds, { ref, providerIds: [`mobizon:${id}`] });
  return {
    report: async () => (await http.inject(callbackOf(id))).statusCode,
    state: async () => (await readTimeline(service.ctx.db, companyId, messageId))?.state,
    answerFromNowOn(next: Answer) {
      tell = next;
    },
  };
}

function callbackOf(messageId: string) {
  const [eventId, attempt, eventCreateTs] = ['26', '1', '2026-01-15 11:42:28'];
  const signed = [eventId, attempt, eventCreateTs, SECRETS.callbackSecret].join('|');
  const sign = createHash('sha1').update(signed).digest('hex');
  const data = { messageId, status: 'DELIVRD' };
  const payload = { eventId, attempt, eventCreateTs, eventType: 'sms-delivery-report', data, sign };
  return { method: 'POST', url: '/callbacks/mobizon', payload } as const;
}

test('is taken when Mobizon says the same', async (t) => {
  const { report, state } = await openReceipt(t, telling('DELIVRD'));
  assert.deepEqual([await report(), await state()], [200, 'delivered']);
});

const UNCLEAR: Record<string, Answer> = {
  'Mobizon is in trouble': (response) => response.writeHead(500).end(),
  'Mobizon cannot be understood': (response) => response.end('<html>'),
  'Mobizon does not know the message': (response) => response.end('{"code":0,"data":[]}'),
  'Mobizon says that it is still under way': telling('ACCEPTD'),
};
for (const [name, answer] of Object.entries(UNCLEAR)) {
  test(`has to come again when ${name}`, async (t) => {
    const { report, state, answerFromNowOn } = await openReceipt(t, answer);
    assert.deepEqual([await report(), await state()], [503, 'sent']);
    answerFromNowOn(telling('DELIVRD'));
    assert.deepEqual([await report(), await state()], [200, 'delivered']);
  });
}

test('has to come again, and is told so in time, when Mobizon does not answer', async (t) => {
  const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
  const { report, state } = await openReceipt(t, () => asked());
  // The clock of the question is ours: it is over when it was asked, and not before.
  const over = new AbortController();
  const limits: number[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms);
    return over.signal;
  });
  const reported = report();
  await isAsked;
  over.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  assert.deepEqual([await reported, await state()], [503, 'sent']);
  assert.equal(limits.length, 1);
  // The database may want the rest for what is found.
  assert((limits[0] ?? PATIENCE_MS) <= PATIENCE_MS - 1_500, `asked for ${limits[0]} ms`);
});
