/**
 * A backup that is made under load and restored elsewhere: codes in flight verify, links open, the
 * audit is clean; and everything that must be refused.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { ask, createHome, createSql } from './serve-harness.ts';
import { readCode } from './upgrade/fixture.ts';

const URL_BEHIND_LINK = 'https://example.kz/orders/4711';
const PHONE = '+77010000001';
const HOOK = 'http://localhost:9/hook';

type Home = ReturnType<typeof createHome>;

const folder = createTemporaryFolder('backup');
const file = path.join(folder, 'whole.sql.gz');
const bareFile = path.join(folder, 'without-secret.sql.gz');
const source = createHome();
const homes = [source];
const newHome = (): Home => {
  const home = createHome(undefined, false);
  homes.push(home);
  return home;
};
let key = '';
let code = '';
let slug = '';

const run = async (home: Home, ...args: string[]) => {
  const { code: exitCode, out, err } = await home.run([...args, '--json']);
  const report = JSON.parse(out === '' ? '{}' : out) as Record<string, unknown>;
  return { exitCode, report, said: String(report.error ?? err) };
};

describe('backup and restore', { concurrency: false }, () => {
  before(async () => {
    const server = await source.serve();
    const { port, keys } = server.facts;
    key = keys?.live as string;
    const sent = await ask(port, { path: '/otp/send', key, body: { phone: PHONE } });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    code = await readCode(port, PHONE);
    const link = await ask(port, { path: '/links/shorten', key, body: { url: URL_BEHIND_LINK } });
    slug = String(link.body.short_url).split('/').at(-1) as string;
    await leaveWorkUnderWay(source);

    // Ten at a time, each to another phone, until the backup is there.
    let isDone = false;
    let count = 0;
    const send = async () => {
      while (!isDone) {
        const phone = `+7702${String(count++).padStart(7, '0')}`;
        const { status } = await ask(port, { path: '/otp/send', key, body: { phone } });
        assert.ok([200, 402, 429].includes(status), String(status));
      }
    };
    const load = Promise.all(Array.from({ length: 10 }, send));
    const written = await run(source, 'backup', file);
    isDone = true;
    await load;
    assert.deepEqual(
      { ...written.report, bytes: 0, rows: 0, at: '' },
      {
        ok: true,
        file,
        bytes: 0,
        rows: 0,
        has_secret: true,
        at: '',
        is_checked: true,
        violations: [],
      },
      written.said,
    );
    const bare = await run(source, 'backup', bareFile, '--without-secret', '--unchecked');
    assert.equal(bare.report.has_secret, false, bare.said);
    await server.stop('SIGTERM');
  });
  after(async () => {
    for (const home of homes) await home.remove();
    rmSync(folder, { recursive: true });
  });

  test('the file is private, whole, alone, and plain SQL', () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder).sort(), ['whole.sql.gz', 'without-secret.sql.gz']);
    const text = gunzipSync(readFileSync(file)).toString();
    assert.match(text, /^-- zhiber backup \{"format":1,/);
    const secret = readFileSync(path.join(source.dataDir, 'secret'), 'utf8');
    assert.ok(text.includes(secret));
    assert.ok(!gunzipSync(readFileSync(bareFile)).toString().includes(secret));
  });

  test('restored elsewhere: the code verifies once, the link opens, nothing goes on by itself', async () => {
    const home = newHome();
    const { report, said, exitCode } = await run(home, 'restore', file);
    assert.equal(exitCode, 0, said);
    assert.equal(report.has_brought_secret, true);
    const stopped = report.stopped as Record<string, number>;
    assert.equal(stopped.broadcasts, 2);
    // The fallback of at least the one code.
    assert.ok(Number(stopped.fallbacks) >= 1, JSON.stringify(stopped));
    assert.equal(stopped.webhooks, 1);
    assert.equal((await run(home, 'audit')).exitCode, 0);

    const server = await home.serve();
    const { port } = server.facts;
    assert.equal(server.facts.migrations.applied, 0);
    const verify = () => ask(port, { path: '/otp/verify', key, body: { phone: PHONE, code } });
    assert.equal((await verify()).status, 200);
    assert.equal((await verify()).body.error_code, 'code_already_used');
    const opened = await fetch(`http://localhost:${port}/s/${slug}`, { redirect: 'manual' });
    assert.equal(opened.headers.get('location'), URL_BEHIND_LINK);
    const sent = await ask(port, { path: '/otp/send', key, body: { phone: '+77030000001' } });
    assert.ok([200, 402].includes(sent.status), JSON.stringify(sent.body));

    const sql = createSql(home.dataDir);
    const [left] = await sql(`select
      (select count(*)::int from broadcast where state = 'paused' and pause_reason = 'operator') as paused,
      (select count(*)::int from broadcast where state in ('running', 'scheduled')) as live,
      (select count(*)::int from webhook_delivery where state = 'waiting'
        and event_id = '01a1f426-0000-7000-8000-000000000001') as waiting`);
    assert.deepEqual(left, { paused: 2, live: 0, waiting: 0 });
    await server.stop('SIGTERM');
    assert.equal((await run(home, 'audit')).exitCode, 0);
    const again = await run(home, 'restore', file);
    assert.match(again.said, /not empty/);
  });

  test('without its secret a backup is refused, and with it taken', async () => {
    const missing = await run(newHome(), 'restore', bareFile);
    assert.match(
      missing.said,
      /was made without the secret with the fingerprint [0-9a-f]{8}: set SECRET/,
    );
    const home = newHome();
    const wrong = await home.run(['restore', file, '--json'], { SECRET: 'x'.repeat(32) });
    assert.match(wrong.out, /SECRET is another\. It is in the backup: do not set SECRET/);
    assert.ok(!existsSync(path.join(home.dataDir, 'postgres')), 'a refusal makes no database');
    const SECRET = readFileSync(path.join(source.dataDir, 'secret'), 'utf8');
    const right = await home.run(['restore', bareFile, '--json'], { SECRET });
    assert.equal(right.code, 0, right.out + right.err);
  });

  test('a packed file that is cut off, changed, or no backup is refused, and leaves nothing', async () => {
    const home = newHome();
    const packed = readFileSync(file);
    const broken: [string, Buffer, RegExp][] = [
      ['cut', packed.subarray(0, packed.length - 100), /cut off/],
      ['a flipped byte', flipped(packed), /damaged|cut off/],
      ['no gzip', gunzipSync(packed), /is not a backup/],
    ];
    for (const [name, bytes, expected] of broken) {
      const bad = path.join(folder, 'bad.gz');
      writeFileSync(bad, bytes);
      const { said, exitCode } = await run(home, 'restore', bad);
      assert.equal(exitCode, 1, name);
      assert.match(said, expected, name);
    }
    const good = await run(home, 'restore', file);
    assert.equal(good.exitCode, 0, good.said);
  });

  test('a backup is not written over another file, nor half where it cannot be written', async () => {
    const twice = await run(source, 'backup', file, '--unchecked');
    assert.match(twice.said, /exists already/);
    const nowhere = await run(source, 'backup', path.join(file, 'x.gz'), '--unchecked');
    assert.match(nowhere.said, /whole\.sql\.gz/);
  });
});

/** Changes a byte in the middle. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(copy.length / 2);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** Work that nobody finishes while the server runs, as it is found in a backup. */
async function leaveWorkUnderWay(home: Home): Promise<void> {
  const sql = createSql(home.dataDir);
  const [{ id: company } = { id: 0 }] = await sql<{ id: number }>(
    'select company_id as id from api_key order by id limit 1',
  );
  await sql(
    `insert into broadcast (id, company_id, name, state, start_at, started_at, next_tick_at) values
      (new_id(), $1, 'Ждёт', 'scheduled', clock_timestamp() + interval '2 days', null, 'infinity'),
      (new_id(), $1, 'Ждёт', 'scheduled', clock_timestamp() + interval '1 day', null, 'infinity')`,
    [company],
  );
  const [{ id: endpoint } = { id: 0 }] = await sql<{ id: number }>(
    `insert into webhook_endpoint (company_id, url, events) values ($1, $2, array['otp.verified'])
     returning id::int`,
    [company, HOOK],
  );
  await sql(
    `insert into webhook_event (id, company_id, type, at, is_test, data)
     values ('01a1f426-0000-7000-8000-000000000001', $1, 'otp.verified', clock_timestamp(), false, '{}')`,
    [company],
  );
  await sql(
    `insert into webhook_delivery (company_id, endpoint_id, event_id, type, state, next_try_at)
     values ($1, $2, '01a1f426-0000-7000-8000-000000000001', 'otp.verified', 'waiting', 'infinity')`,
    [company, endpoint],
  );
}
