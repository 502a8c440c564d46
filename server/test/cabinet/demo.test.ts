/** The history of the demo company: made once, whole, and with books that add up. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { auditIn } from '../../src/billing/invariant-store.ts';
import type { Context } from '../../src/context.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { openDemo } from '../../src/installation/demo-company.ts';
import { readOverview } from '../../src/messages/read-overview.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { useService } from '../harness.ts';

const service = useService();

describe('the history of the demo company', { concurrency: false }, () => {
  let companyId: CompanyId;
  let ctx: Context;

  before(async () => {
    ctx = service.ctx;
    await openDemo(ctx);
    companyId = ctx.demo?.companyId as CompanyId;
  });

  const counts = async () => {
    const rows = await service.sql<Record<string, number>>(
      `select (select count(*)::int from message where company_id = $1) as messages,
         (select count(*)::int from link where company_id = $1) as links,
         (select count(*)::int from api_key where company_id = $1) as keys,
         (select count(*)::int from broadcast where company_id = $1) as broadcasts,
         (select count(*)::int from webhook_endpoint where company_id = $1) as webhooks,
         (select count(*)::int from audit_record where company_id = $1) as records`,
      [companyId],
    );
    return rows[0] as Record<string, number>;
  };

  test('one that is cut off leaves nothing behind, and the next visit makes it', async () => {
    const before = await counts();
    // Somebody, such as the operator, has looked at the empty company: its hours are counted.
    await readOverview(ctx, companyId, { range: '30d', isTest: false });
    await service.sql(
      `create function cut_off() returns trigger language plpgsql as 'begin raise exception ''cut off''; end'`,
    );
    await service.sql(`create constraint trigger cut_off after insert on webhook_try deferrable initially deferred
      for each row execute function cut_off()`);
    await assert.rejects(fillDemo(ctx, 'ru'), /cut off/);
    await service.sql('drop trigger cut_off on webhook_try');
    // The hidden key of broadcasts is there once and for all.
    assert.deepEqual(await counts(), { ...before, keys: (before.keys ?? 0) + 1 });
  });

  test('visitors who come at once find one whole history', async () => {
    const startedMs = performance.now();
    await Promise.all([fillDemo(ctx, 'ru'), fillDemo(ctx, 'en'), fillDemo(ctx, 'kk')]);
    console.log(`demo: ${Math.round(performance.now() - startedMs)} ms`, await counts());
    const { messages = 0, links = 0, broadcasts, webhooks } = await counts();
    assert.ok(messages > 3_000 && messages < 6_000, `${messages} messages`);
    assert.ok(links > 100, `${links} links`);
    assert.deepEqual([broadcasts, webhooks], [3, 1]);
    await fillDemo(ctx, 'en');
    assert.equal((await counts()).messages, messages);
  });

  test('its books add up', async () => {
    const { violations } = await auditIn(ctx.db);
    assert.deepEqual(
      Object.entries(violations).filter(([, count]) => count > 0),
      [],
    );
    const ledger = await service.sql<{ at: Date; balance: number }>(
      `select created_at as at, balance_after as balance from entry where company_id = $1 order by number`,
      [companyId],
    );
    const times = ledger.map(({ at }) => at.getTime());
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      'the ledger is in the order of its times',
    );
    assert.equal(Math.min(...ledger.map(({ balance }) => Number(balance))) > 0, true);
  });

  test('it looks like a company that does well: two to four weeks of balance, few failures', async () => {
    const overview = await readOverview(ctx, companyId, { range: '30d', isTest: false });
    assert.equal(overview.hours_to_count, 0);
    const days = overview.days_left as number;
    assert.ok(days >= 11 && days <= 28, `${days} days`);
    assert.deepEqual(overview.problems, []);
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const sends = overview.buckets.map(({ sends: by }) => sum(Object.values(by)));
    const share = sum(overview.buckets.map(({ confirmed }) => confirmed)) / sum(sends);
    assert.ok(share > 0.965 && share < 0.995, `${share} confirmed`);
    const full = sends.slice(2, -1);
    assert.ok(
      full.every((count) => count > 40),
      `no empty day: ${sends}`,
    );
  });

  test('it ends now, with nothing in the future', async () => {
    const [newest] = await service.sql<{ ago: number; ahead: number }>(
      `select extract(epoch from clock_timestamp() - max(created_at))::float8 as ago,
         count(*) filter (where greatest(created_at, settled_at, receipt_at, delivered_at) > clock_timestamp())::int as ahead
       from message where company_id = $1`,
      [companyId],
    );
    assert.equal(newest?.ahead, 0);
    // At night too; the tests before this one take some seconds.
    assert.ok((newest?.ago ?? Infinity) < 15 * 60, `${newest?.ago} seconds ago`);
    const [future] = await service.sql<{ n: number }>(
      `select ((select count(*) from click where company_id = $1 and at > clock_timestamp())
        + (select count(*) from request_log where company_id = $1 and at > clock_timestamp())
        + (select count(*) from entry where company_id = $1 and created_at > clock_timestamp()))::int as n`,
      [companyId],
    );
    assert.equal(future?.n, 0);
  });

  test('in the incident WhatsApp confirmed nothing, and SMS brought the codes for its price', async () => {
    const hours = await service.sql<{ day: string; silent: number; saved: number }>(
      `select to_char(date_trunc('day', m.created_at at time zone 'Asia/Almaty'), 'YYYY-MM-DD') as day,
         count(*)::int as silent,
         count(*) filter (where m.channel = 'sms' and m.receipt = 'delivered' and m.charged = 8)::int as saved
       from attempt a join message m on m.company_id = a.company_id and m.id = a.message_id
       where a.company_id = $1 and a.channel = 'whatsapp' and a.receipt = 'unconfirmed' and m.channel = 'sms'
         and not m.is_test
       group by 1 order by 2 desc limit 2`,
      [companyId],
    );
    const [worst, next] = hours;
    assert.ok(worst !== undefined && next !== undefined);
    assert.ok(worst.silent > 10 && worst.silent > next.silent, JSON.stringify(hours));
    assert.ok(worst.saved >= worst.silent * 0.8, JSON.stringify(worst));
  });

  test('every kind of story is there, and reads in order', async () => {
    const stories = {
      'delivered at once': `m.attempt = 1 and m.receipt = 'delivered'`,
      read: `m.receipt = 'read'`,
      'not on the first channel': `m.attempt = 2 and exists (select from attempt a where a.message_id = m.id
        and a.number = 1 and a.state = 'refused')`,
      'a fallback by time': `m.attempt = 2 and m.receipt = 'delivered' and exists (select from attempt a
        where a.message_id = m.id and a.receipt = 'unconfirmed')`,
      'a failure': `m.receipt = 'failed'`,
      unconfirmed: `m.receipt = 'unconfirmed'`,
      'refused by all': `m.state = 'failed'`,
    };
    const steps: Record<string, string> = {};
    for (const [name, condition] of Object.entries(stories)) {
      const [found] = await service.sql<{ id: MessageId }>(
        `select m.id from message m where m.company_id = $1 and not m.is_test and m.kind = 'otp' and ${condition}
         and not exists (select from code c where c.message_id = m.id and c.verified_at is not null)
         order by m.id desc limit 1`,
        [companyId],
      );
      assert.ok(found !== undefined, `no story: ${name}`);
      const timeline = await findTimeline(ctx.db, companyId, found.id);
      steps[name] = timeline?.steps.map(({ step }) => step).join(' ') ?? '';
    }
    const expected = {
      'delivered at once': /^accepted attempt sent delivered$/,
      read: /sent delivered read$/,
      'not on the first channel':
        /^accepted attempt refused fallback|^accepted attempt refused attempt/,
      'a fallback by time': /^accepted attempt sent unconfirmed fallback sent delivered$/,
      'a failure': /failed$/,
      unconfirmed: /unconfirmed$/,
      'refused by all': /refused$/,
    };
    for (const [name, pattern] of Object.entries(expected))
      assert.match(steps[name] ?? '', pattern, name);
  });

  test('calls were refused now and then, but never for want of money', async () => {
    const calls = await service.sql<{ status: number; n: number }>(
      'select status, count(*)::int as n from request_log where company_id = $1 group by status',
      [companyId],
    );
    const byStatus = new Map(calls.map(({ status, n }) => [status, n]));
    assert.ok((byStatus.get(422) ?? 0) > 20 && (byStatus.get(429) ?? 0) > 5, JSON.stringify(calls));
    assert.equal(byStatus.get(402), undefined);
    assert.ok((byStatus.get(200) ?? 0) > 2_000);
  });

  test('the webhook got what its deliveries say', async () => {
    const [figures] = await service.sql<{ deliveries: number; tries: number; hours: number }>(
      `select (select count(*)::int from webhook_delivery where company_id = $1) as deliveries,
         (select count(*)::int from webhook_try where company_id = $1) as tries,
         (select sum(delivered + refused)::int from webhook_hour where company_id = $1) as hours`,
      [companyId],
    );
    assert.ok((figures?.deliveries ?? 0) > 200, JSON.stringify(figures));
    assert.equal(figures?.tries, figures?.hours);
  });

  test('a visit after some days continues it up to now, once', async () => {
    const before = await counts();
    await service.sql(
      `update installation set value = to_char((clock_timestamp() - interval '3 days') at time zone 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS"Z"') where name = 'demo_history'`,
    );
    // The three days are taken away as if they had never been made.
    const { companyId: other } = await atOtherCompany();
    await Promise.all([fillDemo(other, 'ru'), fillDemo(other, 'kk')]);
    const [added] = await service.sql<{ n: number; oldest: number }>(
      `select count(*)::int as n, extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest
       from message where company_id = $1`,
      [other.demo?.companyId],
    );
    assert.ok((added?.n ?? 0) > 150 && (added?.n ?? 0) < 1_000, JSON.stringify(added));
    assert.ok((added?.oldest ?? 0) < 3 * 86_400 + 60);
    assert.deepEqual(await counts(), before);
    const { violations } = await auditIn(ctx.db);
    assert.deepEqual(
      Object.values(violations).filter((count) => count > 0),
      [],
    );
  });

  /** A demo company without the last days: a company of its own, with the fact that says so. */
  async function atOtherCompany() {
    const id = await service.company(5_000);
    await service.sql(
      `update company set created_at = clock_timestamp() - interval '40 days' where id = $1`,
      [id],
    );
    return {
      companyId: { ...ctx, demo: { ...(ctx.demo as NonNullable<Context['demo']>), companyId: id } },
    };
  }
});
