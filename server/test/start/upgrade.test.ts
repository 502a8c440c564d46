/**
 * Starts this version on a small database of every released version. Existing codes, links, money
 * and sessions must still work.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { MANIFEST_PREFIX } from '../../src/db/dump/format.ts';
import { loadDump } from '../../src/db/dump/load-dump.ts';
import { parseDump } from '../../src/db/dump/parse-dump.ts';
import { openEmbedded } from '../../src/db/embedded.ts';
import { ask, connectTo, createHome } from './serve-harness.ts';
import { callCabinet, type FixtureFacts } from './upgrade/fixture.ts';
import { findPreviousRelease } from './upgrade/release.ts';

const VERSIONS = path.join(import.meta.dirname, 'upgrade/versions');
const NEW_PHONE = '+77010000077';
const WHATSAPP_PRICE = 3;

const versions = globSync('*.sql', { cwd: VERSIONS }).map((file) => path.basename(file, '.sql'));

test('there is a fixture of the first release', () => {
  assert.ok(versions.includes('0.1.0'), versions.join());
});

for (const version of versions) {
  describe(`a database of ${version}`, { concurrency: false }, () => {
    const read = (extension: string) =>
      readFileSync(path.join(VERSIONS, `${version}.${extension}`), 'utf8');
    const facts = JSON.parse(read('json')) as FixtureFacts;
    // However old the fixture is, its message must not have been deleted.
    const settings = { SECRET: facts.secret, KEEP_MESSAGES_DAYS: '3650' };
    const home = createHome();
    let port = 0;
    before(async () => {
      await restore(home.dataDir, read('sql'));
      port = (await home.serve(settings)).facts.port;
    });
    after(() => home.remove());

    test('an unverified code is verified, once', async () => {
      const { key, phone, code } = facts;
      const verify = () => ask(port, { path: '/otp/verify', key, body: { phone, code } });
      assert.equal((await verify()).status, 200);
      assert.equal((await verify()).body.error_code, 'code_already_used');
    });

    test('a short link redirects', async () => {
      const url = `http://localhost:${port}/s/${facts.slug}`;
      const response = await fetch(url, { redirect: 'manual' });
      assert.equal(response.status, 302);
      assert.equal(response.headers.get('location'), facts.url);
    });

    test('the balance is kept and can be spent', async () => {
      const sent = await ask(port, {
        path: '/otp/send',
        key: facts.key,
        body: { phone: NEW_PHONE, channel: 'whatsapp' },
      });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      assert.equal(sent.body.balance, facts.balance - WHATSAPP_PRICE);
    });

    test('a session stays signed in', async () => {
      const response = await callCabinet(port, '/session', { cookie: facts.cookie });
      const { person } = (await response.json()) as { person: { phone: string } };
      assert.equal(person.phone, facts.ownerPhone);
    });

    test('the audit finds no violation', async () => {
      const audit = await home.run(['audit'], settings);
      assert.equal(audit.code, 0, audit.out + audit.err);
    });
  });
}

describe('a database that is behind', { concurrency: false }, () => {
  const version = findPreviousRelease();
  const read = (extension: string) =>
    readFileSync(path.join(VERSIONS, `${version}.${extension}`), 'utf8');
  const { secret } = JSON.parse(read('json')) as FixtureFacts;
  const settings = { SECRET: secret, KEEP_MESSAGES_DAYS: '3650', AUTO_MIGRATE: 'no' };
  const home = createHome();
  const changed = "update schema_file set checksum = 'earlier' where name in ('verify', 'reserve')";
  before(() => restore(home.dataDir, `${read('sql')}; ${changed}`));
  after(() => home.remove());

  const checksums = async () => {
    const embedded = await openEmbedded({
      dataDir: home.dataDir,
      as: 'visitor',
      log: () => undefined,
    });
    const client = await connectTo(home.dataDir);
    const { rows } = await client.query(
      "select name from schema_file where checksum = 'earlier' order by name",
    );
    await client.end();
    await embedded.stop();
    return rows.map(({ name }) => name);
  };

  test('is not migrated by a start when AUTO_MIGRATE is no', async () => {
    const started = await home.run(['serve', '--json'], settings);
    assert.equal(started.code, 1);
    assert.match(started.out, /lacks \d+ of the \d+ files .* run `zhiber migrate` first/);
  });

  test('is read as it is by commands that only read', async () => {
    const allowed = { ...settings, AUTO_MIGRATE: 'yes' };
    for (const command of ['company list', 'doctor', 'price list', 'operator list']) {
      const { code, out, err } = await home.run(command.split(' '), allowed);
      assert.equal(code, 0, `${command}: ${out}${err}`);
    }
    const audit = await home.run(['audit'], allowed);
    assert.match(audit.err, /of another version than this program: run `zhiber migrate`/);
    assert.deepEqual(await checksums(), ['reserve', 'verify']);
  });

  test('is migrated by `zhiber migrate`, and then served', async () => {
    const migrated = await home.run(['migrate', '--json'], settings);
    assert.equal(migrated.code, 0, migrated.err);
    assert.ok((JSON.parse(migrated.out) as { applied: number }).applied >= 2);
    assert.deepEqual(await checksums(), []);
    const server = await home.serve(settings);
    assert.equal(server.facts.migrations.applied, 0);
  });
});

/** Restores the dump and renews the expiry of its code and its session. */
async function restore(dataDir: string, sql: string): Promise<void> {
  const embedded = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
  try {
    const client = await connectTo(dataDir);
    // Fixtures from 0.3.0 on are backups; those before are plain SQL.
    if (sql.startsWith(MANIFEST_PREFIX)) {
      await loadDump(client, await parseDump(Readable.from([Buffer.from(sql)])));
    } else await client.query(sql);
    await client.query(`update code set expires_at = now() + interval '5 minutes';
      update session set created_at = now(), seen_at = now(), confirmed_at = now(),
        expires_at = now() + interval '1 hour'`);
    await client.end();
  } finally {
    await embedded.stop();
  }
}
