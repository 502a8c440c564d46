/**
 * A primary and a synchronous standby, made from the embedded PostgreSQL binaries. While the
 * standby is suspended, a commit on the primary is written but waits: it is invisible for an
 * unknown time.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { chooseAccount, isRoot } from '../../src/db/embedded/account.ts';
import { findBinaries } from '../../src/db/embedded/binaries.ts';
import { run } from '../../src/db/embedded/cluster.ts';
import { until } from '../harness.ts';
import { signalAll } from '../outages/postgres-processes.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const PORT = 5432;
const CONNECTIONS_MAX = 300;

export type ReplicatedPostgres = Awaited<ReturnType<typeof openReplicated>>;

export async function openReplicated() {
  const folder = createTemporaryFolder('pair');
  const account = isRoot() ? chooseAccount() : undefined;
  const binaries = await findBinaries(account);
  const homeOf = (name: 'primary' | 'standby') => path.join(folder, name);
  const clusterOf = (name: 'primary' | 'standby') => path.join(homeOf(name), 'postgres');
  const logOf = (name: 'primary' | 'standby') => path.join(homeOf(name), 'log');
  const chownToAccount = (file: string) => {
    if (account !== undefined) chownSync(file, account.uid, account.gid);
  };
  const children: ChildProcess[] = [];
  let databases = 0;

  const start = (name: 'primary' | 'standby', settings: Record<string, string>) => {
    const all = {
      listen_addresses: '',
      unix_socket_directories: homeOf(name),
      port: String(PORT),
      max_connections: String(CONNECTIONS_MAX),
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const log = openSync(logOf(name), 'a');
    const child = spawn(binaries.postgres, ['-D', clusterOf(name), ...flags], {
      ...account,
      cwd: '/',
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    children.push(child);
  };
  const startPrimary = (standbys = 'standby') =>
    start('primary', { synchronous_standby_names: standbys });
  const query = async (text: string, name: 'primary' | 'standby' = 'primary') => {
    const client = new pg.Client({
      host: homeOf(name),
      port: PORT,
      user: 'postgres',
      database: 'postgres',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } catch {
      return [];
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const waitUntilInSync = () =>
    until('the standby is in sync', async () => {
      const rows = await query(`select from pg_stat_replication where sync_state = 'sync'`);
      return rows.length > 0;
    });

  for (const name of ['primary', 'standby'] as const) {
    mkdirSync(homeOf(name));
    chownToAccount(homeOf(name));
  }
  const init = ['-D', clusterOf('primary'), '--username=postgres', '--auth=trust', '-E', 'UTF8'];
  await run(binaries.initdb, [...init, '--locale=C', '--no-instructions'], account);
  await run(
    binaries.postgres,
    ['--single', '-D', clusterOf('primary'), 'postgres'],
    account,
    'create role zhiber login;\n',
  );
  spawnSync('cp', ['-a', clusterOf('primary'), clusterOf('standby')]);
  const signal = path.join(clusterOf('standby'), 'standby.signal');
  writeFileSync(signal, '');
  chownToAccount(signal);
  startPrimary();
  const upstream = `host=${homeOf('primary')} port=${PORT} user=postgres application_name=standby`;
  // Whoever reads there gives way to the replay at once.
  const startStandby = () =>
    start('standby', { primary_conninfo: upstream, max_standby_streaming_delay: '0' });
  startStandby();
  await waitUntilInSync();

  return {
    /** Creates another empty database. */
    async createTestDatabase() {
      databases += 1;
      const database = `zhiber_${databases}`;
      await query(`create database ${database} owner zhiber`);
      return { host: homeOf('primary'), port: PORT, user: 'zhiber', password: '', database };
    },
    /** The same database on the standby. */
    onStandby: <Database extends { host: string }>(database: Database) => ({
      ...database,
      host: homeOf('standby'),
    }),
    /** Runs a statement there as the superuser. */
    queryStandby: (text: string) => query(text, 'standby'),
    queryPrimary: (text: string) => query(text),
    killStandby: () => void signalAll(homeOf('standby'), 'SIGKILL'),
    async startStandby() {
      startStandby();
      await waitUntilInSync();
    },
    /** Makes commits wait. */
    suspendStandby: () => void signalAll(homeOf('standby'), 'SIGSTOP'),
    async resumeStandby() {
      signalAll(homeOf('standby'), 'SIGCONT');
      await waitUntilInSync();
    },
    hang: () => void signalAll(homeOf('primary'), 'SIGSTOP'),
    resume: () => void signalAll(homeOf('primary'), 'SIGCONT'),
    kill: () => void signalAll(homeOf('primary'), 'SIGKILL'),
    /** Where both are, for a service that finds the primary itself. */
    hosts: `${homeOf('primary')},${homeOf('standby')}`,
    /** Makes the standby the primary, for good. */
    promoteStandby: () =>
      run(binaries.pgCtl, ['promote', '-w', '-D', clusterOf('standby')], account),
    async restart() {
      startPrimary();
      await waitUntilInSync();
    },
    /** Starts the primary as one that has no standby. */
    restartAlone: () => startPrimary(''),
    async close() {
      for (const name of ['standby', 'primary'] as const) {
        signalAll(homeOf(name), 'SIGCONT');
        signalAll(homeOf(name), 'SIGKILL');
      }
      await Promise.all(
        children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')),
      );
      const crashes = [...listCrashes(logOf('primary')), ...listCrashes(logOf('standby'))];
      rmSync(folder, { recursive: true, force: true });
      assert.deepEqual(crashes, [], 'PostgreSQL itself has crashed');
    },
  };
}

/** Processes of PostgreSQL that ended by a fault of their own, and what they were running. */
function listCrashes(log: string): string[] {
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => /by signal (?:4|6|7|8|11):|PANIC:|Failed process was/.test(line));
}
