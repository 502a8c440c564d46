import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import type { Connection } from '../../src/db/connection.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { onReplica, openReplica, type Reads } from '../../src/db/read-replica.ts';
import { inSnapshot } from '../../src/db/snapshot.ts';
import { until } from '../harness.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';

const STATEMENT_MS = 1_500;
/** What a frozen replica costs the first reader: its statement, and that of the primary. */
const ANSWER_MS_MAX = 4_000;
const LAG_MAX_MS = 500;
/** Longer than anything here takes. */
const LONG_SECONDS = 20;

const log = pino({ level: 'silent' });
let postgres: ReplicatedPostgres;
let primary: Database;
let connection: Connection;
let reads: Reads;
let heartbeat: NodeJS.Timeout;

before(async () => {
  postgres = await openReplicated();
  const database = await postgres.createTestDatabase();
  connection = database;
  primary = openDatabase(connection, log, STATEMENT_MS);
  await primary.query('create table pulse (at timestamptz)');
  await primary.query('insert into pulse values (now())');
  // As running nodes do, so that a replica that follows is never behind.
  heartbeat = setInterval(() => {
    primary.query('update pulse set at = now()').catch(() => undefined);
  }, 100);
  reads = await openReplica({
    primary,
    primaryConnection: connection,
    replica: postgres.onStandby(database),
    log,
    statementMs: STATEMENT_MS,
    lagMaxMs: LAG_MAX_MS,
  });
});
after(async () => {
  clearInterval(heartbeat);
  await reads?.close();
  await primary?.close();
  await postgres?.close();
});

async function isFromReplica(): Promise<boolean> {
  const [row] = await reads.query<{ is_replica: boolean }>(
    'select pg_is_in_recovery() as is_replica',
  );
  return row?.is_replica ?? false;
}

const untilFromReplica = () => until('reads come from the replica', isFromReplica);
const untilFromPrimary = () =>
  until('reads come from the primary', async () => !(await isFromReplica()));

test('reads come from the replica', async () => {
  await untilFromReplica();
  assert.notEqual(reads.connection, connection);
});

test('a replica that is too far behind is not read until it has caught up', async () => {
  await untilFromReplica();
  await postgres.queryStandby('select pg_wal_replay_pause()');
  await untilFromPrimary();
  assert.equal(reads.connection, connection);
  await postgres.queryStandby('select pg_wal_replay_resume()');
  await untilFromReplica();
});

test('a frozen replica costs its readers one time limit, and then nothing', async () => {
  await untilFromReplica();
  postgres.suspendStandby();
  try {
    const startedAt = performance.now();
    assert.equal(await isFromReplica(), false);
    assert(performance.now() - startedAt < ANSWER_MS_MAX);
    // The others do not ask it any more.
    const nextAt = performance.now();
    assert.equal(await isFromReplica(), false);
    assert(performance.now() - nextAt < STATEMENT_MS);
  } finally {
    await postgres.resumeStandby();
  }
  await untilFromReplica();
});

test('long work that the replica breaks off is done on the primary', async () => {
  await untilFromReplica();
  await primary.query('create table broken_off as select 7 as number');
  await until('the replica has the table', async () => {
    const rows = await postgres.queryStandby('select 1');
    return rows.length === 1 && (await isFromReplica());
  });
  const slow = `select number, pg_sleep(case when pg_is_in_recovery() then ${LONG_SECONDS} else 0 end) from broken_off`;
  const connections: Connection[] = [];
  const [rows] = await Promise.all([
    onReplica({ reads, connection }, async (chosen) => {
      connections.push(chosen);
      return await inSnapshot(chosen, (sql) => sql.query<{ number: number }>(slow));
    }),
    // The standby has to take this lock away from its reader.
    until('the reader runs', async () => {
      const [row] = (await postgres.queryStandby(
        `select count(*)::integer as n from pg_stat_activity where query like 'select number, pg_sleep%'`,
      )) as { n: number }[];
      return row?.n === 1;
    }).then(() => primary.query('alter table broken_off add column other integer')),
  ]);
  assert.equal(rows[0]?.number, 7);
  assert.deepEqual(connections, [postgres.onStandby(connection as { host: string }), connection]);
  await untilFromReplica();
});

test('while the replica is dead reads go on, and come back to it when it is', async () => {
  await untilFromReplica();
  postgres.killStandby();
  assert.equal(await isFromReplica(), false);
  await postgres.startStandby();
  await untilFromReplica();
});

test('an error of the statement itself is not asked of the primary', async () => {
  await untilFromReplica();
  await assert.rejects(reads.query('select no_column from pulse'), /no_column/);
  // A write would succeed there.
  await assert.rejects(reads.query('insert into pulse values (now())'), /read-only/);
});
