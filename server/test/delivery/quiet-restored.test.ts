/** What a restored copy does not do by itself. Where it came from, all of it has gone on since. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietRestored } from '../../src/backups/quiet-restored.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import { claimThenDie, readMessage, reserveThenDie, sendCode } from './dead-process.ts';
import { countSends, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const { service, restarted } = useRestartedService(channels);
const quiet = () => quietRestored(service.ctx.db, 'https://z.example/s');

test('no send, fallback, broadcast, webhook or alert of the past goes out, and the money is settled', async () => {
  const inFlight = { key: await service.key(), phone: service.phone() };
  const inFlightId = await reserveThenDie(service, inFlight);
  const waiting = await sendCode(service);
  const code = channels.whatsapp.sentTo(waiting.phone)[0]?.code;
  const claimed = await sendCode(service);
  const message = await readMessage(service, claimed.key, claimed.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 8 });
  const { companyId } = waiting.key;
  const broadcasts = {
    running: await insertBroadcast(companyId, `'running'`, `null, null`),
    scheduled: await insertBroadcast(companyId, `'scheduled'`, `null, clock_timestamp()`),
    resting: await insertBroadcast(companyId, `'paused'`, `'quiet', clock_timestamp()`),
    draft: await insertBroadcast(companyId, `'draft'`, `null, null`),
  };
  const endpoint = await insertWebhooks(companyId);
  await service.sql(`insert into balance_alert (company_id, threshold) values ($1, 1000000)`, [
    companyId,
  ]);

  const stopped = await quiet();
  assert.deepEqual(stopped, { broadcasts: 3, sends: 1, fallbacks: 2, webhooks: 3 });
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );

  // Hours later in another process, whatever would have been due is not.
  await service.passTime(4 * 3_600);
  await watchOnce(restarted());
  for (const { phone } of [waiting, claimed]) {
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  }
  assert.deepEqual(countSends(channels, inFlight.phone), { whatsapp: 0, telegram: 0, sms: 0 });
  const free = await readMessage(service, inFlight.key, inFlightId);
  assert.deepEqual([free.state, free.hold, free.charged], ['unknown', 0, 0]);
  const states = await service.sql(
    `select id::text, state::text, pause_reason::text as why from broadcast order by id`,
  );
  assert.deepEqual(states, [
    { id: broadcasts.running, state: 'paused', why: 'operator' },
    { id: broadcasts.scheduled, state: 'paused', why: 'operator' },
    { id: broadcasts.resting, state: 'paused', why: 'operator' },
    { id: broadcasts.draft, state: 'draft', why: null },
  ]);
  const deliveries = await service.sql(
    `select state::text, count(*)::int from webhook_delivery where endpoint_id = $1 group by 1 order by 1`,
    [endpoint],
  );
  assert.deepEqual(deliveries, [
    { state: 'delivered', count: 1 },
    { state: 'missed', count: 3 },
  ]);
  const [alert] = await service.sql('select is_announced from balance_alert');
  assert.equal(alert?.is_announced, true);

  await service.passTime(-4 * 3_600);
  assert.equal(
    (await service.call('/otp/verify', { phone: waiting.phone, code }, waiting.key)).status,
    200,
  );
  assert.deepEqual(await quiet(), { broadcasts: 0, sends: 0, fallbacks: 0, webhooks: 1 });
});

async function insertBroadcast(company: CompanyId, state: string, pause: string): Promise<string> {
  const id = newId(Date.now());
  await service.sql(
    `insert into broadcast (id, company_id, name, state, pause_reason, resume_at, next_tick_at)
     select $1, $2, 'x', ${state}, v.reason::pause_reason, v.at::timestamptz, 'infinity'
     from (values (${pause})) as v(reason, at)`,
    [id, company],
  );
  return id;
}

/** A delivery that waits, one under way, one that has arrived, and an event that nobody has expanded. */
async function insertWebhooks(company: CompanyId): Promise<number> {
  const [row] = await service.sql<{ id: number }>(
    `insert into webhook_endpoint (company_id, url, events)
     values ($1, 'https://hook.example', array['balance.low', 'otp.verified']) returning id::int`,
    [company],
  );
  const id = row?.id as number;
  await service.sql(
    `with events as (
       insert into webhook_event (id, company_id, type, at, is_test, data)
       select new_id(), $1, 'balance.low', clock_timestamp(), false, '{}' from generate_series(1, 3)
       returning id), numbered as (select id, row_number() over () as n from events)
     insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at, is_trying)
     select $1, $2, id, 'balance.low', case n when 1 then 'delivered' else 'waiting' end::webhook_delivery_state,
       case when n > 1 then clock_timestamp() end, n = 3 from numbered`,
    [company, id],
  );
  await service.sql(`select add_company_event($1, 'balance.low', '{}')`, [company]);
  return id;
}
