/** What the status page says about webhooks. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readWebhookHealth } from '../../src/status/webhook-health-store.ts';
import { useService } from '../harness.ts';
import { answers, hangs } from './receiver.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);

beforeEach(() => service.sql('truncate webhook_outbox, webhook_event, webhook_delivery'));

/** Of the last ten minutes. */
async function health() {
  const now = Date.now();
  const span = { from: new Date(now - 600_000), until: new Date(now + 60_000) };
  const minutes = await readWebhookHealth(service.ctx.db, span);
  const sum = (name: 'good' | 'bad') => minutes.reduce((total, each) => total + each[name], 0);
  return { good: sum('good'), bad: sum('bad') };
}

/** Makes everything so far happen earlier. */
const age = (seconds: number) =>
  service.sql(
    `update webhook_event set at = at - make_interval(secs => ${seconds});
     update webhook_outbox set at = at - make_interval(secs => ${seconds})`,
  );

test('an event that was tried is good, and stays so', async () => {
  const companyId = await service.company();
  const { id } = await rig.endpoint(companyId, (await rig.receiver()).url);
  await rig.addEvents(companyId, 3);
  await rig.deliverAll(rig.worker());
  await age(120);
  assert.deepEqual(await health(), { good: 3, bad: 0 });
  await service.sql('update webhook_endpoint set deleted_at = now() where id = $1', [id]);
});

test('an event that nobody takes or tries is bad, after a minute', async () => {
  const companyId = await service.company();
  await rig.endpoint(companyId, (await rig.receiver()).url);
  await rig.addEvents(companyId, 2);
  await age(50);
  assert.deepEqual(await health(), { good: 0, bad: 0 });
  await age(20);
  assert.deepEqual(await health(), { good: 0, bad: 2 });
  // Taken from the outbox, but not tried: as if the worker had stopped in between.
  await service.sql(
    `insert into webhook_event (id, company_id, type, at, is_test, data)
       select id, company_id, type, at, false, data from webhook_outbox;
     insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
       select o.company_id, e.id, o.id, o.type, 'waiting', now() from webhook_outbox o
       join webhook_endpoint e using (company_id);
     delete from webhook_outbox`,
  );
  assert.deepEqual(await health(), { good: 0, bad: 2 });
});

test('a receiver that fails, hangs or is switched off is no fault of ours', async () => {
  const failing = await service.company();
  await rig.endpoint(failing, (await rig.receiver(answers(500))).url);
  const hanging = await service.company();
  await rig.endpoint(hanging, (await rig.receiver(hangs)).url);
  const off = await service.company();
  const { id } = await rig.endpoint(off, (await rig.receiver()).url);
  for (const companyId of [failing, hanging, off]) await rig.addEvents(companyId, 1);
  const worker = rig.worker({ timeoutMs: 1_000 });
  await rig.deliverAll(worker);
  await service.sql(
    `update webhook_endpoint set off_at = now(), off_reason = 'person' where id = $1`,
    [id],
  );
  for (const companyId of [failing, hanging, off]) await rig.addEvents(companyId, 4);
  await age(120);
  const before = await health();
  await rig.deliverAll(worker);
  // What waits in the outbox belongs to nobody yet, so it is counted until it is taken.
  assert.deepEqual([before.bad, await health()], [12, { good: 0, bad: 0 }]);
});
