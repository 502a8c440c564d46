import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, integrator, openLink } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, start, zhiber } = useServer(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Живучие');
  const key = ['--company', String(company_id), '--name', 'ключ', '--fallback', '15'];
  const { site } = running().facts.urls;
  free = integrator(site, String((await zhiber('key', 'create', ...key, '--test')).key));
  live = integrator(site, String((await zhiber('key', 'create', ...key)).key));
});

let free: ReturnType<typeof integrator>;
let live: ReturnType<typeof integrator>;

test('a killed server loses and repeats nothing after its next start', async () => {
  const silent = '+77000000002';
  const phone = '+77015000001';
  const header = { 'idempotency-key': 'before-the-crash' };
  const paid = await live.send(phone, { link: 'https://example.kz/o' }, header);
  const paidCode = await live.codeOn(phone);
  const sent = await free.send(silent);
  assert.equal(sent.body.channel, 'whatsapp');
  const code = await free.codeOn(silent);

  await running().kill();
  await start();

  // The virtual phone is in memory, so every message in it was sent after the restart.
  const replayed = await live.send(phone, { link: 'https://example.kz/o' }, header);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(replayed.body, paid.body);
  assert.equal((await live.send(phone)).status, 429, 'the minute outlives the restart');
  assert.equal((await live.verify(phone, paidCode)).status, 200);
  assert.equal((await openLink(String(paid.body.short_url))).status, 302);

  const read = () => free.inbox(silent, { wait: 1 });
  const [second] = await eventually(read, (messages) => messages.length > 0);
  assert.deepEqual(
    [second?.channel, second?.message_id, second?.code],
    ['telegram', sent.body.message_id, code],
  );
  assert.deepEqual(await live.inbox(phone), [], 'a delivered message is not sent again');
  assert.equal((await free.verify(silent, code)).status, 200);
  const { ok, violations } = await zhiber('audit');
  assert.equal(ok, true, JSON.stringify(violations));
});
