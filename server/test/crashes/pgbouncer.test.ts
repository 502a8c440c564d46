/** The service behind PgBouncer in transaction mode, with a direct address for what needs a session. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chooseAccount, isRoot } from '../../src/db/embedded/account.ts';
import type { ServerConnection } from '../copy-database.ts';
import { globalSetup, globalTeardown } from '../database-server.ts';
import { freePort } from '../free-port.ts';
import { freshPhones, until } from '../harness.ts';
import { queryOnce } from '../query-once.ts';
import { ask, createHome } from '../start/serve-harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { cloneTemplate, toDatabaseUrl } from '../test-database.ts';

const SECRET = 'the secret of this test, and of no other';
const SENDS = 60;
/** Fewer than the service has connections, so that they share sessions. */
const SESSIONS = 6;

function skipReason(): string | false {
  const { stdout, error } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  if (error !== undefined) return 'PgBouncer is not installed';
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  const isNewEnough = Number(major) > 1 || Number(minor) >= 21;
  return isNewEnough
    ? false
    : `PgBouncer ${major}.${minor} knows no prepared statements; 1.21 does`;
}

describe('behind PgBouncer in transaction mode', { skip: skipReason(), concurrency: false }, () => {
  const home = createHome();
  let bouncer: ChildProcess;
  let settings: Record<string, string>;
  let direct: ServerConnection;

  before(async () => {
    await globalSetup();
    direct = await cloneTemplate('pooled');
    const port = await freePort();
    bouncer = startBouncer(port, direct);
    const pooled = { ...direct, host: '127.0.0.1', port };
    await until('PgBouncer serves', () =>
      queryOnce(pooled, 'select').then(
        () => true,
        () => false,
      ),
    );
    settings = {
      SECRET,
      DATABASE_URL: toDatabaseUrl(pooled),
      DATABASE_DIRECT_URL: toDatabaseUrl(direct),
    };
  });
  after(async () => {
    bouncer?.kill('SIGTERM');
    await home.remove();
    await globalTeardown();
  });

  test('codes are sent and verified, a second start does not hang, and the audit is clean', async () => {
    const server = await home.serve(settings);
    const { port, keys } = server.facts;
    const newPhone = freshPhones();
    const key = keys?.test;
    assert(key !== undefined);
    const sent = await Promise.all(
      Array.from({ length: SENDS }, () =>
        ask(port, { path: '/otp/send', key, body: { phone: newPhone() } }),
      ),
    );
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [200]);
    const phone = '+77000000000';
    assert.equal((await ask(port, { path: '/otp/send', key, body: { phone } })).status, 200);
    const verified = { path: '/otp/verify', key, body: { phone, code: '000000' } };
    assert.equal((await ask(port, verified)).status, 200);
    await server.stop('SIGTERM');

    const again = await home.serve(settings);
    assert.equal(again.facts.migrations.applied, 0);
    await again.stop('SIGTERM');
    const audit = await home.run(['audit'], settings);
    assert.equal(audit.code, 0, audit.out + audit.err);
  });

  test('statements have the time limits of the role', async () => {
    const pooled = settings.DATABASE_URL as string;
    const [row] = await queryOnce<{ limit: string }>(
      { connectionString: pooled },
      "select current_setting('statement_timeout') as limit",
    );
    assert.notEqual(row?.limit, '0');
  });
});

function startBouncer(port: number, server: ServerConnection): ChildProcess {
  const folder = createTemporaryFolder('pgbouncer');
  const account = isRoot() ? chooseAccount() : undefined;
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SESSIONS}
`,
  );
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  return spawn('pgbouncer', [file], { ...account, stdio: 'ignore' });
}
