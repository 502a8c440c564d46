import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { after, afterEach, describe, test } from 'node:test';
import { ask, createHome, isAlive, plant, postmasterPid, until } from './serve-harness.ts';

/**
 * A program of somebody else on a port; undefined when that port is busy already, which is as good.
 */
async function occupy(port: number): Promise<Server | undefined> {
  const server = createServer().unref();
  server.listen(port, 'localhost');
  const isBusy = await Promise.race([
    once(server, 'listening').then(() => false),
    once(server, 'error').then(() => true),
  ]).catch(() => true);
  return isBusy ? undefined : server;
}

const portOf = (server: Server) => (server.address() as { port: number }).port;

/** The printed commands to copy, each joined from its two lines. */
function commandsIn(block: string): string[] {
  return [...block.matchAll(/^ {4}(curl .*\\\n.*)$/gm)].map((match) => match[1] as string);
}

describe('one data folder from its first start on', { concurrency: false }, () => {
  const home = createHome();
  afterEach(() => home.endAll());
  after(() => home.remove());
  let testKey = '';
  let liveKey = '';

  test('the first start prints keys once and commands that work as printed', async () => {
    const server = home.start([]);
    await until(() => commandsIn(server.out()).length === 2, server);
    const block = server.out();
    testKey = /zk_test_\w{38}/.exec(block)?.[0] ?? '';
    liveKey = /zk_live_\w{38}/.exec(block)?.[0] ?? '';
    assert.ok(testKey && liveKey, block);
    assert.match(block, /key create --company 1 --name/);
    const answers = commandsIn(block).map((command) => {
      return JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }));
    });
    assert.deepEqual(
      answers.map((answer) => answer.success),
      [true, true],
      JSON.stringify(answers),
    );
    assert.equal(server.out().includes('\u001b['), false, 'no colours without a terminal');

    const pid = postmasterPid(home.dataDir) as number;
    const ended = await server.stop('SIGTERM');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(ended.err, '', 'nothing clutters the output');
    assert.equal(isAlive(pid), false, 'PostgreSQL is stopped');
  });

  test('the second start prints no key, and Ctrl-C twice at once stops it', async () => {
    const server = home.start(['serve']);
    await until(() => server.out().includes('key create --company 1'), server);
    assert.doesNotMatch(server.out(), /zk_|curl/);
    const port = Number(/API\s+http:\/\/localhost:(\d+)/.exec(server.out())?.[1]);
    const health = await ask(port, { path: '/health' });
    assert.deepEqual([health.status, health.body.status], [200, 'ok']);

    const pid = postmasterPid(home.dataDir) as number;
    server.child.kill('SIGINT');
    const ended = await server.stop('SIGINT');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(isAlive(pid), false, 'PostgreSQL is stopped');
  });

  test('another secret is refused', async () => {
    const ended = await home.run(['serve'], { SECRET: 'another secret '.repeat(3) });
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^This data was written with another secret: SECRET does not fit.*\n$/);
    assert.equal(postmasterPid(home.dataDir), undefined, 'PostgreSQL is stopped');
  });

  for (const name of ['PORT', 'OPS_PORT']) {
    test(`${name}: a port that somebody chose and another program has is refused`, async () => {
      const other = (await occupy(0)) as Server;
      const ended = await home.run(['serve'], { [name]: String(portOf(other)) });
      other.close();
      assert.equal(ended.code, 1);
      assert.match(ended.err, /^Port \d+ is taken by another program\. .*\n$/);
      assert.match(ended.err, new RegExp(` ${name} `));
      assert.equal(ended.out, '');
    });
  }

  test('a busy default port gives way to the next free one, and says so', async () => {
    const other = await occupy(3000);
    const server = home.start(['serve'], { PORT: undefined, LANG: 'ru_RU.UTF-8' });
    await until(() => server.out().includes('key create'), server);
    other?.close();
    const port = Number(/Порт 3000 занят → (\d+)/.exec(server.out())?.[1]);
    assert.ok(port > 3000, server.out());
    assert.equal((await ask(port, { path: '/health' })).status, 200);
    await server.stop('SIGTERM');
  });

  test('a second server on the folder is refused and told who is there', async () => {
    const first = await home.serve();
    const second = await home.run(['serve']);
    assert.equal(second.code, 1);
    assert.match(second.err, new RegExp(`in use by another process \\(pid ${first.child.pid}\\)`));
    assert.doesNotMatch(second.err, /\n\s+at /, 'no stack');
    assert.equal((await ask(first.facts.port, { path: '/health' })).status, 200);
    await first.stop('SIGTERM');
  });

  test('a stop waits for a request under way', async () => {
    const server = await home.serve();
    const { port } = server.facts;
    // Of two equal requests one is under way for four seconds, and the other is told so at once.
    const slow = {
      path: '/otp/send',
      key: testKey,
      body: { phone: '+77000000007' },
      headers: { 'idempotency-key': 'slow' },
    };
    const both = [ask(port, slow), ask(port, slow)];
    assert.equal((await Promise.race(both)).status, 409);
    const ended = server.stop('SIGTERM');
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
    assert.equal((await ended).code, 0);
  });

  test('after kill -9 a start works, and a code sent before still verifies', async () => {
    const phone = '+77011234567';
    const first = await home.serve();
    const { port } = first.facts;
    const sent = await ask(port, { path: '/otp/send', key: liveKey, body: { phone } });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const inbox = await fetch(
      `http://localhost:${port}/sandbox/messages?phone=${encodeURIComponent(phone)}&wait=10`,
      { headers: { authorization: `Bearer ${liveKey}` } },
    );
    const { messages } = (await inbox.json()) as { messages: { code: string }[] };
    await first.stop('SIGKILL');

    const next = await home.serve();
    const body = { phone, code: messages[0]?.code };
    const verified = await ask(next.facts.port, { path: '/otp/verify', key: liveKey, body });
    assert.equal(verified.status, 200, JSON.stringify(verified.body));
    assert.equal((await next.stop('SIGTERM')).code, 0);
  });

  test('a database of a newer Zhiber is refused', async () => {
    const server = await home.serve();
    await plant(home.dataDir, `insert into migration values (9999, 'newer', 'x')`);
    await server.stop('SIGTERM');
    const ended = await home.run(['serve']);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^The database was migrated by a newer Zhiber \(migration 9999.*\n$/);
  });
});

describe('a start that cannot go on', { concurrency: false }, () => {
  const home = createHome();
  after(() => home.remove());

  test('names every bad setting at once', async () => {
    const ended = await home.run(['serve'], { PORT: 'http', SECRET: 'short', LOG_LEVEL: 'loud' });
    assert.equal(ended.code, 1);
    for (const name of ['PORT', 'SECRET', 'LOG_LEVEL']) assert.match(ended.err, new RegExp(name));
    assert.doesNotMatch(ended.err, /\n\s+at |short"/, 'no stack, and no secret');
  });

  test('says that the database is out of reach', async () => {
    const ended = await home.run(['serve'], {
      DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/none',
    });
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^The database of DATABASE_URL cannot be used: .*\n$/);
    assert.doesNotMatch(ended.err, /hush/);
  });

  test('says so in one JSON object when asked', async () => {
    const ended = await home.run(['serve', '--json'], { PORT: 'http' });
    assert.equal(ended.code, 1);
    assert.match((JSON.parse(ended.out) as { error: string }).error, /PORT/);
  });

  test('is called off in good order by a signal that comes before it is ready', async () => {
    const server = home.start(['serve']);
    await until(() => postmasterPid(home.dataDir) !== undefined, server);
    const ended = await server.stop('SIGTERM');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(postmasterPid(home.dataDir), undefined, 'PostgreSQL is stopped');
  });
});
