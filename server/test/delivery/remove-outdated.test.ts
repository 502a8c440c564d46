import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transaction } from '../../src/db/database.ts';
import {
  type ByAge,
  type ByPage,
  outdatedRows,
  removeOldest,
  removeOnPages,
} from '../../src/installation/upkeep-store.ts';
import { removeOutdated } from '../../src/jobs/remove-outdated.ts';
import { useService } from '../harness.ts';

const service = useService();
const never = new AbortController().signal;
const ago = (time: string) => `clock_timestamp() - interval '${time}'`;
const id = `'00000000-0000-7000-8000-000000000000'`;

/** For each table an insert, the column that names its rows, and the rows that must stay. */
const KINDS: Readonly<Record<string, { name: string; insert: string; stay: string[] }>> = {
  idempotency: {
    name: 'idempotency_key',
    insert: `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at) values
      (1, '/', 'old', '', ${id}, ${ago('25 hours')}), (1, '/', 'young', '', ${id}, ${ago('23 hours')})`,
    stay: ['young'],
  },
  provider_ref: {
    name: 'provider_id',
    insert: `insert into provider_ref (provider_id, created_at) values
      ('old', ${ago('8 days')}), ('young', ${ago('6 days')})`,
    stay: ['young'],
  },
  guard_count: {
    name: 'prefix',
    insert: `insert into guard_count values
      (${ago('61 minutes')}, 1, 'old', 1, 1), (${ago('59 minutes')}, 1, 'young', 1, 1)`,
    stay: ['young'],
  },
  guard_decision: {
    name: 'prefix',
    insert: `insert into guard_decision values
      (${ago('91 days')}, 1, 'old', 40, 1, 0.1, 'blocked', 1, 1),
      (${ago('89 days')}, 1, 'young', 40, 1, 0.1, 'blocked', 1, 1)`,
    stay: ['young'],
  },
  guard_pardon: {
    name: 'prefix',
    insert: `with made as (insert into company (name) values ('Компания') returning id)
      insert into guard_pardon (company_id, prefix, until, reason)
      select id, prefix, until, 'да' from made,
        (values ('old', ${ago('31 days')}), ('young', ${ago('29 days')})) p(prefix, until)`,
    stay: ['young'],
  },
  provider_minute: {
    name: 'provider',
    insert: `insert into provider_minute values
      (${ago('49 hours')}, 'old', 1, 1, 1, 1, 1), (${ago('47 hours')}, 'young', 1, 1, 1, 1, 1)`,
    stay: ['young'],
  },
  status_minute: {
    name: 'component',
    insert: `insert into status_minute values
      (${ago('73 hours')}, 'old', 'probe', 1, 1), (${ago('71 hours')}, 'young', 'probe', 1, 1)`,
    stay: ['young'],
  },
  status_day: {
    name: 'component',
    insert: `insert into status_day values
      (${ago('122 days')}, 'old', 1, 0, 0, 0, 0), (${ago('118 days')}, 'young', 1, 0, 0, 0, 0)`,
    stay: ['young'],
  },
  letter_link: {
    name: 'email',
    insert: `insert into letter_link (token_hash, kind, email, ends_at) values
      ('a', 'sign_up', 'old', ${ago('1 minute')}), ('b', 'sign_up', 'young', ${ago('-1 minute')})`,
    stay: ['young'],
  },
  passkey_challenge: {
    name: 'use',
    insert: `insert into passkey_challenge (challenge_hash, use, browser_hash, ends_at) values
      ('a', 'old', '', ${ago('1 minute')}), ('b', 'young', '', ${ago('-1 minute')})`,
    stay: ['young'],
  },
  security_event: {
    name: 'kind',
    insert: `insert into person (id, name, email) values ('watched', 'Имя', 'b@example.kz');
      insert into security_event (person_id, kind, at) values
        ('watched', 'old', ${ago('366 days')}), ('watched', 'young', ${ago('364 days')})`,
    stay: ['young'],
  },
  recent_sends: {
    name: 'recipient',
    insert: `insert into recent_sends (company_id, recipient, kind, recent) values
      (0, 1, 'otp', array[${ago('30 hours')}, ${ago('25 hours')}]), (0, 2, 'otp', '{}'),
      (0, 3, 'otp', array[${ago('30 hours')}, ${ago('23 hours')}])`,
    stay: ['3'],
  },
  code: {
    name: 'purpose',
    insert: `insert into code (key_id, phone, purpose, company_id, message_id, expires_at, failed_in_row, failed_at)
      values (0, 1, 'old', 0, ${id}, ${ago('25 hours')}, 0, '{}'),
        (0, 1, 'failed long ago', 0, ${id}, ${ago('8 days')}, 3, array[${ago('9 days')}, ${ago('8 days')}]),
        (0, 1, 'failed of late', 0, ${id}, ${ago('8 days')}, 3, array[${ago('8 days')}, ${ago('6 days')}]),
        (0, 1, 'sent again', 0, ${id}, ${ago('23 hours')}, 3, array[${ago('9 days')}]),
        (0, 1, 'young', 0, ${id}, ${ago('23 hours')}, 0, '{}')`,
    stay: ['failed of late', 'sent again', 'young'],
  },
  whatsapp_window: {
    name: 'phone',
    insert: `insert into whatsapp_window values (1, ${ago('1 minute')}), (2, ${ago('-1 minute')})`,
    stay: ['2'],
  },
  session: {
    name: 'id',
    insert: `insert into person (id, name, email) values ('person', 'Имя', 'a@example.kz');
      insert into session (id, token_hash, person_id, expires_at) values
        ('old', 'old', 'person', ${ago('1 minute')}), ('young', 'young', 'person', ${ago('-1 minute')})`,
    stay: ['young'],
  },
  operator_session: {
    name: 'id',
    insert: `insert into person (id, name, email) values ('desk', 'Имя', 'desk@example.kz');
      insert into operator (person_id) values ('desk');
      insert into operator_session (id, token_hash, person_id, ends_at) values
        ('old', 'old', 'desk', ${ago('1 minute')}), ('young', 'young', 'desk', ${ago('-1 minute')})`,
    stay: ['young'],
  },
  operator_welcome: {
    name: `convert_from(token_hash, 'UTF8')`,
    insert: `insert into person (id, name, email) values ('invited', 'Имя', 'invited@example.kz');
      insert into operator (person_id) values ('invited');
      insert into operator_welcome (token_hash, person_id, ends_at) values
        ('old', 'invited', ${ago('1 minute')}), ('young', 'invited', ${ago('-1 minute')})`,
    stay: ['young'],
  },
  payment_notice: {
    name: 'body',
    insert: `insert into payment_notice (id, provider, received_at, body, handled_at, reference, content) values
      (gen_random_uuid(), 'kaspi', ${ago('402 days')}, 'old', ${ago('401 days')}, '', '{}'),
      (gen_random_uuid(), 'kaspi', ${ago('402 days')}, 'young', ${ago('399 days')}, '', '{}'),
      (gen_random_uuid(), 'kaspi', ${ago('402 days')}, 'never handled', null, '', '{}')`,
    stay: ['never handled', 'young'],
  },
  sign_in_limit: {
    name: `convert_from(subject, 'UTF8')`,
    insert: `insert into sign_in_limit values
      ('old', array[${ago('25 hours')}]), ('young', array[${ago('25 hours')}, ${ago('1 hour')}])`,
    stay: ['young'],
  },
  usage_hour: {
    name: 'key_id',
    insert: `insert into usage_hour values (0, ${ago('401 days')}, 1, null, 1, 1, 1, 1, 1),
      (0, ${ago('399 days')}, 2, null, 1, 1, 1, 1, 1)`,
    stay: ['2'],
  },
  broadcast_row: {
    name: 'phone',
    insert: `with made as (insert into company (name) values ('Компания') returning id),
      ended as (insert into broadcast (id, company_id, name, state, ended_at)
        select gen_random_uuid(), id, 'Рассылка', 'done', at
        from made, (values (${ago('401 days')}), (${ago('399 days')}), (null)) e(at)
        returning id, company_id, ended_at)
      insert into broadcast_row (broadcast_id, company_id, number, cells, phone)
      select id, company_id, 1, '{}', case when ended_at < ${ago('400 days')} then 1 when ended_at is not null then 2 else 3 end
      from ended`,
    stay: ['2', '3'],
  },
  call_hour: {
    name: 'key_id',
    insert: `insert into call_hour values (0, ${ago('401 days')}, 1, 200, null, 1),
      (0, ${ago('399 days')}, 2, 200, null, 1)`,
    stay: ['2'],
  },
  spend_hour: {
    name: 'company_id',
    insert: `insert into spend_hour values (1, ${ago('401 days')}, 'otp', null, 1),
      (2, ${ago('399 days')}, 'otp', null, 1)`,
    stay: ['2'],
  },
  webhook_endpoint: {
    name: 'description',
    insert: `with made as (insert into company (name) values ('Компания') returning id)
      insert into webhook_endpoint (company_id, url, events, description, deleted_at, listener_until)
      select id, 'https://shop.kz', '{test.ping}', description, at, listens from made,
        (values ('old', ${ago('16 days')}, null), ('young', ${ago('14 days')}, null), ('in use', null, null),
          ('silent', null, ${ago('2 hours')})) e(description, at, listens)`,
    stay: ['in use', 'young'],
  },
  webhook_event: {
    name: 'type',
    insert: `insert into webhook_event (id, company_id, type, at, is_test, data) values
      (uuid_at(${ago('15 days')}), 1, 'old', now(), true, '{}'),
      (uuid_at(${ago('13 days')}), 1, 'young', now(), true, '{}')`,
    stay: ['young'],
  },
  webhook_delivery: {
    name: 'type',
    insert: `insert into webhook_delivery (company_id, endpoint_id, event_id, type, state) values
      (1, 1, uuid_at(${ago('15 days')}), 'old', 'failed'), (1, 1, uuid_at(${ago('13 days')}), 'young', 'failed')`,
    stay: ['young'],
  },
  webhook_try: {
    name: 'url',
    insert: `insert into webhook_try (company_id, endpoint_id, event_id, number, at, url, has_phone, signed_at, signature,
        outcome, duration_ms) values
      (1, 1, uuid_at(${ago('15 days')}), 1, now(), 'old', true, 1, '', 'delivered', 1),
      (1, 1, uuid_at(${ago('13 days')}), 1, now(), 'young', true, 1, '', 'delivered', 1)`,
    stay: ['young'],
  },
  webhook_hour: {
    name: 'endpoint_id',
    insert: `insert into webhook_hour (company_id, endpoint_id, hour, durations) values
      (1, 1, ${ago('15 days')}, '{}'), (1, 2, ${ago('13 days')}, '{}')`,
    stay: ['2'],
  },
  counted_hour: {
    name: 'company_id',
    insert: `insert into counted_hour values (1, ${ago('401 days')}, clock_timestamp(), '{}', '{}'),
      (2, ${ago('399 days')}, clock_timestamp(), '{}', '{}')`,
    stay: ['2'],
  },
};

const namesIn = async (table: string) => {
  const { name } = KINDS[table] as (typeof KINDS)[string];
  const rows = await service.sql<{ name: string }>(
    `select (${name})::text as name from ${table} order by 1`,
  );
  return rows.map((row) => row.name);
};

test('rows of every table are removed when outdated, and no sooner', async () => {
  const tables = outdatedRows(service.ctx.config.keepDays).map(({ table }) => table);
  assert.deepEqual(Object.keys(KINDS).sort(), tables.toSorted(), 'every table has an example');
  for (const { insert } of Object.values(KINDS)) await service.sql(insert);
  const removed = await removeOutdated(service.ctx, never);
  for (const [table, { stay }] of Object.entries(KINDS)) {
    assert.deepEqual(await namesIn(table), stay, table);
  }
  assert.equal(removed.recent_sends, 2);
  assert.equal(removed.code, 2);
  const again = await removeOutdated(service.ctx, never);
  assert.deepEqual(new Set(Object.values(again)), new Set([0]), 'a second run removes nothing');
});

test('a locked table does not keep the others from being cleaned, and the job fails', async () => {
  await service.sql(
    `insert into recent_sends (company_id, recipient, kind, recent) values (0, 10, 'otp', '{}')`,
  );
  await service.sql(`insert into whatsapp_window values (10, ${ago('1 minute')})`);
  await service.sql(
    `insert into provider_ref (provider_id, created_at) values ('old', ${ago('8 days')})`,
  );
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('lock table recent_sends in access exclusive mode');
    await assert.rejects(removeOutdated(service.ctx, never), /rows were left in recent_sends$/);
  });
  assert.deepEqual(await namesIn('provider_ref'), ['young'], 'a table before the locked one');
  assert.deepEqual(await namesIn('whatsapp_window'), ['2'], 'a table after the locked one');
  assert((await namesIn('recent_sends')).includes('10'));
  assert.equal((await removeOutdated(service.ctx, never)).recent_sends, 1);
});

test('a locked row is left for the next run', async () => {
  await service.sql(`insert into recent_sends (company_id, recipient, kind, recent)
    values (0, 20, 'otp', '{}'), (0, 21, 'otp', '{}')`);
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('select from recent_sends where recipient = 20 for update');
    assert.equal((await removeOutdated(service.ctx, never)).recent_sends, 1);
  });
  assert.equal((await removeOutdated(service.ctx, never)).recent_sends, 1);
});

test('an abort signal stops the job between two tables', async () => {
  await service.sql(`insert into whatsapp_window values (30, ${ago('1 minute')})`);
  assert.deepEqual(await removeOutdated(service.ctx, AbortSignal.abort()), {});
  assert((await namesIn('whatsapp_window')).includes('30'));
  await removeOutdated(service.ctx, never);
});

const YOUNG = 20_000;
const OLD = 10;

/** How many rows a statement reads of a table with many young rows and a few old ones. */
async function rowsRead(table: string, remove: (tx: Transaction) => Promise<unknown>) {
  const rollback = new Error('rolls the fixture back');
  let read: number | undefined;
  const measured = async (tx: Transaction) => {
    await tx.query(
      table === 'provider_ref'
        ? `insert into provider_ref (provider_id, created_at)
           select n::text, case when n <= ${OLD} then ${ago('8 days')} else clock_timestamp() end
           from generate_series(1, ${YOUNG + OLD}) as n`
        : `insert into recent_sends (company_id, recipient, kind, recent)
           select -1, n, 'otp', array[case when n <= ${OLD} then ${ago('2 days')} else clock_timestamp() end]
           from generate_series(1, ${YOUNG + OLD}) as n`,
    );
    const count = async () => {
      const [row] = await tx.query<{ rows: number }>(
        `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = $1`,
        [table],
      );
      return row?.rows ?? 0;
    };
    const before = await count();
    await remove(tx);
    read = (await count()) - before;
    throw rollback;
  };
  const work = service.ctx.db.maintain((own) => own.transaction(measured));
  await assert.rejects(work, rollback);
  return read as unknown as number;
}

const rules = outdatedRows({
  messages: 400,
  clicks: 400,
  requestLog: 30,
  providerIds: 7,
  guardDecisions: 90,
  pageCounts: 400,
  broadcastRecipients: 400,
  securityEvents: 365,
  statusDays: 120,
  webhookLog: 14,
});
const ruleFor = (table: string) => rules.find((rule) => rule.table === table);

test('rows with an index on their age are found by that index', async () => {
  const rule = ruleFor('provider_ref') as ByAge;
  const read = await rowsRead('provider_ref', async (tx) => {
    assert.equal((await removeOldest(tx, rule, '-infinity')).removed, OLD);
  });
  assert(read <= OLD + 5, `${read} rows read to remove ${OLD}`);
});

test('rows without an index on their age are searched in a range of pages', async () => {
  const rule = ruleFor('recent_sends') as ByPage;
  const read = await rowsRead('recent_sends', async (tx) => {
    assert.equal(await removeOnPages(tx, rule, { from: 0, to: 4 }), OLD);
  });
  assert(read < 1_000, `${read} rows read on four pages`);
});
