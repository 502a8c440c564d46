/**
 * Makes two servers contend for the same row. Requests released together may still reach the
 * database a millisecond apart, and a missing lock would go unnoticed. So the test holds the row
 * that decides the race until both servers wait for it: then both have read the same state.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../src/db/embedded/presence.ts';
import type { TestKey } from '../harness.ts';

/** The statement that takes the lock which both servers need. It is rolled back. */
export type LockStatement = { text: string; values: unknown[] };

export type HeldLock = {
  /** Releases the lock once both servers wait for it. False when one of them never did. */
  releaseWhenContended(): Promise<boolean>;
  end(): Promise<void>;
};

/** Shorter than the 1,100 ms after which a server stops waiting for a lock. */
const SECOND_LIMIT_MS = 700;
const FIRST_LIMIT_MS = 10_000;
const PAUSE_MS = 4;

export async function holdLock(
  connection: Connection,
  { text, values }: LockStatement,
): Promise<HeldLock> {
  const client = new pg.Client({ ...connection, application_name: 'the test' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(text, values);
  } catch (error) {
    // An open connection keeps the test file from ending.
    await client.end();
    throw error;
  }

  const countWaiting = async (): Promise<number> => {
    const { rows } = await client.query<{ waiting: number }>(
      // Unlike pg_stat_activity, this view is not cached within a transaction.
      'select count(distinct pid)::integer as waiting from pg_locks where not granted',
    );
    return rows[0]?.waiting ?? 0;
  };

  return {
    async releaseWhenContended() {
      let deadline = performance.now() + FIRST_LIMIT_MS;
      let waiting = 0;
      while (waiting < 2 && performance.now() < deadline) {
        await pause(PAUSE_MS);
        const wasWaiting = waiting > 0;
        waiting = await countWaiting();
        if (!wasWaiting && waiting > 0) deadline = performance.now() + SECOND_LIMIT_MS;
      }
      await client.query('rollback');
      return waiting >= 2;
    },
    end: () => client.end(),
  };
}

export function lockAccounts(...keys: TestKey[]): LockStatement {
  return {
    text: 'select from account where company_id = any ($1) order by company_id for update',
    values: [keys.map(({ companyId }) => companyId)],
  };
}

export function lockCodes({ keyId }: TestKey): LockStatement {
  return { text: 'select from code where key_id = $1 for update', values: [keyId] };
}

export function lockAlias(alias: string, { companyId }: TestKey): LockStatement {
  return {
    text: `insert into link (slug_key, slug, company_id, url, created_at)
      values (lower($1), $1, $2, 'https://shop.kz/', clock_timestamp())`,
    values: [alias, companyId],
  };
}

export function lockIdempotencyKey(
  { keyId }: TestKey,
  path: string,
  idempotencyKey: string,
): LockStatement {
  return {
    text: `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at)
      values ($1, $2, $3, '', gen_random_uuid(), clock_timestamp())`,
    values: [keyId, path, idempotencyKey],
  };
}
