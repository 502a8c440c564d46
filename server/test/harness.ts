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
import { createKey, type KeySettings } from '../src/keys/create-key.ts';
import { checkAnswer } from './check-answer.ts';
import { openService, type Service, type ServiceOptions } from './service.ts';

export type Answered = {
  status: number;
  // The tests read what the contract promises; the shape itself is checked against the description.
  body: Record<string, unknown> & { error_code?: ErrorCode };
  headers: Record<string, string | string[] | number | undefined>;
};

export type TestKey = { keyId: KeyId; key: string; companyId: CompanyId };

/**
 * The service on a fresh clone of the migrated template, one for each test file. Answers are
 * checked against the published description, and after each test the money must add up with nothing
 * held.
 */
export function useService(options: ServiceOptions = {}) {
  let service: Service | undefined;
  const running = (): Service => {
    assert(service !== undefined, 'the service has not been opened');
    return service;
  };
  /** Runs SQL as an operator would, to look or to prepare. */
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    running().ctx.db.query<Row>(text, values);
  const money = moneyOf(sql);

  before(async () => {
    service = await openService(options);
  });
  afterEach(async (t) => {
    if ((t as { passed?: boolean }).passed) await money.assertSoundMoney();
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
    get people() {
      return running().people;
    },
    hashCount: () => running().hashCount(),
    sql,
    ...money,
    ...fixturesOf(() => running().ctx),
    ...phonesOf(running),
    call: caller(running),
    passTime: (seconds: number) => passTime(sql, seconds),
  };
}

export type RunSql = <Row = Record<string, unknown>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>;

/** Companies and keys, made in the database of a service. */
export function fixturesOf(ctx: () => Pick<Context, 'db' | 'clock'>) {
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
  return { company, key };
}

/** Each call gives a phone nobody has used in this file. */
export function freshPhones(): () => string {
  let phones = 0;
  return () => {
    phones += 1;
    return `+7701${String(phones).padStart(7, '0')}`;
  };
}

function phonesOf(running: () => Service) {
  return {
    phone: freshPhones(),
    /** The code a person would read on the phone: of the newest message there. */
    codeOn(key: TestKey, phone: string): string {
      const message = running().sandbox.phone.messages({ keyId: key.keyId, phone }).at(-1);
      assert(message?.code, `no code has arrived at ${phone}`);
      return message.code;
    },
  };
}

/** Calls an endpoint of the contract, and checks the answer against the description. */
export function caller(running: () => Pick<Service, 'http'>) {
  return async (
    path: string,
    body: unknown,
    request: { key?: string; headers?: Record<string, string>; method?: string } = {},
  ): Promise<Answered> => {
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
    const answered: Answered = {
      status: response.statusCode,
      body: response.payload === '' ? {} : response.json(),
      headers: response.headers,
    };
    checkAnswer({ path, method, ...answered });
    return answered;
  };
}

/**
 * Lets time pass for everything the database remembers: all its times move into the past, in one
 * transaction (as several statements in one text are), so that a watch at work meets them before or after and never in between.
 */
export async function passTime(sql: RunSql, seconds: number): Promise<void> {
  const by = `make_interval(secs => ${seconds})`;
  const older = (column: string) => `${column} = ${column} - ${by}`;
  const allOlder = (column: string) =>
    `${column} = array(select t - ${by} from unnest(${column}) as t)`;
  const text = `update watch set ${older('looked_until')}, ${older('swept_until')}, ${older('sweep_to')};
    update gate set ${allOlder('recent')};
    update code set ${older('expires_at')}, ${allOlder('failed_at')};
    update message set ${older('created_at')}, ${older('settled_at')}, ${older('look_at')};
    update attempt set ${older('started_at')}, ${older('settled_at')};
    update idempotency set ${older('created_at')};
    update link set ${older('created_at')}, ${older('expires_at')};
    update api_key set ${older('previous_until')};
    update session set ${older('created_at')}, ${older('seen_at')}, ${older('confirmed_at')};
    update letter_link set ${older('ends_at')};
    update sign_in_limit set ${allOlder('recent')}`;
  // It goes through the rows in another order than a server at work, and either may lose to the other.
  // What has lost was undone as a whole.
  for (let runs = 1; ; runs++) {
    try {
      await sql(text);
      return;
    } catch (error) {
      if (!isConflict(error) || runs === CONFLICTS_MAX) throw error;
    }
  }
}

const CONFLICTS_MAX = 100;

const trueNow = performance.now.bind(performance);
let processAheadMs = 0;

/**
 * A second passes at once for what the process remembers, such as its caches: whatever "works within
 * a second" works now. Nothing may be under way, because it would be taken for late.
 */
export function passProcessSecond(): void {
  processAheadMs += 1_000;
  performance.now = () => trueNow() + processAheadMs;
}

/** What accounts hold, and whether it adds up. */
export function moneyOf(sql: RunSql) {
  return {
    async balance(companyId: CompanyId): Promise<{ balance: number; held: number }> {
      const rows = await sql<{ balance: number; held: number }>(
        'select balance, held from account where company_id = $1',
        [companyId],
      );
      return rows[0] as { balance: number; held: number };
    },
    /** The invariants of money; at rest nothing may be held. */
    async assertSoundMoney(): Promise<void> {
      const wrong = await sql(`
        select a.company_id, a.balance, a.held, e.entries, m.charged, e.charges, m.holds
        from account a
        left join lateral (select coalesce(sum(amount), 0) as entries,
          coalesce(-sum(amount) filter (where kind in ('charge', 'charge_moved')), 0) as charges
          from entry where entry.company_id = a.company_id) e on true
        left join lateral (select coalesce(sum(charged), 0) as charged, coalesce(sum(hold), 0) as holds
          from message where message.company_id = a.company_id) m on true
        left join lateral (select coalesce(sum(charged), 0) as charged
          from removed_month where removed_month.company_id = a.company_id) r on true
        where a.balance <> e.entries or m.charged + r.charged <> e.charges or a.held <> m.holds or a.held <> 0`);
      assert.deepEqual(wrong, [], 'money does not add up');
    },
  };
}

/** Runs many at once and gathers their answers: all are started before any is awaited. */
export async function together<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

/** A guard against waiting for ever, far beyond what anything here takes on a busy machine. */
const UNTIL_MS = 60_000;

/** Waits for something that another part brings about on its own, up to a deadline. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    assert(performance.now() - startedAt < UNTIL_MS, `in vain: ${what}`);
    await pause(5);
  }
}

/** Whether a statement waits for a row that another transaction has. */
export async function isSomebodyWaiting(sql: RunSql): Promise<boolean> {
  const rows = await sql(`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows.length > 0;
}
