import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROADCAST_RESULT_ENDPOINTS as E } from '@zhiber/contract/cabinet/broadcast-results.ts';
import {
  countProgress,
  findFailureShare,
  storeCounts,
} from '../../src/broadcasts/results/count-progress.ts';
import { takeDueCounts } from '../../src/broadcasts/results/count-store.ts';
import { createRecount } from '../../src/broadcasts/results/recount-broadcasts.ts';
import { findRun, type Run } from '../../src/broadcasts/results/run-store.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { useService } from '../harness.ts';
import { EVERY_OUTCOME, type SeedRecipient, seedRun } from './seed-run.ts';

const service = useService();
const { person, as } = createCabinetClient(service);

const startedRun = async (id: string) => (await findRun(service.ctx.db, id)) as Run;

test('every recipient is in one outcome, and money, channels, clicks and unsubscriptions are counted', async () => {
  const key = await service.key();
  const { id, phones } = await seedRun(service.sql, key, EVERY_OUTCOME, { state: 'paused' });
  await service.sql(
    `insert into unsubscribed (phone, company_id, source, broadcast_id)
     values ($1, $2, 'link', $3), ($1, null, 'link', $3), ($4, $2, 'company', null)`,
    [phones[8], key.companyId, id, phones[9]],
  );
  const progress = await countProgress(service.ctx.db, id);
  assert.deepEqual(progress, {
    recipients: 14,
    outcomes: {
      waiting: 2,
      sending: 3,
      sent: 2,
      delivered: 1,
      read: 1,
      failed: 2,
      unknown: 2,
      skipped: 1,
    },
    charged: 3 + 3 + 3 + 8 + 8 + 3 + 3 + 3,
    // The carried ones alone: sent, delivered and read.
    channels: { whatsapp: 0, telegram: 2, sms: 2 },
    clicked: 2,
    unsubscribed: 1,
    rate: 0,
    ends_at: null,
    counted_at: progress.counted_at,
  });
});

test('the rate is that of the last minute, and the end follows from it', async () => {
  const key = await service.key();
  // 30 left in the first second, long ago; 12 in the last minute; 24 wait.
  const recipients: SeedRecipient[] = [
    ...Array.from({ length: 30 }, () => ({ state: 'sent', after: 1 }) as const),
    ...Array.from({ length: 12 }, () => ({ state: 'sent', after: 595 }) as const),
    ...Array.from({ length: 24 }, () => ({})),
    // While the others are counted, more leave: they belong to the next count.
    ...Array.from({ length: 9 }, () => ({ state: 'sent', after: 630 }) as const),
  ];
  const seeded = { state: 'running', startedSecondsAgo: 600 };
  const { id } = await seedRun(service.sql, key, recipients, seeded);
  const setQuiet = (from: number, to: number) =>
    service.sql(
      'update broadcast set quiet_from = $2, quiet_to = $3, skips_days_off = false where id = $1',
      [id, from, to],
    );
  await setQuiet(0, 0);
  const progress = await countProgress(service.ctx.db, id);
  assert.equal(progress.rate, 0.2);
  const countedMs = Date.parse(progress.counted_at);
  assert.equal(Date.parse(progress.ends_at ?? '') - countedMs, (24 / 0.2) * 1_000);

  // A rest of three hours around this one: the test may pass a full hour.
  const hour = Math.floor(countedMs / 3_600_000) + 5;
  await setQuiet((hour - 1) % 24, (hour + 2) % 24);
  const { rate, ends_at: endsAt } = await countProgress(service.ctx.db, id);
  const restEndsMs = (hour + 2 - 5) * 3_600_000;
  assert.equal(Date.parse(endsAt ?? '') - restEndsMs, Math.ceil(24 / rate) * 1_000);
});

test('the outcomes add up in every count while recipients move between them', async () => {
  const key = await service.key();
  const recipients = Array.from({ length: 60 }, () => ({ state: 'sending' }) as const);
  const { id, messageIds } = await seedRun(service.sql, key, recipients, { state: 'running' });
  let isMoving = true;
  const move = async () => {
    for (const messageId of messageIds) {
      await service.sql(
        `update message set state = 'sent', receipt = 'delivered', settled_at = clock_timestamp() where id = $1`,
        [messageId],
      );
    }
    isMoving = false;
  };
  const moving = move();
  const sums = new Set<number>();
  while (isMoving) {
    const { outcomes } = await countProgress(service.ctx.db, id);
    sums.add(Object.values(outcomes).reduce((sum, count) => sum + count, 0));
  }
  await moving;
  assert.deepEqual([...sums], [60]);
});

test('stored counts never go back in time', async () => {
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [
    { state: 'sent', clicks: [{ by: 'person', after: 9 }] },
  ]);
  const stored = async () => (await startedRun(id)).counts;
  assert.equal((await storeCounts(service.ctx.db, id)).clicked, 1);
  await service.sql(
    `update broadcast set counted_at = counted_at + interval '1 day' where id = $1`,
    [id],
  );
  await service.sql('delete from click where company_id = $1', [key.companyId]);
  const before = await stored();
  assert.equal((await storeCounts(service.ctx.db, id)).clicked, 0);
  assert.deepEqual(await stored(), before);
});

/** Makes the counts of these due, the first one longest, and no others. */
async function countOnly(...ids: string[]) {
  await service.sql(
    `update broadcast set next_count_at = coalesce(
       clock_timestamp() - interval '1 hour' + array_position($1::uuid[], id) * interval '1 minute', 'infinity')`,
    [ids],
  );
}

test('a broadcast under way is counted in slices, each recipient once, and small ones do not wait for it', async () => {
  const key = await service.key();
  // 1,200 recipients make three slices; the last row of each has another outcome.
  const large = Array.from(
    { length: 1_200 },
    (_, i): SeedRecipient =>
      i % 500 === 499 || i === 1_199 ? { state: 'failed' } : { state: 'sent', channel: 'sms' },
  );
  const clicked: SeedRecipient = { state: 'sent', clicks: [{ by: 'person', after: 1 }] };
  const { id } = await seedRun(service.sql, key, [...large, clicked], { state: 'running' });
  const { id: small } = await seedRun(service.sql, key, [clicked, {}], { state: 'paused' });
  const outcomesOf = async (one: string) => (await startedRun(one)).counts?.outcomes;
  const recount = createRecount(service.ctx);
  await countOnly(id, small);

  await recount();
  await recount();
  assert.deepEqual(
    [await outcomesOf(id), (await outcomesOf(small))?.waiting],
    [undefined, 1],
    'one slice of the large one, then the small one',
  );
  await recount();
  await recount();
  const counts = (await startedRun(id)).counts;
  assert.deepEqual(
    [counts?.outcomes.sent, counts?.outcomes.failed, counts?.clicked, counts?.recipients],
    [1_198, 3, 1, 1_201],
  );
});

test('one node counts a broadcast, until its lease ends', async () => {
  const key = await service.key();
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }, {}], { state: 'running' });
  await countOnly(id);
  await createRecount(service.ctx)();
  const first = await startedRun(id);
  assert.equal(first.counts?.outcomes.sent, 1);
  const dueIn = async () => {
    const [row] = await service.sql<{ seconds: number }>(
      'select extract(epoch from next_count_at - clock_timestamp())::float8 as seconds from broadcast where id = $1',
      [id],
    );
    return row?.seconds ?? 0;
  };
  const running = await dueIn();
  assert.ok(running > 0 && running <= 1.5, `due again in ${running} s while it runs`);

  await countOnly(id);
  const taken = await Promise.all(
    Array.from({ length: 4 }, () =>
      takeDueCounts(service.ctx.bulk, { limit: 10, leaseSeconds: 60 }),
    ),
  );
  assert.equal(taken.flat().filter((one) => one === id).length, 1);
  const leased = await dueIn();
  assert.ok(leased > 50 && leased <= 60, `leased for ${leased} s`);
});

test('clicks are counted every twenty seconds, and kept between', async () => {
  const key = await service.key();
  const { id } = await seedRun(
    service.sql,
    key,
    [{ state: 'sent', clicks: [{ by: 'person', after: 9 }] }],
    { state: 'paused' },
  );
  const recountAt = async (countedAt: string) => {
    await service.sql(`update broadcast set counted_at = ${countedAt} where id = $1`, [id]);
    await countOnly(id);
    await createRecount(service.ctx)();
    const { counts, counted_at } = await startedRun(id);
    return { clicked: counts?.clicked, countedAt: counted_at };
  };
  assert.equal((await recountAt('null')).clicked, 1);
  await service.sql('delete from click where company_id = $1', [key.companyId]);
  // The period of twenty seconds may end between the two statements: then the clicks are counted.
  const periodOf = (at: Date | null | undefined) => Math.floor((at?.getTime() ?? 0) / 20_000);
  let before: Date | null = null;
  for (;;) {
    const [row] = await service.sql<{ now: Date }>('select clock_timestamp() as now', []);
    before = row?.now ?? null;
    const { clicked, countedAt } = await recountAt('clock_timestamp()');
    if (periodOf(before) !== periodOf(countedAt)) continue;
    assert.equal(clicked, 1);
    break;
  }
  assert.equal((await recountAt(`clock_timestamp() - interval '20 seconds'`)).clicked, 0);
});

test('the share of failures is that of the last 200 settled messages, without unknown ones', async () => {
  const key = await service.key();
  const refused = { state: 'failed', reason: 'Номер не обслуживается' } as const;
  const recipients: SeedRecipient[] = [
    // Too old to be among the last 200.
    ...Array.from({ length: 5 }, () => refused),
    ...Array.from({ length: 168 }, () => ({ state: 'sent', receipt: 'delivered' }) as const),
    ...Array.from({ length: 2 }, () => ({ state: 'failed', reason: 'Спам' }) as const),
    ...Array.from({ length: 20 }, () => ({ state: 'unknown', reason: 'Нет ответа' }) as const),
    ...Array.from({ length: 10 }, () => refused),
    { state: 'sending' },
    {},
  ];
  const { id } = await seedRun(service.sql, key, recipients, { state: 'running' });
  const { started_at } = await startedRun(id);
  assert.deepEqual(await findFailureShare(service.ctx.db, id, started_at), {
    messages: 200,
    failed: 12,
    reason: 'Номер не обслуживается',
  });
  // Since it was resumed, 193 seconds after the start.
  const resumedAt = new Date(started_at.getTime() + 193_000);
  const share = await findFailureShare(service.ctx.db, id, resumedAt);
  assert.deepEqual([share.messages, share.failed], [12, 10]);
});

test('failures that a channel reports late count, although newer messages are only accepted', async () => {
  const key = await service.key();
  const recipients: SeedRecipient[] = [
    ...Array.from({ length: 50 }, () => ({ state: 'sent', receipt: 'failed', after: 10 }) as const),
    ...Array.from({ length: 200 }, () => ({ state: 'sent', after: 95 }) as const),
  ];
  const seeded = { state: 'running', startedSecondsAgo: 100 };
  const { id } = await seedRun(service.sql, key, recipients, seeded);
  const { started_at } = await startedRun(id);
  const share = await findFailureShare(service.ctx.db, id, started_at);
  assert.deepEqual([share.messages, share.failed], [50, 50]);
});

test('the page of a broadcast under way shows the last count, unless no worker renews it', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }], { state: 'running' });
  const read = async () => (await as(owner).call(E.results, { params: { id } })).ok().progress;
  assert.equal((await read()).outcomes.sent, 1);
  await service.sql(`update message set receipt = 'delivered' where company_id = $1`, [
    owner.companyId,
  ]);
  const age = (seconds: number) =>
    service.sql(
      'update broadcast set counted_at = clock_timestamp() - make_interval(secs => $2) where id = $1',
      [id, seconds],
    );
  await age(30);
  assert.equal((await read()).outcomes.sent, 1);
  await age(61);
  assert.equal((await read()).outcomes.delivered, 1);
});

test('two weeks after its end a broadcast keeps the counts it has', async () => {
  const owner = await person({ role: 'owner' });
  const key = await service.key({ companyId: owner.companyId as never });
  const { id } = await seedRun(service.sql, key, [{ state: 'sent' }]);
  const read = async () => (await as(owner).call(E.results, { params: { id } })).ok().progress;
  assert.equal((await read()).outcomes.sent, 1);
  const age = (days: number) =>
    service.sql(
      `update broadcast set ended_at = clock_timestamp() - make_interval(days => $2),
         counted_at = clock_timestamp() - make_interval(days => 1) where id = $1`,
      [id, days],
    );
  await service.sql(`update message set receipt = 'delivered' where company_id = $1`, [
    owner.companyId,
  ]);
  await age(15);
  assert.equal((await read()).outcomes.sent, 1);
  await age(13);
  assert.equal((await read()).outcomes.delivered, 1);
});
