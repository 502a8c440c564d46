import type { Channel } from '@zhiber/contract/api/channel.ts';
import pg from 'pg';
import type { Receipt } from '../../src/channels/channel.ts';
import type { Database } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/sql.ts';
import { LEASE_SECONDS } from '../../src/delivery/fall-back.ts';
import type { AttemptState } from '../../src/delivery/settle-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';

/** Rows hold times as ages in seconds. A negative age is in the future. */
type Age = number;

export type MessageRow = {
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: Receipt | 'unconfirmed' | null;
  channel: Channel | null;
  route: string;
  attempt: number;
  hold: number;
  charged: number;
  pending_price: number | null;
  created_at: Age;
  settled_at: Age | null;
  delivered_at: Age | null;
  next_check_at: Age;
};
export type AttemptRow = {
  number: number;
  channel: Channel;
  state: AttemptState | 'sending';
  receipt: MessageRow['receipt'];
  started_at: Age;
};
export type CodeRow = {
  mac: string | null;
  sealed: string | null;
  expires_at: Age;
  verified_at: Age | null;
};

/**
 * The rows of one company and its one message. They have all columns, so that they can be restored.
 * The types name only the columns that the model reads.
 */
export type StoredRows = {
  account: { balance: number; held: number; entered: number };
  message: MessageRow[];
  attempt: AttemptRow[];
  entry: { kind: string; amount: number }[];
  recent_sends: { recent: Age[] }[];
  code: CodeRow[];
  early_receipt: { attempt: number; receipt: string }[];
};

/** Every timeout of a send has expired at this age, so greater ages are equivalent. */
const OLDEST: Age = LEASE_SECONDS;
/** The position of the cursor of the watch. A message that it has passed is older. */
const CURSOR: Age = 1_000;
const PASSED: Age = 2_000;
const NOT_EXPIRED: Age = -100;
/** More than a statement takes, less than any timeout. */
const MOMENT_SECONDS = 2;

const TABLES = ['message', 'attempt', 'entry', 'recent_sends', 'code', 'early_receipt'] as const;

const READ = `
  select extract(epoch from clock_timestamp())::float8 as now,
    (select extract(epoch from checked_until)::float8 from watch) as cursor,
    (select jsonb_build_object('balance', balance, 'held', held, 'entered',
      (select sum(amount) from entry where company_id = $1)) from account where company_id = $1) as account,
    ${TABLES.map(
      (table) => `(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from ${table} t
        where company_id = $1 ${table === 'entry' ? "and kind::text like 'charge%'" : ''}) as ${table}`,
    ).join(', ')}`;

const RESTORE = `
  create function pg_temp.restore_rows(p_company bigint, p_rows jsonb) returns void language plpgsql as $$
  begin
    update account set balance = (p_rows->'account'->>'balance')::bigint,
      held = (p_rows->'account'->>'held')::bigint where company_id = p_company;
    update watch set checked_until = clock_timestamp() - interval '${CURSOR} seconds';
    ${TABLES.map(
      (table) =>
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, p_rows->'${table}');`,
    ).join('\n')}
  end $$`;

type ReadRow = { now: number; cursor: number; account: StoredRows['account'] } & Record<
  (typeof TABLES)[number],
  RawRow[]
>;
type RawRow = Record<string, unknown>;

/**
 * Reads and restores the rows of one company, each time in a transaction that is never committed.
 * Rows are read in a normal form (ages on a grid, entry ids by position), so that two results are
 * equal exactly when no statement can distinguish them.
 */
export class RowStore {
  readonly sql: Sql;
  readonly #client: pg.Client;
  readonly #companyId: CompanyId;
  readonly #grid: TimeGrid;
  readonly #causes = Array.from({ length: 16 }, () => newId(Date.now())).sort();

  private constructor(client: pg.Client, companyId: CompanyId, grid: TimeGrid) {
    this.#client = client;
    this.#companyId = companyId;
    this.#grid = grid;
    this.sql = {
      async query<T>(text: string, values?: readonly unknown[], name?: string): Promise<T[]> {
        const named = name === undefined ? {} : { name };
        const result = await client.query({ text, values: values as unknown[], ...named });
        return result.rows as T[];
      },
    };
  }

  /** Opens its own connection, because the timeouts of the service would end a long exploration. */
  static async open(db: Database, companyId: CompanyId, grid: TimeGrid): Promise<RowStore> {
    const { host, port, user, password, database, types } = db.pool.options;
    const client = new pg.Client({
      host,
      port,
      user,
      password,
      database,
      types,
    } as pg.ClientConfig);
    await client.connect();
    await client.query(RESTORE);
    // The same few statements run many thousand times on almost empty tables.
    await client.query('set plan_cache_mode = force_generic_plan');
    return new RowStore(client, companyId, grid);
  }

  async read(): Promise<StoredRows> {
    const rows = await this.sql.query<ReadRow>(READ, [this.#companyId], 'read-model-rows');
    return this.#toNormalForm(rows[0] as ReadRow);
  }

  /** Restores these rows, runs a statement, and reads the rows afterwards. */
  async runOn<T>(
    rows: StoredRows,
    run: (sql: Sql) => Promise<T>,
  ): Promise<{ value: T; rows: StoredRows }> {
    const text = JSON.stringify(withDates(rows)).replaceAll("'", "''");
    await this.#client.query(
      `rollback; begin; select pg_temp.restore_rows(${this.#companyId}, '${text}')`,
    );
    return { value: await run(this.sql), rows: await this.read() };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  #toNormalForm(read: ReadRow): StoredRows {
    const ageOf = (time: unknown) => read.now - Date.parse(time as string) / 1_000;
    const isSending = read.message.some((row) => row.state === 'sending');
    const isSent = read.message.some((row) => row.state === 'sent');
    const past = (time: unknown, counts = false) =>
      time === null ? null : counts ? this.#grid.past(ageOf(time)) : OLDEST;

    return {
      account: read.account,
      message: read.message.map((row) => ({
        ...row,
        created_at: past(row.created_at, isSending),
        settled_at: past(row.settled_at, isSent),
        receipt_at: past(row.receipt_at),
        delivered_at: past(row.delivered_at),
        next_check_at:
          ageOf(row.next_check_at) >= read.now - read.cursor
            ? PASSED
            : this.#grid.due(ageOf(row.next_check_at)),
      })) as unknown as MessageRow[],
      attempt: sorted(read.attempt).map((row) => ({
        ...row,
        started_at: past(row.started_at, row.state === 'sending'),
        settled_at: past(row.settled_at),
        receipt_at: past(row.receipt_at),
        delivered_at: past(row.delivered_at),
      })) as unknown as AttemptRow[],
      entry: sorted(read.entry.map((row) => ({ ...row, cause: null, created_at: OLDEST }))).map(
        (row, i) => ({ ...row, cause: this.#causes[i] }),
      ) as unknown as StoredRows['entry'],
      recent_sends: read.recent_sends.map((row) => ({
        ...row,
        recent: (row.recent as string[]).map((time) => past(time, isSending)),
      })) as unknown as StoredRows['recent_sends'],
      code: read.code.map((row) => ({
        ...row,
        expires_at: ageOf(row.expires_at) >= 0 && canExpire(row) ? OLDEST : NOT_EXPIRED,
        verified_at: past(row.verified_at),
      })) as unknown as CodeRow[],
      early_receipt: sorted(
        read.early_receipt.map((row) => ({ ...row, at: OLDEST })),
      ) as unknown as StoredRows['early_receipt'],
    };
  }
}

/**
 * Time passes in steps that are far longer than a statement takes. Ages are rounded to whole steps,
 * and a due time between two steps is moved to the next one.
 */
export class TimeGrid {
  readonly stepSeconds: number;

  constructor(stepSeconds: number) {
    this.stepSeconds = stepSeconds;
  }

  past(seconds: number): Age {
    const steps = Math.max(Math.round(seconds / this.stepSeconds), 0);
    return Math.min(steps * this.stepSeconds, OLDEST);
  }

  due(seconds: number): Age {
    const steps = Math.ceil((-seconds - MOMENT_SECONDS) / this.stepSeconds);
    return steps > 0 ? -steps * this.stepSeconds : 0;
  }
}

function sorted<T extends RawRow>(rows: T[]): T[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** The rows after some seconds. The expiry of a code is a separate step. */
export function later(rows: StoredRows, seconds: number): StoredRows {
  const older = (age: Age) => Math.min(age + seconds, OLDEST);
  return {
    ...rows,
    message: rows.message.map((row) => ({
      ...row,
      created_at: older(row.created_at),
      settled_at: row.settled_at === null ? null : older(row.settled_at),
      next_check_at:
        row.next_check_at === PASSED ? PASSED : Math.min(row.next_check_at + seconds, 0),
    })),
    attempt: rows.attempt.map((row) => ({ ...row, started_at: older(row.started_at) })),
    recent_sends: rows.recent_sends.map((row) => ({ ...row, recent: row.recent.map(older) })),
  };
}

export function withExpiredCode(rows: StoredRows): StoredRows {
  const expired = (row: CodeRow) => (canExpire(row) ? { ...row, expires_at: OLDEST } : row);
  return { ...rows, code: rows.code.map(expired) };
}

/** The expiry of a used or withdrawn code without a sealed copy is never read. */
function canExpire(code: { mac?: unknown; sealed?: unknown; verified_at?: unknown }): boolean {
  return code.sealed !== null || (code.mac !== null && code.verified_at === null);
}

function withDates(rows: StoredRows): unknown {
  const nowMs = Date.now();
  const toDate = (age: Age) => new Date(nowMs - age * 1_000).toISOString();
  const timeColumns = /_at$|^at$|^recent$|^failed_at$/;
  const convert = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(convert) : typeof value === 'number' ? toDate(value) : value;
  return Object.fromEntries(
    Object.entries(rows).map(([table, content]) => [
      table,
      Array.isArray(content)
        ? content.map((row) =>
            Object.fromEntries(
              Object.entries(row).map(([column, value]) => [
                column,
                timeColumns.test(column) ? convert(value) : value,
              ]),
            ),
          )
        : content,
    ]),
  );
}
