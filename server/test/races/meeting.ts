/**
 * Makes two servers meet in the database. Released together, their first statements may still miss
 * each other by a millisecond, and a missing lock would go unnoticed. So the row that decides the
 * race is kept locked until both wait for it: whatever they have read by then, they have read at
 * the same time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../src/db/embedded/presence.ts';
import type { TestKey } from '../harness.ts';

/** Takes the lock both servers will ask for; it is rolled back. */
export type MeetingPoint = { text: string; values: unknown[] };

export type Meeting = {
  /** Lets them go on once both have come, and says whether they have. */
  untilMet(): Promise<boolean>;
  end(): Promise<void>;
};

/** A server gives up waiting for a lock after 1,100 ms, and then all who wait are refused. */
const SECOND_LIMIT_MS = 700;
const FIRST_LIMIT_MS = 10_000;
const PAUSE_MS = 4;

export async function holdMeeting(
  connection: Connection,
  { text, values }: MeetingPoint,
): Promise<Meeting> {
  const client = new pg.Client({ ...connection, application_name: 'the test' });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(text, values);
  } catch (error) {
    // A connection that is left open keeps the test file from ending.
    await client.end();
    throw error;
  }

  const countWaiting = async (): Promise<number> => {
    const { rows } = await client.query<{ waiting: number }>(
      // Unlike the views of activity, this one is read anew within a transaction.
      'select count(distinct pid)::integer as waiting from pg_locks where not granted',
    );
    return rows[0]?.waiting ?? 0;
  };

  return {
    async untilMet() {
      let deadline = performance.now() + FIRST_LIMIT_MS;
      let waiting = 0;
      while (waiting < 2 && performance.now() < deadline) {
        await pause(PAUSE_MS);
        const isFirstHere = waiting > 0;
        waiting = await countWaiting();
        if (!isFirstHere && waiting > 0) deadline = performance.now() + SECOND_LIMIT_MS;
      }
      await client.query('rollback');
      return waiting >= 2;
    },
    end: () => client.end(),
  };
}

export function atAccount(...keys: TestKey[]): MeetingPoint {
  return {
    text: 'select from account where company_id = any ($1) order by company_id for update',
    values: [keys.map(({ companyId }) => companyId)],
  };
}

export function atCodes({ keyId }: TestKey): MeetingPoint {
  return { text: 'select from code where key_id = $1 for update', values: [keyId] };
}

export function atName(name: string, { companyId }: TestKey): MeetingPoint {
  return {
    text: `insert into link (folded, slug, company_id, url, created_at)
      values (lower($1), $1, $2, 'https://shop.kz/', clock_timestamp())`,
    values: [name, companyId],
  };
}

export function atIdempotencyKey(
  { keyId }: TestKey,
  path: string,
  idempotencyKey: string,
): MeetingPoint {
  return {
    text: `insert into idempotency (key_id, path, idempotency_key, body_hash, subject, created_at)
      values ($1, $2, $3, '', gen_random_uuid(), clock_timestamp())`,
    values: [keyId, path, idempotencyKey],
  };
}
