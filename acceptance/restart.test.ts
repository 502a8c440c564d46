import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eventually, integrator, openLink } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, start, zhiber } = useServer();

const FALLBACK_SECONDS = 15;
/** What a restart and a busy machine may add to it. */
const GRACE_SECONDS = 15;

let free: ReturnType<typeof integrator>;
let live: ReturnType<typeof integrator>;

before(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Живучие');
  const key = ['--company', String(company_id), '--name', 'ключ', '--fallback', '15'];
  const { site } = running().facts.urls;
  free = integrator(site, String((await zhiber('key', 'create', ...key, '--test')).key));
  live = integrator(site, String((await zhiber('key', 'create', ...key)).key));
});

async function assertSound(): Promise<void> {
  const { ok, violations } = await zhiber('audit');
  assert.equal(ok, true, JSON.stringify(violations));
}

test('a server that is killed goes on after its next start as if nothing had happened', async () => {
  const silent = '+77000000002';
  const phone = '+77015000001';
  const header = { 'idempotency-key': 'before-the-crash' };
  const paid = await live.send(phone, { link: 'https://example.kz/o' }, header);
  const paidCode = await live.codeOn(phone);
  const sent = await free.send(silent);
  const sentAt = performance.now();
  assert.equal(sent.body.channel, 'whatsapp');
  const code = await free.codeOn(silent);

  await running().kill();
  await start();

  // The phone's memory went with the process; what lies in it now was sent after the restart.
  const replayed = await live.send(phone, { link: 'https://example.kz/o' }, header);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(replayed.body, paid.body);
  assert.equal((await live.send(phone)).status, 429, 'the minute outlives the restart');
  assert.equal((await live.verify(phone, paidCode)).status, 200);
  assert.equal((await openLink(String(paid.body.short_url))).status, 302);

  const limitMs = (FALLBACK_SECONDS + GRACE_SECONDS) * 1000 - (performance.now() - sentAt);
  const read = () => free.inbox(silent, { wait: 1 });
  const [second] = await eventually(read, (messages) => messages.length > 0, limitMs);
  assert.deepEqual(
    [second?.channel, second?.message_id, second?.code],
    ['telegram', sent.body.message_id, code],
  );
  assert.deepEqual(await live.inbox(phone), [], 'a delivered message is not sent again');
  assert.equal((await free.verify(silent, code)).status, 200);
  await assertSound();
});

test('requests that are under way when the server is told to stop are all answered', async () => {
  // These take four seconds each: WhatsApp hangs, then Telegram answers.
  const slow = Array.from({ length: 20 }, (_, at) =>
    free.send('+77000000007', { purpose: `p${at}` }),
  );
  const { site } = running().facts.urls;
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${site}/api/health`)));
  const stopped = running().stop();
  for (const answer of await Promise.all(slow)) {
    assert.deepEqual([answer.status, answer.body.channel], [200, 'telegram']);
  }
  assert.equal(await stopped, 0);
  await assert.rejects(fetch(`${site}/api/health`), 'nobody listens any more');

  await start();
  await assertSound();
});

test('a burst of short requests loses none of its answers to a stop in the middle', async () => {
  const { site } = running().facts.urls;
  const urls = Array.from({ length: 200 }, (_, at) => `https://example.kz/${at}`);
  let answered = 0;
  const shorten = async (url: string) => {
    const answer = await free.call('/links/shorten', { url });
    answered += 1;
    return String(answer.body.short_url);
  };
  const burst = urls.map(shorten);
  await eventually(
    async () => answered,
    (count) => count > 0,
    5_000,
  );
  const stopped = running().stop();
  const results = await Promise.allSettled(burst);
  assert.equal(await stopped, 0);
  await start();

  // Who was answered has a link that works; who never got a connection may simply ask again.
  const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  assert(made.length > 0);
  for (const short of made.slice(0, 25)) assert.equal((await openLink(short)).status, 302);
  for (const result of results) {
    if (result.status === 'rejected') assert.match(String(result.reason), /fetch failed/);
  }
  assert.equal((await fetch(`${site}/api/health`)).status, 200);
});
