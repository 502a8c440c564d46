import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import { WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import type { InjectOptions } from 'fastify';
import { createCompany } from '../src/company/create-company.ts';
import type { Context } from '../src/context.ts';
import { isConflict } from '../src/db/sql-errors.ts';
import { type CompanyId, type KeyId, newId } from '../src/ids.ts';
import { createKey, type KeySettings } from '../src/keys/manage-keys.ts';
import { checkAnswer } from './check-answer.ts';
import { openService, type Service, type ServiceOptions } from './service.ts';

export type ApiAnswer = {
  status: number;
  // Tests read single fields; `checkAnswer` checks the whole shape against the OpenAPI description.
  body: Record<string, unknown> & { error_code?: ErrorCode };
  headers: Record<string, string | string[] | number | undefined>;
};

export type TestKey = { keyId: KeyId; key: string; companyId: CompanyId };

/**
 * Opens the service on a fresh clone of the migrated template database, once per test file. Every
 * answer is checked against the OpenAPI description. After each test the ledger must balance, with
 * no open holds.
 */
export function useService(options: ServiceOptions = {}) {
  let service: Service | undefined;
  const running = (): Service => {
    assert(service !== undefined, 'the service has not been opened');
    return service;
  };
  /** Runs SQL directly, to prepare a state or to check one. */
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    running().ctx.db.query<Row>(text, values);
  const ledger = createLedgerChecks(sql);

  before(async () => {
    service = await openService(options);
  });
  afterEach(async (t) => {
    if ((t as { passed?: boolean }).passed) await ledger.assertLedgerBalances();
  });
  after(async () => {
    await service?.close();
  });

  return {
    get ctx() {
      return running().ctx;
    },
    get http() {
      return running().http;
    },
    get sandbox() {
      return running().sandbox;
    },
    get accounts() {
      return running().accounts;
    },
    hashCount: () => running().hashCount(),
    sql,
    ...ledger,
    ...createFixtures(() => running().ctx),
    ...createPhones(running),
    call: createApiCaller(running),
    passTime: (seconds: number) => passTime(sql, seconds),
  };
}

export type RunSql = <Row = Record<string, unknown>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>;

/** Creates companies and API keys in the database of a service. */
export function createFixtures(ctx: () => Pick<Context, 'db' | 'clock'>) {
  const correct = async (companyId: CompanyId, amount: number) => {
    if (amount === 0) return;
    await ctx().db.query('select post_entry($1, $2, $3, $4)', [
      companyId,
      'correction',
      amount,
      newId(Date.now()),
    ]);
  };

  const company = async (balance = WELCOME_BONUS): Promise<CompanyId> => {
    const { companyId } = await createCompany(ctx(), 'Тест');
    await correct(companyId, balance - WELCOME_BONUS);
    return companyId;
  };

  /** A company that has paid once, without the money. */
  const markPaid = async (companyId: CompanyId) => {
    const text = 'update account set first_topup_at = clock_timestamp() where company_id = $1';
    await ctx().db.query(text, [companyId]);
  };

  const key = async (
    settings: Partial<KeySettings> & { balance?: number } = {},
  ): Promise<TestKey> => {
    const { balance, ...rest } = settings;
    const companyId = settings.companyId ?? (await company(balance));
    const made = await createKey(ctx().db, {
      name: 'ключ',
      isTest: false,
      ...rest,
      companyId,
    });
    return { ...made, companyId };
  };
  return { company, correct, key, markPaid };
}

/** Creates a function that returns another phone on each call. */
export function freshPhones(prefix = '+7701'): () => string {
  let phones = 0;
  return () => {
    phones += 1;
    return `${prefix}${String(phones).padStart(7, '0')}`;
  };
}

function createPhones(running: () => Service) {
  return {
    phone: freshPhones(),
    /** Reads the code from the newest message in the sandbox inbox of a phone. */
    readSentCode(key: TestKey, phone: string): string {
      const message = running().sandbox.phone.messages({ keyId: key.keyId, phone }).at(-1);
      assert(message?.code, `no code has arrived at ${phone}`);
      return message.code;
    },
  };
}

/** Creates a function that calls an endpoint and checks the answer against the OpenAPI description. */
export function createApiCaller(running: () => Pick<Service, 'http'>) {
  return async (
    path: string,
    body: unknown,
    request: { key?: string; headers?: Record<string, string>; method?: string } = {},
  ): Promise<ApiAnswer> => {
    const method = (request.method ?? 'POST') as NonNullable<InjectOptions['method']>;
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await running().http.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(request.key === undefined ? {} : { authorization: `Bearer ${request.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body === undefined ? {} : { payload }),
    });
    const answer: ApiAnswer = {
      status: response.statusCode,
      body: response.payload === '' ? {} : response.json(),
      headers: response.headers,
    };
    checkAnswer({ path, method, ...answer });
    return answer;
  };
}

/**
 * Simulates the passing of time by moving all stored times into the past. PostgreSQL runs the
 * statements of one query text in one transaction, so a running watch never sees half of the move.
 */
export async function passTime(sql: RunSql, seconds: number): Promise<void> {
  const by = `make_interval(secs => ${seconds})`;
  const older = (column: string) => `${column} = ${column} - ${by}`;
  const allOlder = (column: string) =>
    `${column} = array(select t - ${by} from unnest(${column}) as t)`;
  const text = `update watch set ${older('checked_until')}, ${older('swept_until')}, ${older('sweep_to')};
    update recent_sends set ${allOlder('recent')};
    update code set ${older('expires_at')}, ${allOlder('failed_at')};
    update message set ${older('created_at')}, ${older('settled_at')}, ${older('next_check_at')};
    update attempt set ${older('started_at')}, ${older('settled_at')};
    update idempotency set ${older('created_at')};
    update link set ${older('created_at')}, ${older('expires_at')};
    update api_key set ${older('previous_until')};
    update session set ${older('created_at')}, ${older('seen_at')}, ${older('confirmed_at')},
      ${older('proven_at')};
    update letter_link set ${older('ends_at')};
    update sign_in_limit set ${allOlder('recent')}`;
  // The statements lock rows in a different order than the server does, so either side may become
  // the victim of a deadlock. A failed run was rolled back as a whole and can be repeated.
  for (let attempt = 1; ; attempt++) {
    try {
      await sql(text);
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === CONFLICTS_MAX) throw error;
    }
  }
}

const CONFLICTS_MAX = 100;

const realNow = performance.now.bind(performance);
let processAheadMs = 0;

/**
 * Moves the monotonic clock of this process one second ahead, so that in-memory caches expire. Call
 * it only while no request is in flight: a request would seem to exceed its deadline.
 */
export function advanceProcessClock(): void {
  processAheadMs += 1_000;
  performance.now = () => realNow() + processAheadMs;
}

/** Reads balances and checks the invariants of the ledger. */
export function createLedgerChecks(sql: RunSql) {
  return {
    async balance(companyId: CompanyId): Promise<{ balance: number; held: number }> {
      const rows = await sql<{ balance: number; held: number }>(
        'select balance, held from account where company_id = $1',
        [companyId],
      );
      return rows[0] as { balance: number; held: number };
    },
    charges: (companyId: CompanyId) =>
      sql<{ amount: number; messages: number }>(
        `select amount, messages from entry where company_id = $1 and kind = 'charge'`,
        [companyId],
      ),
    /**
     * Fails unless every account matches its entries, their numbers and its messages, with no open
     * holds except those of broadcasts, and of fallbacks that wait for their delivery.
     */
    async assertLedgerBalances(): Promise<void> {
      // Each table is read once: reading it for each company takes far longer in a file with many.
      const wrong = await sql(`
        select a.company_id, a.balance, a.held, a.entries as counted, e.count, e.entries, m.charged, e.charges, m.holds,
          m.pending
        from account a
        left join (select company_id, sum(amount) as entries, count(*) as count, max(number) as last,
            coalesce(-sum(amount) filter (where kind in ('charge', 'charge_moved')), 0) as charges
          from entry group by company_id) e on e.company_id = a.company_id
        left join (select company_id, sum(charged) as charged, sum(hold) as holds,
            coalesce(sum(pending_price - charged) filter (where pending_price > charged), 0) as pending
          from message group by company_id) m on m.company_id = a.company_id
        left join (select company_id, sum(charged) as charged
          from removed_month group by company_id) r on r.company_id = a.company_id
        left join (select company_id, sum(held) as held
          from broadcast group by company_id) b on b.company_id = a.company_id
        where a.balance <> coalesce(e.entries, 0) or a.entries <> coalesce(e.count, 0)
          or a.entries <> coalesce(e.last, 0)
          or coalesce(m.charged, 0) + coalesce(r.charged, 0) <> coalesce(e.charges, 0)
          or a.held <> coalesce(m.holds, 0) + coalesce(b.held, 0)
          or coalesce(m.holds, 0) <> coalesce(m.pending, 0)`);
      assert.deepEqual(wrong, [], 'the ledger does not balance');
    },
  };
}

/** Starts all runs before it awaits any of them, and returns their results in order. */
export async function runConcurrently<T>(
  count: number,
  run: (index: number) => Promise<T>,
): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

/** Far more than any awaited condition takes, even on a busy machine. */
const UNTIL_TIMEOUT_MS = 60_000;

/** Polls until the condition is true, and fails the test after a timeout. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    assert(performance.now() - startedAt < UNTIL_TIMEOUT_MS, `timed out waiting for: ${what}`);
    await pause(5);
  }
}

/**
 * How many statements in this database are waiting for a lock. Not to be asked within a transaction,
 * which sees the connections of its first question only.
 */
export async function countLockWaiters(sql: RunSql): Promise<number> {
  const rows = await sql(`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length;
}

export async function hasLockWaiter(sql: RunSql): Promise<boolean> {
  return (await countLockWaiters(sql)) > 0;
}
