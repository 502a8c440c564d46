/**
 * Starts this version on a small database of every released version. Existing codes, links, money
 * and sessions must still work.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openEmbedded } from '../../src/db/embedded.ts';
import { ask, connectTo, createHome } from './serve-harness.ts';
import { callCabinet, type FixtureFacts } from './upgrade/fixture.ts';

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

/** Restores the dump and renews the expiry of its code and its session. */
async function restore(dataDir: string, sql: string): Promise<void> {
  const embedded = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
  try {
    const client = await connectTo(dataDir);
    await client.query(sql);
    await client.query(`update code set expires_at = now() + interval '5 minutes';
      update session set created_at = now(), seen_at = now(), confirmed_at = now(),
        expires_at = now() + interval '1 hour'`);
    await client.end();
  } finally {
    await embedded.stop();
  }
}
