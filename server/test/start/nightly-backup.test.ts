/** The backup of every night: made by one of the nodes, removed when it is old, and its failure is seen. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createHome, createSql } from './serve-harness.ts';

const DEADLINE_MS = 120_000;

describe('the nightly backup', { concurrency: false }, () => {
  const home = createHome();
  const folder = createTemporaryFolder('nightly');
  const BACKUP_DIR = path.join(folder, 'backups');
  const sql = createSql(home.dataDir);
  after(async () => {
    await home.remove();
    rmSync(folder, { recursive: true });
  });

  /** Does not wait for the night. */
  const runJob = async (): Promise<string> => {
    await sql(`delete from pgboss.job where name = 'back-up'`);
    const [job] = await sql<{ id: string }>(
      `insert into pgboss.job (name, retry_limit) values ('back-up', 0) returning id`,
    );
    const deadline = Date.now() + DEADLINE_MS;
    while (Date.now() < deadline) {
      const [row] = await sql<{ state: string }>(
        'select state::text from pgboss.job where id = $1',
        [job?.id],
      );
      if (row?.state === 'completed' || row?.state === 'failed') return row.state;
      await pause(100);
    }
    throw new Error('the job did not end');
  };
  const check = async () => {
    const { out } = await home.run(['doctor', '--json'], { BACKUP_DIR });
    const { checks } = JSON.parse(out) as {
      checks: { name: string; ok: boolean; warning?: true; detail: string }[];
    };
    return checks.find(({ name }) => name === 'backup');
  };

  test('is made and kept for its days; a failure removes nothing, and is shown until the next is whole', async () => {
    mkdirSync(BACKUP_DIR);
    const old = 'zhiber-2020-01-01-031000.sql.gz';
    const others = ['notes.txt', 'zhiber-old.sql.gz'];
    for (const name of [old, `${old}.123.part`, ...others]) {
      writeFileSync(path.join(BACKUP_DIR, name), '');
    }
    const opsPort = await freePort();
    const server = await home.serve({ BACKUP_DIR, OPS_PORT: String(opsPort) });
    const scrape = async (name: string) => {
      const text = await (await fetch(`http://localhost:${opsPort}/metrics`)).text();
      const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
      return value === undefined ? undefined : Number(value);
    };
    assert.equal(await scrape('zhiber_backup_last_success_timestamp_seconds'), undefined);
    assert.equal((await check())?.warning, undefined, 'the first night is still to come');

    // A file in place of the folder: nothing can be written below it.
    const hidden = `${BACKUP_DIR}-hidden`;
    renameSync(BACKUP_DIR, hidden);
    writeFileSync(BACKUP_DIR, '');
    assert.equal(await runJob(), 'failed');
    assert.equal(await scrape('zhiber_backup_failed'), 1);
    const failed = await check();
    assert.match(
      `${failed?.warning} ${failed?.detail}`,
      /true the last nightly one failed: .*missing/,
    );
    rmSync(BACKUP_DIR);
    renameSync(hidden, BACKUP_DIR);
    assert.ok(readdirSync(BACKUP_DIR).includes(old));

    assert.equal(await runJob(), 'completed');
    const left = readdirSync(BACKUP_DIR).filter((name) => !others.includes(name));
    assert.equal(left.length, 1, left.join());
    assert.match(left[0] as string, /^zhiber-\d{4}-\d\d-\d\d-\d{6}\.sql\.gz$/);
    assert.equal(readdirSync(BACKUP_DIR).length, 3);
    assert.equal(await scrape('zhiber_backup_failed'), 0);
    const at = (await scrape('zhiber_backup_last_success_timestamp_seconds')) ?? 0;
    assert.ok(Math.abs(Date.now() / 1_000 - at) < 120, String(at));
    assert.ok(((await scrape('zhiber_backup_last_size_bytes')) ?? 0) > 10_000);
    assert.match(String((await check())?.detail), /^0\.0 hours old: /);

    // What other nodes, or nights that were missed, still have queued.
    assert.equal(await runJob(), 'completed');
    assert.equal(readdirSync(BACKUP_DIR).length, 3);
    await server.stop('SIGTERM');
  });
});
