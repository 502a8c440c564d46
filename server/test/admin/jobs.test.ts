/** Jobs by schedule and the work that waits in our own tables, at the desk. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_JOBS_ENDPOINTS as J } from '@zhiber/contract/admin/jobs.ts';
import { newId } from '../../src/ids.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { openTestBank } from '../cabinet/test-bank.ts';
import { until, useService } from '../harness.ts';
import { createAdminClient } from './admin-client.ts';

const bank = openTestBank(() => service.ctx);
const service = useService({
  payments: [{ ...bank, refund: async () => ({ result: 'unclear', reason: 'Нет ответа' }) }],
});
const { as, operator } = createAdminClient(service);

const queueNamed = async (who: { cookie: string }, name: string) =>
  (await as(who).call(J.jobs)).ok().queues.find((queue) => queue.name === name);
const acts = async (who: { cookie: string }, action: 'job.retried' | 'job.run' | 'work.retried') =>
  (await as(who).call(A.audit, { query: { action } })).ok().rows;
/** Starts no earlier than in January: the tests run the job themselves. */
const RARELY = '0 0 1 1 *';

describe('a job by schedule', () => {
  test('runs when it is told to, once, and shows its last runs', async () => {
    const who = await operator();
    const release = Promise.withResolvers<void>();
    after(() => release.resolve());
    let runs = 0;
    const run = async () => {
      runs += 1;
      await release.promise;
    };
    await service.ctx.jobs.work({ name: 'count-sheep', cron: RARELY, run });
    const idle = await queueNamed(who, 'count-sheep');
    assert.partialDeepStrictEqual(idle, {
      cron: RARELY,
      waiting: 0,
      active: 0,
      failed: 0,
      jobs: [],
    });
    assert.match(idle?.next_at ?? '', /^\d{4}-01-01T00:00:00\.000Z$/);

    const runNow = () => as(who).call(J.runJob, { params: { queue: 'count-sheep' } });
    assert.equal((await runNow()).ok().is_changed, true);
    await until('the job runs', async () => runs === 1);
    // The next one waits behind it, and a third one would only repeat it.
    assert.equal((await runNow()).ok().is_changed, true);
    assert.equal((await runNow()).ok().is_changed, false);
    assert.equal((await acts(who, 'job.run')).length, 2);
    const busy = await queueNamed(who, 'count-sheep');
    assert.deepEqual([busy?.active, busy?.waiting], [1, 1]);
    release.resolve();
    await until('both have run', async () => {
      const queue = await queueNamed(who, 'count-sheep');
      return queue?.jobs.every(({ state }) => state === 'completed') ?? false;
    });
    const jobs = (await queueNamed(who, 'count-sheep'))?.jobs;
    assert.deepEqual(
      jobs?.map(({ tries, error }) => [tries, error]),
      [
        [1, null],
        [1, null],
      ],
    );
  });

  test('that failed for good shows its error and is tried again', async () => {
    const who = await operator();
    let isBroken = true;
    const run = async () => {
      if (isBroken) throw new Error('the barn is locked');
    };
    await service.ctx.jobs.work({ name: 'milk-cows', cron: RARELY, run });
    (await as(who).call(J.runJob, { params: { queue: 'milk-cows' } })).ok();
    // No test waits for the pauses between the tries.
    await service.sql(`update pgboss.job set retry_limit = 0 where name = 'milk-cows'`);
    const job = async () => (await queueNamed(who, 'milk-cows'))?.jobs[0];
    await until('it has failed', async () => (await job())?.state === 'failed');
    const failed = await job();
    assert.deepEqual([failed?.error, failed?.tries], ['the barn is locked', 1]);
    assert.equal((await queueNamed(who, 'milk-cows'))?.failed, 1);

    isBroken = false;
    const params = { queue: 'milk-cows', job_id: failed?.id ?? '' };
    assert.equal((await as(who).call(J.retryJob, { params })).ok().is_changed, true);
    await until('it is done', async () => (await job())?.state === 'completed');
    assert.equal((await as(who).call(J.retryJob, { params })).ok().is_changed, false);
    assert.deepEqual(
      (await acts(who, 'job.retried')).map(({ object }) => object),
      ['milk-cows'],
    );
  });

  test('of another name, or with an id that is none, is not found', async () => {
    const who = await operator();
    const job_id = newId(Date.now());
    for (const queue of ['nobody', '__pgboss__send-it', 'a b', "x'; drop table job"]) {
      (await as(who).call(J.runJob, { params: { queue } })).refused('not_found');
      (await as(who).call(J.retryJob, { params: { queue, job_id } })).refused('not_found');
    }
    const params = { queue: 'milk-cows', job_id: '1' };
    (await as(who).call(J.retryJob, { params })).refused('not_found');
  });
});

describe('work that waits in our own tables', () => {
  const work = async (who: { cookie: string }, kind: string) => {
    const found = (await as(who).call(J.jobs)).ok().work.find((one) => one.kind === kind);
    return [found?.overdue, found?.given_up];
  };
  const insertNotice = (tries: string, next: string) =>
    service.sql(
      `insert into payment_notice (id, provider, received_at, body, reference, content, tries, next_try_at)
       values (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZHB-1', '{}', ${tries}, ${next})`,
    );

  test('is overdue a minute after its time, or given up', async () => {
    const who = await operator();
    const { companyId, keyId } = await service.key();
    assert.deepEqual(await work(who, 'notices'), [0, 0]);
    await insertNotice('1', `clock_timestamp() - interval '61 seconds'`);
    await insertNotice('1', `clock_timestamp() - interval '30 seconds'`);
    await insertNotice('1', `clock_timestamp() + interval '1 hour'`);
    await insertNotice('20', 'null');
    assert.deepEqual(await work(who, 'notices'), [1, 1]);

    assert.deepEqual(await work(who, 'messages'), [0, 0]);
    await insertPastMessages(service.sql, {
      companyId,
      keyId,
      count: 3,
      fromHours: 1,
      columns: { state: `'sending'`, receipt: 'null' },
    });
    // Those that are settled are watched for other reasons.
    await insertPastMessages(service.sql, { companyId, keyId, count: 2, fromHours: 0.9 });
    assert.deepEqual(await work(who, 'messages'), [3, 0]);

    await service.sql(
      `insert into early_receipt (company_id, message_id, attempt, receipt, at)
       values ($1, new_id(), 1, 'delivered', clock_timestamp() - interval '2 minutes'),
         ($1, new_id(), 1, 'delivered', clock_timestamp())`,
      [companyId],
    );
    assert.deepEqual(await work(who, 'early_receipts'), [1, 0]);
  });

  test('is tried again after it was given up, with a record', async () => {
    const who = await operator();
    await service.sql('delete from payment_notice');
    await insertNotice('20', 'null');
    await insertNotice('3', `clock_timestamp() + interval '1 hour'`);
    await service.sql(
      `insert into payment_notice (id, provider, received_at, body, reference, content, handled_at, outcome)
       values (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZHB-1', '{}', clock_timestamp(), 'credited')`,
    );
    const retry = async (kind: string) =>
      (await as(who).call(J.retryWork, { params: { kind } })).ok().retried;
    assert.deepEqual([await retry('notices'), await retry('notices')], [1, 0]);
    const due = await service.sql(
      'select tries from payment_notice where handled_at is null and next_try_at <= clock_timestamp()',
    );
    assert.deepEqual(due, [{ tries: 0 }]);
    assert.deepEqual(
      (await acts(who, 'work.retried')).map(({ object, after: changed }) => [object, changed]),
      [['notices', { count: 1 }]],
    );
    for (const kind of ['messages', 'orders', 'nobody', '__proto__']) {
      (await as(who).call(J.retryWork, { params: { kind } })).refused('not_found');
    }
  });

  test('of refunds is tried again only where a provider makes them, and keeps its tries', async () => {
    const who = await operator();
    const companyId = await service.company();
    for (const provider of ['freedom-pay', 'transfer']) {
      const paid = { companyId, amount: 5_000, reference: `ref-${provider}` };
      await topUp(service.ctx, paid);
      await service.sql(
        `update payment set provider = $2 where company_id = $1 and provider_payment_id = $3`,
        [companyId, provider, `ref-${provider}`],
      );
    }
    await service.sql(
      `insert into refund (id, payment_id, company_id, amount, taken, owed, state, reason, asked_at, tries)
       select new_id(), id, company_id, 100, 0, 100, 'asked', 'Просьба', clock_timestamp(), 7
       from payment where company_id = $1`,
      [companyId],
    );
    assert.deepEqual(await work(who, 'refunds'), [0, 2]);
    const params = { kind: 'refunds' };
    assert.equal((await as(who).call(J.retryWork, { params })).ok().retried, 1);
    const rows = await service.sql(
      `select p.provider, r.tries from refund r join payment p on p.id = r.payment_id
       where r.next_try_at is not null`,
    );
    assert.deepEqual(rows, [{ provider: 'freedom-pay', tries: 7 }]);
    await service.sql('delete from refund');
  });
});
