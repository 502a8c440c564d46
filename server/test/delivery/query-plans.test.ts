import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Transaction } from '../../src/db/database.ts';
import { findSent, recordReceiptsById, rememberIds } from '../../src/delivery/provider-id-store.ts';
import { recordReceipts } from '../../src/delivery/receipt-store.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { reserve } from '../../src/delivery/reserve-store.ts';
import { settle } from '../../src/delivery/settle-store.ts';
import { takeDue } from '../../src/delivery/watch-store.ts';
import { claimKeys } from '../../src/idempotency/idempotency-store.ts';
import { lowestIdAt, type MessageId, newId } from '../../src/ids.ts';
import { addUpClicks } from '../../src/links/click-store.ts';
import { createLinks, findLinks } from '../../src/links/link-store.ts';
import { verify } from '../../src/otp/verify-store.ts';
import type { Phone } from '../../src/phone.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { type TestKey, useService } from '../harness.ts';

const service = useService();

const FEW = 200;
const MANY = 5_000;
const BATCH = 64;

type Call = {
  key: TestKey;
  ids: readonly MessageId[];
  phones: readonly Phone[];
  slugs: readonly string[];
};

/** The statements of the hot path, each run for a batch of existing messages. */
const CALLS: Readonly<Record<string, (tx: Transaction, call: Call) => Promise<unknown>>> = {
  'sends to reserve': (tx, { key, phones }) =>
    reserve.run(
      tx,
      phones.map((recipient) => ({
        ...key,
        id: newId(Date.now()),
        kind: 'otp' as const,
        isTest: false,
        recipient,
        route: ['sms' as const],
        prices: [0],
        requestId: 'req_plan',
        checkSeconds: 30,
        body: null,
        limits: { gap: { seconds: 60, max: 1 }, hourMax: 5, dayMax: 10 },
        code: { purpose: 'login', mac: () => Buffer.from('right'), sealed: null, ttlSeconds: 300 },
        link: null,
      })),
    ),
  'sends to settle': (tx, { key, ids }) =>
    settle.run(
      tx,
      ids.map((id) => ({
        companyId: key.companyId,
        id,
        state: 'failed' as const,
        channel: 'sms' as const,
        price: 0,
        providerId: null,
        reason: null,
        route: '',
        attempts: [],
      })),
    ),
  'sends to refuse': (tx, { key, ids, phones }) =>
    refuseSends(
      tx,
      ids.map((id, n) => ({
        ...key,
        id,
        kind: 'otp' as const,
        isTest: false,
        recipient: phones[n] as Phone,
        requestId: 'req_plan',
        hasLeft: true,
      })),
    ),
  'links to shorten': (tx, { key, slugs }) =>
    createLinks.run(
      tx,
      slugs.map((slug) => ({
        slug,
        companyId: key.companyId,
        url: 'https://a.kz',
        ttlSeconds: null,
      })),
    ),
  'links to open': (tx, { slugs }) => findLinks.run(tx, slugs),
  'receipts by reference': (tx, { key, ids }) =>
    recordReceipts.run(
      tx,
      ids.map((messageId) => ({
        ref: { companyId: key.companyId, messageId, attempt: 1 },
        receipt: 'delivered' as const,
      })),
    ),
  'receipts by the id of a provider': (tx, { ids }) =>
    recordReceiptsById.run(
      tx,
      ids.map((id) => ({ providerId: `smsc:${id}`, receipt: 'delivered' as const })),
    ),
  'receipts of parts by the id of a provider': (tx, { ids }) =>
    recordReceiptsById.run(
      tx,
      ids.map((id) => ({ providerId: `smpp:${id}`, receipt: 'delivered' as const })),
    ),
  'receipts without a reference': (tx, { ids, phones }) =>
    findSent(
      tx,
      phones.map((phone, n) => ({ providerId: `whatsapp-cloud:${ids[n]}`, phone })),
    ),
  'receipts with the id in another spelling': (tx, { ids, phones }) =>
    recordReceiptsById.run(
      tx,
      ids.map((id, n) => ({
        providerId: `smpp:9c/00a${id}`,
        phone: phones[n],
        receipt: 'delivered' as const,
      })),
    ),
  'receipts of nobody': (tx, { ids }) =>
    recordReceiptsById.run(
      tx,
      ids.map((id) => ({ providerId: `smpp:9c/00b${id}`, receipt: 'delivered' as const })),
    ),
  'ids of a centre that repeats them': (tx, { key, ids, phones }) =>
    rememberIds.run(
      tx,
      ids.map((messageId, n) => ({
        ref: { companyId: key.companyId, messageId, attempt: 1 },
        providerIds: [`smpp:9c/A${messageId}`],
        phone: phones[n],
      })),
    ),
  'ids of a provider': (tx, { key, ids }) =>
    rememberIds.run(
      tx,
      ids.map((messageId) => ({
        ref: { companyId: key.companyId, messageId, attempt: 1 },
        providerIds: [`mobizon:${newId(Date.now())}`],
      })),
    ),
  'messages that are due': (tx) => takeDue(tx, { limit: BATCH, leaseSeconds: 60 }),
  'codes that are verified': (tx, { key, phones }) =>
    verify.run(
      tx,
      phones.map((phone) => ({
        keyId: key.keyId,
        phone,
        purpose: 'login',
        mac: Buffer.from('right'),
        claim: null,
      })),
    ),
  'keys of repeated requests': (tx, { key, phones }) =>
    claimKeys.run(
      tx,
      phones.map((phone) => ({
        companyId: key.companyId,
        keyId: key.keyId,
        path: '/otp/send',
        idempotencyKey: phone,
        bodyHash: Buffer.from('same'),
        subject: newId(Date.now()),
      })),
    ),
  'clicks of a link': (tx, { key }) =>
    addUpClicks(tx, key.companyId, { slugKey: 'popular', clicksMax: BATCH }),
};

/**
 * Inserts messages, each with provider ids (also of a multipart message), a code, an earlier send to
 * the same phone, an idempotency key, a link and a click, and as many companies with an account and a
 * key with a cap.
 */
async function fill(tx: Transaction, key: TestKey, count: number): Promise<void> {
  const sql = <Row>(text: string, values?: unknown[]) => tx.query<Row>(text, values);
  await insertPastMessages(sql, { ...key, count, fromHours: 1, columns: { receipt: 'null' } });
  const { companyId, keyId } = key;
  await sql(
    `insert into provider_ref (provider_id, company_id, message_id, attempt, parts)
     select k.name || id, company_id, id, 1, k.parts
     from message, (values ('smsc:', 1), ('smpp:', 2), ('smpp:2-', 2)) as k(name, parts)
     where company_id = $1`,
    [companyId],
  );
  await sql(
    `insert into provider_ref (provider_id, phone_tail, folded_id, company_id, message_id, attempt)
     select 'smpp:9c/A' || id, recipient % 10000000000, 'smpp:9c/a' || id, company_id, id, 2
     from message where company_id = $1`,
    [companyId],
  );
  await sql(
    `insert into code (key_id, phone, purpose, company_id, message_id, mac, expires_at)
     select key_id, recipient, 'login', company_id, id, 'right', clock_timestamp() + interval '5 minutes'
     from message where company_id = $1 and key_id = $2 and request_id <> 'req_plan'`,
    [companyId, keyId],
  );
  await sql(
    `insert into recent_sends (company_id, recipient, kind, recent, last_message)
     select company_id, recipient, kind, array[created_at], id
     from message where company_id = $1 and request_id <> 'req_plan'`,
    [companyId],
  );
  await sql(
    `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at)
     select key_id, '/otp/send', recipient::text, 'same', id, clock_timestamp()
     from message where company_id = $1 and request_id <> 'req_plan'`,
    [companyId],
  );
  await sql(
    `insert into link (slug_key, slug, company_id, url)
     select 'other' || n, 'other' || n, $1, 'https://a.kz' from generate_series(1, $2::integer) as n`,
    [companyId, count],
  );
  await sql(
    `insert into click (slug_key, company_id, at)
     select case when n <= ${FEW} then 'popular' else 'other' || n end, $1,
       clock_timestamp() - interval '1 minute' + n * interval '1 ms'
     from generate_series(1, $2::integer) as n`,
    [companyId, count],
  );
  await sql(
    `with other as (
       insert into company (name) select 'Other' from generate_series(1, $1::integer) returning id
     )
     insert into account (company_id) select id from other`,
    [count],
  );
  await sql(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
       code_ttl_seconds, fallback_seconds, language, monthly_cap,
       daily_cap)
     select c.id, 'ключ', false, sha256(c.id::text::bytea), '', '', '{sms}', 6, 300, 30, 'ru', 1000, 1000
     from company c where c.name = 'Other'`,
  );
  await sql(
    `insert into key_spend (company_id, key_id, month)
     select company_id, id, almaty_month(clock_timestamp()) from api_key where monthly_cap is not null
     on conflict do nothing`,
  );
  await sql(
    `insert into key_day_spend (company_id, key_id, day)
     select company_id, id, almaty_day(clock_timestamp()) from api_key where daily_cap is not null
     on conflict do nothing`,
  );
}

const rollback = new Error('rolls the fixture back');

/**
 * How many rows a batch of each call reads, on a connection whose plans were cached with empty
 * tables: without statistics, or with statistics that say so.
 */
async function measureReads(count: number, isAnalyzed: boolean): Promise<Map<string, number>> {
  const key = await service.key({ monthlyCap: 1_000, dailyCap: 1_000 });
  const read = new Map<string, number>();
  const measured = async (tx: Transaction) => {
    await tx.query(
      `insert into link (slug_key, slug, company_id, url) values ('popular', 'popular', $1, 'https://a.kz')`,
      [key.companyId],
    );
    // Plans are made and cached now, while the tables are empty.
    const nobody = { phones: ['77990000000' as Phone], slugs: ['nobody'] };
    for (const run of Object.values(CALLS)) {
      await undone(tx, () => run(tx, { key, ids: [newId(Date.now())], ...nobody }));
    }
    await tx.query(`update link set clicks_until = null`);
    await fill(tx, key, count);
    const batch = await tx.query<{ id: MessageId; phone: Phone; slug: string }>(
      `select id, recipient::text as phone, 'other' || row_number() over (order by id) as slug
       from message where company_id = $1 and id > $2 and request_id <> 'req_plan' order by id limit $3`,
      [key.companyId, lowestIdAt(0), BATCH],
    );
    const call = {
      key,
      ids: batch.map(({ id }) => id),
      phones: batch.map(({ phone }) => phone),
      slugs: batch.map(({ slug }) => slug),
    };
    for (const [name, run] of Object.entries(CALLS)) {
      await undone(tx, async () => {
        const before = await countRead(tx);
        await run(tx, call);
        read.set(name, (await countRead(tx)) - before);
      });
    }
    throw rollback;
  };
  // Filling the tables takes longer than the statement timeout of the service.
  const work = service.ctx.db.maintain(async (own) => {
    // An autovacuum of the same table gives way after a second.
    if (isAnalyzed) await own.query(`set lock_timeout = '1min'; analyze`);
    // Other tests have left companies and accounts behind; a new installation has one.
    if (isAnalyzed) {
      await own.query('vacuum account');
      await own.query('vacuum company');
      await own.query(`select pg_restore_relation_stats(
          'schemaname', 'public', 'relname', name, 'relpages', 1, 'reltuples', 1::real)
        from unnest(array['account', 'company']) as name`);
    }
    await own.transaction(measured);
  });
  await assert.rejects(work, rollback);
  return read;
}

/** Runs a call that leaves only the plans of its statements behind. */
async function undone(tx: Transaction, call: () => Promise<unknown>): Promise<void> {
  await tx.query('savepoint before_call');
  await tx.query(`update watch set checked_until = clock_timestamp() - interval '2 hours'`);
  await call();
  await tx.query('rollback to savepoint before_call');
}

async function countRead(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as rows
     from pg_stat_xact_user_tables where schemaname = 'public'`,
  );
  return row?.rows ?? 0;
}

for (const isAnalyzed of [false, true]) {
  describe(
    isAnalyzed ? 'planned by statistics of empty tables' : 'planned without statistics',
    () => {
      let few: Map<string, number>;
      let many: Map<string, number>;
      before(async () => {
        few = await measureReads(FEW, isAnalyzed);
        many = await measureReads(MANY, isAnalyzed);
      });
      for (const name of Object.keys(CALLS)) {
        test(`${name}: a batch reads as much of ${MANY} as of ${FEW}`, () => {
          const [ofFew = Number.NaN, ofMany = Number.NaN] = [few.get(name), many.get(name)];
          assert(ofFew > 0, 'a batch reads something');
          // A batch reads each of its rows a few times over; a whole table would be five thousand.
          assert(ofMany <= ofFew + BATCH, `${ofMany} rows instead of ${ofFew}`);
        });
      }
    },
  );
}

// With a thousand companies a scan of them all looks cheaper than a probe for each link.
test('links to open: a batch reads no other companies, planned by true statistics', async () => {
  const key = await service.key();
  let read = 0;
  const work = service.ctx.db.maintain(async (own) => {
    // Without the rows of other tests, which are rolled back and still make a scan look dear.
    await own.query('vacuum full company');
    await own.transaction(async (tx) => {
      await fill(tx, key, 1_000);
      await tx.query('analyze link');
      await tx.query('analyze company');
      const before = await countRead(tx);
      const slugs = Array.from({ length: BATCH }, (_, n) => `other${n + 1}`);
      await findLinks.run(tx, slugs);
      read = (await countRead(tx)) - before;
      throw rollback;
    });
  });
  await assert.rejects(work, rollback);
  // A link, and the company of each.
  assert.equal(read, 2 * BATCH);
});

// Replacing a function without its settings drops them, which only shows with a million rows.
test('every function of the hot path keeps its planner settings', async () => {
  const names = [
    'add_up_clicks',
    'charge_deliveries',
    'claim_fallback',
    'find_links',
    'is_attempt_open',
    'move_key_spend',
    'pass_on_by_ids',
    'record_plain_receipts',
    'record_receipts',
    'record_receipts_by_id',
    'refuse_sends',
    'remember_ids',
    'reserve',
    'settle',
    'settle_fallback',
    'shorten',
    'standing_attempt',
    'take_due',
    'verify',
  ];
  const rows = await service.sql<{ name: string }>(
    `select proname as name from pg_proc where proname = any ($1)
       and proconfig @> array['enable_seqscan=off', 'plan_cache_mode=force_generic_plan']
     order by proname`,
    [names],
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    names,
  );
});
