import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { rememberIds } from '../../src/delivery/provider-id-store.ts';
import { createHttpServer } from '../../src/http/transport/server.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { useService } from '../harness.ts';
import { serve } from '../providers/rig/local-server.ts';
import { TOOLS } from '../providers/rig/tools.ts';
import { scriptedChannels } from './scripted-channel.ts';

// The signature of Mobizon's callback does not cover the message, so its status is queried.
const service = useService({ providers: scriptedChannels() });
const SECRETS = { apiKey: 'kz0123456789abcdef', callbackSecret: 'secret123' };
/** How long Mobizon waits for the answer to its callback. */
const CALLBACK_TIMEOUT_MS = 5_000;
let lastId = 169;

type Answer = (response: ServerResponse, id: string) => void;

const answerStatus =
  (status: string): Answer =>
  (response, id) =>
    response.end(JSON.stringify({ code: 0, data: [{ id, status }], message: '' }));

/**
 * A message that Mobizon accepted, with a simulated Mobizon that answers status queries. A pending
 * acceptance is recorded by the test.
 */
async function openReceipt(t: TestContext, answer: Answer, { isPending = false } = {}) {
  const id = String(++lastId);
  let currentAnswer = answer;
  let queries = 0;
  const url = await serve(t, (_request, response) => {
    queries += 1;
    currentAnswer(response, id);
  });
  const provider = openMobizon({ ...SECRETS, url }, TOOLS);
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
  const accept = () => service.ctx.db.inGroup(rememberIds, { ref, providerIds: [`mobizon:${id}`] });
  if (!isPending) await accept();
  return {
    accept,
    queries: () => queries,
    report: async (reportedId = id) => (await http.inject(callbackOf(reportedId))).statusCode,
    state: async () => (await findTimeline(service.ctx.db, companyId, messageId))?.state,
    answerFromNowOn(next: Answer) {
      currentAnswer = next;
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

test('a receipt is recorded when the status query confirms it', async (t) => {
  const { report, state } = await openReceipt(t, answerStatus('DELIVRD'));
  assert.deepEqual([await report(), await state()], [200, 'delivered']);
});

const UNCLEAR: Record<string, Answer> = {
  'Mobizon answers 500': (response) => response.writeHead(500).end(),
  'the answer of Mobizon is not JSON': (response) => response.end('<html>'),
  'Mobizon does not know the message': (response) => response.end('{"code":0,"data":[]}'),
  'Mobizon reports that it is still being sent': answerStatus('ACCEPTD'),
};
for (const [name, answer] of Object.entries(UNCLEAR)) {
  test(`a receipt gets 503, to be sent again, when ${name}`, async (t) => {
    const { report, state, answerFromNowOn } = await openReceipt(t, answer);
    assert.deepEqual([await report(), await state()], [503, 'sent']);
    answerFromNowOn(answerStatus('DELIVRD'));
    assert.deepEqual([await report(), await state()], [200, 'delivered']);
  });
}

test('a receipt waits for the acceptance that is about to be recorded', async (t) => {
  const { report, state, accept } = await openReceipt(t, answerStatus('DELIVRD'), {
    isPending: true,
  });
  const lookedUp = Promise.withResolvers<void>();
  const { query } = service.ctx.db;
  t.mock.method(service.ctx.db, 'query', async (...given: Parameters<typeof query>) => {
    const rows = await query(...given);
    if (given[2] === 'find-by-provider-id') lookedUp.resolve();
    return rows;
  });
  const reported = report();
  await lookedUp.promise;
  assert.equal(await accept(), true);
  assert.deepEqual([await reported, await state()], [200, 'delivered']);
});

test('a report of a message that is not ours is taken in time, and asks nothing', async (t) => {
  const { report, state, queries } = await openReceipt(t, answerStatus('DELIVRD'));
  const startedAt = performance.now();
  assert.equal(await report('999000999'), 200);
  assert(performance.now() - startedAt < CALLBACK_TIMEOUT_MS);
  assert.deepEqual([queries(), await state()], [0, 'sent']);
});

test('a receipt gets 503 before the callback times out when Mobizon does not answer', async (t) => {
  const query = Promise.withResolvers<void>();
  const { report, state } = await openReceipt(t, () => query.resolve());
  // The test decides when the query times out: after it has arrived.
  const timeout = new AbortController();
  const limits: number[] = [];
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms);
    return timeout.signal;
  });
  const reported = report();
  await query.promise;
  timeout.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  assert.deepEqual([await reported, await state()], [503, 'sent']);
  assert.equal(limits.length, 1);
  // The rest of the time is left to the database.
  const limitMs = limits[0] ?? CALLBACK_TIMEOUT_MS;
  assert(limitMs <= CALLBACK_TIMEOUT_MS - 1_500, `the query may take ${limits[0]} ms`);
});
