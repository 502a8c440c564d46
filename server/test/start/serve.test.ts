import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, afterEach, describe, test } from 'node:test';
import { openEmbedded } from '../../src/db/embedded.ts';
import { queryOnce } from '../query-once.ts';
import {
  ask,
  createEmptyHome,
  createHome,
  isAlive,
  postmasterPid,
  waitUntil,
} from './serve-harness.ts';

/** Makes a port busy. Returns undefined when another program already uses it. */
async function occupy(port: number): Promise<Server | undefined> {
  const server = createServer().unref();
  server.listen(port, 'localhost');
  const isBusy = await Promise.race([
    once(server, 'listening').then(() => false),
    once(server, 'error').then(() => true),
  ]).catch(() => true);
  return isBusy ? undefined : server;
}

const readPort = (server: Server) => (server.address() as { port: number }).port;

async function changeStoppedDatabase(dataDir: string, statements: string): Promise<void> {
  const database = await openEmbedded({ dataDir, as: 'visitor', log: () => undefined });
  try {
    await queryOnce(database.connection, statements);
  } finally {
    await database.stop();
  }
}

/** The curl commands that the start prints; each has two lines. */
function findCommands(output: string): string[] {
  return [...output.matchAll(/^ {4}(curl .*\\\n.*)$/gm)].map((match) => match[1] as string);
}

describe('a data folder from its first start', { concurrency: false }, () => {
  const home = createEmptyHome();
  afterEach(() => home.endAll());
  after(() => home.remove());
  let testKey = '';

  test('the first start prints keys once and commands that work as printed', async () => {
    const server = home.start([]);
    await waitUntil(() => findCommands(server.out()).length === 2, server);
    const output = server.out();
    testKey = /zk_test_\w{38}/.exec(output)?.[0] ?? '';
    const liveKey = /zk_live_\w{38}/.exec(output)?.[0] ?? '';
    assert.ok(testKey && liveKey, output);
    assert.match(output, /key create --company 1 --name/);
    const answers = findCommands(output).map((command) => {
      return JSON.parse(execFileSync('bash', ['-c', command], { encoding: 'utf8' }));
    });
    assert.deepEqual(
      answers.map((answer) => answer.success),
      [true, true],
      JSON.stringify(answers),
    );
    assert.equal(server.out().includes('\u001b['), false, 'colours are printed without a terminal');

    const pid = postmasterPid(home.dataDir) as number;
    const ended = await server.stop('SIGTERM');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(ended.err, '', 'nothing may be printed to stderr');
    assert.equal(isAlive(pid), false, 'PostgreSQL must be stopped');
  });

  test('the second start prints no key, and Ctrl-C twice at once stops it', async () => {
    const server = home.start(['serve']);
    await waitUntil(() => server.out().includes('key create --company 1'), server);
    assert.doesNotMatch(server.out(), /zk_|curl/);
    const port = Number(/API\s+http:\/\/localhost:(\d+)/.exec(server.out())?.[1]);
    const health = await ask(port, { path: '/health' });
    assert.deepEqual([health.status, health.body.status], [200, 'ok']);

    const pid = postmasterPid(home.dataDir) as number;
    server.child.kill('SIGINT');
    const ended = await server.stop('SIGINT');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(isAlive(pid), false, 'PostgreSQL must be stopped');
  });

  test('a start with another SECRET is refused', async () => {
    const ended = await home.run(['serve'], { SECRET: 'another secret '.repeat(3) });
    assert.equal(ended.code, 1);
    assert.match(
      ended.err,
      /^This data was written with another secret: SECRET does not match.*\n$/,
    );
    assert.equal(postmasterPid(home.dataDir), undefined, 'PostgreSQL must be stopped');
  });

  for (const name of ['PORT', 'OPS_PORT']) {
    test(`a start on a busy port is refused when ${name} is set`, async () => {
      const other = (await occupy(0)) as Server;
      const ended = await home.run(['serve'], { [name]: String(readPort(other)) });
      other.close();
      assert.equal(ended.code, 1);
      assert.match(ended.err, /^Port \d+ is taken by another program\. .*\n$/);
      assert.match(ended.err, new RegExp(` ${name} `));
      assert.equal(ended.out, '');
    });
  }

  test('a busy default port is replaced by the next free one, which is printed', async () => {
    const other = await occupy(3000);
    const server = home.start(['serve'], { PORT: undefined, LANG: 'ru_RU.UTF-8' });
    await waitUntil(() => server.out().includes('key create'), server);
    other?.close();
    const port = Number(/Порт 3000 занят → (\d+)/.exec(server.out())?.[1]);
    assert.ok(port > 3000, server.out());
    assert.equal((await ask(port, { path: '/health' })).status, 200);
    await server.stop('SIGTERM');
  });

  test('a second server on the same folder is refused, with the pid of the first', async () => {
    const first = await home.serve();
    const second = await home.run(['serve']);
    assert.equal(second.code, 1);
    assert.match(second.err, new RegExp(`in use by another process \\(pid ${first.child.pid}\\)`));
    assert.doesNotMatch(second.err, /\n\s+at /, 'a stack trace was printed');
    assert.equal((await ask(first.facts.port, { path: '/health' })).status, 200);
    await first.stop('SIGTERM');
  });

  test('a shutdown waits for a request in flight', async () => {
    const server = await home.serve();
    const { port } = server.facts;
    // Of two equal requests one takes four seconds, and the other gets 409 at once.
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

  test('a database of a newer Zhiber is refused', async () => {
    await changeStoppedDatabase(
      home.dataDir,
      `insert into schema_file (kind, name, checksum) values ('table', '9999-newer', 'x')`,
    );
    const ended = await home.run(['serve']);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^The database was migrated by a newer Zhiber \(to 9999-newer.*\n$/);
  });

  test('a database from before the first release is refused in one sentence', async () => {
    await changeStoppedDatabase(
      home.dataDir,
      `delete from schema_file where name = '9999-newer';
       create table migration (version integer primary key)`,
    );
    const ended = await home.run(['serve']);
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^This database was created .* cannot be upgraded: .*DATA_DIR\.\n$/);
  });
});

describe('a start that fails', { concurrency: false }, () => {
  const home = createHome();
  after(() => home.remove());

  test('names every invalid setting at once', async () => {
    const ended = await home.run(['serve'], { PORT: 'http', SECRET: 'short', LOG_LEVEL: 'loud' });
    assert.equal(ended.code, 1);
    for (const name of ['PORT', 'SECRET', 'LOG_LEVEL']) assert.match(ended.err, new RegExp(name));
    assert.doesNotMatch(ended.err, /\n\s+at |short"/, 'a stack trace or a secret was printed');
  });

  test('reports an unreachable database', async () => {
    const ended = await home.run(['serve'], {
      DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/none',
    });
    assert.equal(ended.code, 1);
    assert.match(ended.err, /^The database of DATABASE_URL cannot be used: .*\n$/);
    assert.doesNotMatch(ended.err, /hush/);
  });

  test('reports a database that accepts connections and never answers', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1');
    t.after(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const ended = await home.run(['serve'], {
      DATABASE_URL: `postgres://me:hush@127.0.0.1:${port}/none`,
    });
    assert.equal(ended.code, 1);
    assert.match(
      ended.err,
      /^The database of DATABASE_URL cannot be used: timeout expired\. .*\n$/,
    );
  });

  test('prints the error as one JSON object with --json', async () => {
    const ended = await home.run(['serve', '--json'], { PORT: 'http' });
    assert.equal(ended.code, 1);
    assert.match((JSON.parse(ended.out) as { error: string }).error, /PORT/);
  });

  test('shuts down cleanly on a signal before it is ready', async () => {
    const server = home.start(['serve']);
    await waitUntil(() => postmasterPid(home.dataDir) !== undefined, server);
    const ended = await server.stop('SIGTERM');
    assert.equal(ended.code, 0, ended.err);
    assert.equal(postmasterPid(home.dataDir), undefined, 'PostgreSQL must be stopped');
  });
});
