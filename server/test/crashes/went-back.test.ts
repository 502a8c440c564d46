/** The server that an operator gives: what the doctor says of it, and a failover that goes back. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readServerState } from '../../src/cli/doctor/server-state-store.ts';
import { inSnapshot } from '../../src/db/snapshot.ts';
import { until } from '../harness.ts';
import { queryOnce } from '../query-once.ts';
import { ask, createHome } from '../start/serve-harness.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';

type Checks = { checks: { name: string; ok: boolean; warning?: true; detail: string }[] };

describe('a server with a standby', { concurrency: false }, () => {
  const home = createHome();
  let postgres: ReplicatedPostgres;
  let connection: Awaited<ReturnType<ReplicatedPostgres['createTestDatabase']>>;
  let settings: Record<string, string>;

  before(async () => {
    postgres = await openReplicated();
    connection = await postgres.createTestDatabase();
    settings = { DATABASE_URL: toDatabaseUrl({ ...connection, host: postgres.hosts }) };
  });
  after(async () => {
    await home.remove();
    await postgres?.close();
  });

  /** What the doctor says, by the name of the check: a sign and the detail. */
  async function consult(more: Record<string, string> = {}) {
    const { code, out } = await home.run(['doctor', '--json'], { ...settings, ...more });
    const { checks } = JSON.parse(out) as Checks;
    const sign = ({ ok, warning }: Checks['checks'][number]) => (!ok ? '✗' : warning ? '!' : '✓');
    const of = (name: string) =>
      checks
        .filter((check) => check.name === name)
        .map((check) => `${sign(check)} ${check.detail}`);
    return { code, of };
  }

  const sql = (text: string) => queryOnce(connection, text);

  test('the doctor reads how it replicates, and what it gives a session', async () => {
    const first = await consult();
    assert.equal(first.code, 0);
    assert.deepEqual(first.of('replication'), [
      '! a standby that hangs holds commits up for 60 s; set wal_sender_timeout to 5s',
    ]);
    assert.deepEqual(first.of('timeline'), ['✓ 1, as new as this machine has seen']);
    assert.deepEqual(first.of('limits'), ['✓ the settings of the server fit']);
    // 300 and the three that PostgreSQL keeps for superusers; twice 25 for this start and another.
    assert.deepEqual(first.of('connections'), [
      '✓ 297 may be open; the running nodes and one start need up to 50',
    ]);

    const standby = await consult({ DATABASE_URL: toDatabaseUrl(postgres.onStandby(connection)) });
    assert.equal(standby.code, 1);
    assert.match(standby.of('database')[0] ?? '', /^✗ .*; it is a standby, name its primary$/);

    await sql(`alter database ${connection.database} connection limit 49`);
    assert.deepEqual((await consult()).of('connections'), [
      '! only 49 may be open, up to 50 are needed; raise max_connections or the limit of the role, or set DATABASE_DIRECT_URL and use PgBouncer',
    ]);
    await sql(`alter database ${connection.database} connection limit 24`);
    assert.match((await consult()).of('connections')[0] ?? '', /^✗ only 24 may be open, up to 25/);
    await sql(`alter database ${connection.database} connection limit -1`);

    await sql(`alter database ${connection.database} set idle_session_timeout = '1min'`);
    assert.deepEqual((await consult()).of('limits'), [
      '! idle_session_timeout=60000ms ends connections or transactions that are needed',
    ]);
    await sql(`alter database ${connection.database} reset idle_session_timeout`);
    await sql(
      `alter role zhiber in database ${connection.database} set default_transaction_isolation = 'serializable'`,
    );
    const strict = await consult();
    assert.equal(strict.code, 1);
    assert.deepEqual(strict.of('limits'), [
      '✗ cannot work with default_transaction_isolation=serializable',
    ]);
    await sql(`alter role zhiber in database ${connection.database} reset all`);
  });

  test('a replication slot that nobody reads is seen', async () => {
    await postgres.queryPrimary(`select pg_create_physical_replication_slot('forgotten', true)`);
    const { unreadSlots, standbys } = await inSnapshot(connection, readServerState);
    assert.deepEqual(
      unreadSlots.map(({ name }) => name),
      ['forgotten'],
    );
    // Only those who may read all statistics know its state.
    assert.deepEqual(standbys, [{ name: 'standby', isSync: null, heldTransactions: 0 }]);
    await postgres.queryPrimary(`select pg_drop_replication_slot('forgotten')`);
  });

  test('a database that went back is not written to, neither by a running node nor by a start', async () => {
    const server = await home.serve(settings);
    const { port, keys } = server.facts;
    const key = keys?.test as string;
    const send = (phone: string) => ask(port, { path: '/otp/send', key, body: { phone } });
    const health = async () => (await fetch(`http://localhost:${port}/api/health`)).status;
    assert.equal((await send('+77010000001')).status, 200);

    postgres.kill();
    await postgres.promoteStandby();
    await until('the new primary is used', async () => (await health()) === 200);
    assert.equal((await send('+77010000002')).status, 200);
    const file = path.join(home.dataDir, 'timeline.json');
    await until('its timeline is known', async () =>
      /"timeline":2\b/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual((await consult()).of('timeline'), ['✓ 2, as new as this machine has seen']);

    // The old primary comes back as one, as if the failover had never been.
    postgres.killStandby();
    postgres.restartAlone();
    await until('it is noticed', async () => /went back from timeline 2 to 1/.test(server.err()));
    const refused = await send('+77010000003');
    assert.deepEqual(
      [refused.status, refused.body.error_code, await health()],
      [503, 'service_unavailable', 503],
    );
    assert.deepEqual(await sql('select recipient::text as phone from message'), [
      { phone: '77010000001' },
    ]);
    assert.match((await consult()).of('timeline')[0] ?? '', /^✗ The database went back from/);
    await server.stop('SIGTERM');

    const again = await home.run(['serve'], settings);
    assert.equal(again.code, 1);
    assert.match(again.err, /^The database went back from timeline 2 to 1: [^\n]*\n$/);

    // The operator gives the newer data up.
    assert(again.err.includes(`remove ${file}`));
    rmSync(file);
    const accepted = await home.serve(settings);
    await accepted.stop('SIGTERM');
  });
});
