/** Embedded to a server and back: nothing is lost, and only one of the two can be used at any time. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import { queryOnce } from '../query-once.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { ask, createHome, embeddedDatabase, type Settings } from './serve-harness.ts';
import { readCode } from './upgrade/fixture.ts';

const PHONE = '+77010000001';
const LINK = 'https://example.kz/orders/4711';

describe('move', { concurrency: false }, () => {
  const home = createHome();
  let server: EmbeddedDatabase;
  let DATABASE_URL = '';
  let key = '';
  let code = '';
  let slug = '';

  const run = async (args: string[], settings: Settings = {}) => {
    const { code: exitCode, out, err } = await home.run([...args, '--json'], settings);
    const report = JSON.parse(out) as Record<string, unknown>;
    return { exitCode, report, said: String(report.error ?? err) };
  };
  const connectionOf = (database: string) => ({ ...server.connection, database });

  before(async () => {
    const dataDir = path.join(path.dirname(home.dataDir), 'server');
    server = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
    await queryOnce(connectionOf('postgres'), 'create database target');
    DATABASE_URL = toDatabaseUrl(connectionOf('target'));
  });
  after(async () => {
    await home.endAll();
    await server.stop();
    await home.remove();
  });

  test('a database that a server uses is not moved', async () => {
    const running = await home.serve();
    const { port, keys } = running.facts;
    key = keys?.live as string;
    assert.equal((await ask(port, { path: '/otp/send', key, body: { phone: PHONE } })).status, 200);
    code = await readCode(port, PHONE);
    const link = await ask(port, { path: '/links/shorten', key, body: { url: LINK } });
    slug = String(link.body.short_url).split('/').at(-1) as string;
    const { said } = await run(['move', '--to', DATABASE_URL]);
    assert.match(said, /A server uses the embedded database/);
    await running.stop('SIGTERM');
  });

  test('to a server: a start on the old place names the new one, without its password', async () => {
    const moved = await run(['move', '--to', DATABASE_URL]);
    assert.equal(moved.exitCode, 0, moved.said);
    assert.ok(Number(moved.report.rows) > 100);
    const { err, code: exitCode } = await home.run(['serve']);
    assert.equal(exitCode, 1);
    assert.match(err, /This database was moved to the database target at .*: use that one/);
    assert.ok(!err.includes(server.connection.password));
    assert.match((await run(['audit'])).said, /was moved to/);

    const running = await home.serve({ DATABASE_URL });
    const { port } = running.facts;
    const opened = await fetch(`http://localhost:${port}/s/${slug}`, { redirect: 'manual' });
    assert.equal(opened.headers.get('location'), LINK);
    const verified = await ask(port, { path: '/otp/verify', key, body: { phone: PHONE, code } });
    assert.equal(verified.status, 200);
    await running.stop('SIGTERM');
    assert.equal((await run(['audit'], { DATABASE_URL })).exitCode, 0);
  });

  test('and back: what was there before is set aside', async () => {
    const moved = await run(['move', '--to', 'embedded'], { DATABASE_URL });
    assert.equal(moved.exitCode, 0, moved.said);
    assert.match(String(moved.report.set_aside), /^aside_\d{14}$/);
    assert.match((await run(['audit'], { DATABASE_URL })).said, /moved to the embedded database/);
    const running = await home.serve();
    const body = { phone: PHONE, code };
    const again = await ask(running.facts.port, { path: '/otp/verify', key, body });
    assert.equal(again.body.error_code, 'code_already_used');
    await running.stop('SIGTERM');
    assert.equal((await run(['audit'])).exitCode, 0);
  });

  test('not over data, not to the same place, and not to where nobody answers', async () => {
    await queryOnce(connectionOf('postgres'), 'create database taken');
    await queryOnce(connectionOf('taken'), 'create table somebody_elses (a int)');
    const taken = toDatabaseUrl(connectionOf('taken'));
    assert.match((await run(['move', '--to', taken])).said, /There is data in/);
    assert.match((await run(['move', '--to', 'embedded'])).said, /there already/);
    const nowhere = 'postgres://nobody:hidden@127.0.0.1:1/x';
    const refused = await run(['move', '--to', nowhere]);
    assert.match(refused.said, /--to cannot be used/);
    assert.ok(!refused.said.includes('hidden'));
    assert.equal((await run(['audit'])).exitCode, 0);
  });

  test('interrupted while loading, and before its last step: the same command ends it', async () => {
    // As a killed process leaves it: the copy is there, and both are not marked yet.
    const first = await run(['move', '--to', DATABASE_URL]);
    assert.equal(first.exitCode, 0, first.said);
    const target = connectionOf('target');
    const closeAgain = () =>
      queryOnce(
        target,
        `insert into installation values ('closed', '{"reason":"loading","from":"x"}')`,
      );
    await closeAgain();
    assert.match(
      (await run(['audit'], { DATABASE_URL })).said,
      /is not complete: x was being loaded/,
    );
    const last = await run(['move', '--to', DATABASE_URL]);
    assert.deepEqual([last.exitCode, last.report.rows], [0, null], last.said);
    assert.equal((await run(['audit'], { DATABASE_URL })).exitCode, 0);

    await closeAgain();
    const embedded = await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log: () => {} });
    await queryOnce(
      embeddedDatabase(home.dataDir),
      `delete from installation where name = 'closed'`,
    );
    await embedded.stop();
    const repeated = await run(['move', '--to', DATABASE_URL]);
    assert.equal(repeated.exitCode, 0, repeated.said);
    assert.ok(repeated.report.set_aside !== null);
    assert.equal((await run(['audit'], { DATABASE_URL })).exitCode, 0);
  });
});
