import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import {
  createEmptyHome,
  isAlive,
  LAUNCHER,
  postmasterPid,
  type Running,
  waitUntil,
} from './serve-harness.ts';

describe('the launcher of npm start', () => {
  const home = createEmptyHome(LAUNCHER);
  afterEach(() => home.endAll());
  after(() => home.remove());

  async function startServer(): Promise<Running & { port: number }> {
    const launcher = home.start(['start', '--json']);
    await waitUntil(() => launcher.out().endsWith('\n'), launcher);
    return { ...launcher, port: JSON.parse(launcher.out()).port };
  }

  test('a failed start prints the reason and exits with 1', async () => {
    const DATABASE_URL = 'postgres://nobody:nothing@127.0.0.1:1/nowhere';
    const { code, err } = await home.start(['start'], { DATABASE_URL }).ended;
    assert.equal(code, 1);
    assert.match(err, /DATABASE_URL cannot be used/);
  });

  test('a command with --json prints only its one object', async () => {
    const { code, out } = await home.start(['zhiber', 'migrate', '--json']).ended;
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(JSON.parse(out)), ['applied', 'total']);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} stops the server and its database, with exit code 0`, async () => {
      const launcher = await startServer();
      const database = postmasterPid(home.dataDir);
      assert.equal((await launcher.stop(signal)).code, 0);
      assert(database !== undefined && !isAlive(database));
    });
  }

  test('killing the launcher stops the server and the database', async () => {
    const launcher = await startServer();
    const database = postmasterPid(home.dataDir);
    assert(database !== undefined);
    await launcher.stop('SIGKILL');
    await waitUntil(() => !isAlive(database));
    await assert.rejects(fetch(`http://localhost:${launcher.port}/api/health`));
  });
});
