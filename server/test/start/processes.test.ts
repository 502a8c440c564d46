/** One start of several processes on one port: real processes, requests and kills. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { VERSION } from '../../src/version.ts';
import { waitFor } from '../faults/fault-service.ts';
import { freePort } from '../free-port.ts';
import { newPhone } from '../outages/load-client.ts';
import { ask, createHome, createSql, isAlive, type Running, waitUntil } from './serve-harness.ts';

const PROCESSES = 3;
const SENDS = 60;

const home = createHome();
const sql = createSql(home.dataDir);
let opsPort: number;
let server: Running;
let port: number;
let keys: { live: string; test: string };

before(async () => {
  opsPort = await freePort();
  server = home.start(['serve', '--json', '--processes', String(PROCESSES), '--role', 'all'], {
    OPS_PORT: String(opsPort),
    // The flags win.
    PROCESSES: '1',
    ROLE: 'worker',
    LOG_LEVEL: 'info',
  });
  await waitUntil(() => server.out().endsWith('\n'), server);
  const facts = JSON.parse(server.out()) as { port: number; keys: typeof keys; processes: number };
  assert.equal(facts.processes, PROCESSES);
  ({ port, keys } = facts);
});
after(() => home.remove());

const nodes = () => sql<{ pid: number; role: string }>('select pid, role from node_state');
const runningNodes = () =>
  waitFor(
    async () => (await nodes()).filter(({ pid }) => isAlive(pid)),
    (found) => found.length === PROCESSES,
  );
const send = () => ask(port, { path: '/otp/send', key: keys.live, body: { phone: newPhone() } });

async function metric(line: string): Promise<number> {
  const text = await (await fetch(`http://localhost:${opsPort}/metrics`)).text();
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1) ?? Number.NaN);
}

test('each process is a node, and one start block is printed', async () => {
  const found = await runningNodes();
  assert.deepEqual(
    found.map(({ role }) => role),
    ['all', 'all', 'all'],
  );
  assert.ok(found.every(({ pid }) => pid !== server.child.pid));
  assert.equal(server.out().trim().split('\n').length, 1);
});

test('the operator’s port adds up what all processes count, and money once', async () => {
  const answers = await Promise.all(Array.from({ length: SENDS }, send));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(SENDS).fill(200),
  );
  const line = 'zhiber_http_requests_total{route="/api/otp/send",status="200",code=""}';
  assert.equal(await metric(line), SENDS);
  const [row] = await sql<{ balance: number }>('select sum(balance)::int as balance from account');
  assert.equal(await metric('zhiber_account_tokens{kind="balance"}'), row?.balance);
  await waitFor(
    () => metric(`zhiber_nodes{version="${VERSION}",role="all"}`),
    (count) => count === PROCESSES,
  );
  const ready = await fetch(`http://localhost:${opsPort}/ready`);
  assert.deepEqual([ready.status, (await ready.text()).trim()], [200, 'ready']);
});

test('while one is killed and another stopped, no new connection is refused, and both come back', async () => {
  const before = await runningNodes();
  const [first, second] = before.map(({ pid }) => ({ pid })) as [{ pid: number }, { pid: number }];
  let isDone = false;
  let answered = 0;
  const load = (async () => {
    while (!isDone) {
      // A connection of its own; only one that the killed process had can break.
      const answer = await fetch(`http://localhost:${port}/api/health`, {
        headers: { connection: 'close' },
      }).catch((error: Error & { cause?: { code?: string } }) => error.cause?.code);
      assert.notEqual(answer, 'ECONNREFUSED');
      answered += 1;
    }
  })();
  process.kill(first.pid, 'SIGKILL');
  process.kill(second.pid, 'SIGTERM');
  try {
    await waitFor(
      () => [first, second].some(({ pid }) => isAlive(pid)),
      (isAnyLeft) => !isAnyLeft,
    );
    await runningNodes();
  } finally {
    isDone = true;
  }
  await load;
  assert.ok(answered > 10, `${answered}`);
  assert.equal((await send()).status, 200);
  assert.match(server.err(), /"ended":"SIGKILL".*a process ended, and is started again/);
});

test('a stop ends all of them in order, with the database', async () => {
  const found = await runningNodes();
  const { code, err } = await server.stop('SIGTERM');
  assert.equal(code, 0, err);
  assert.deepEqual(
    found.filter(({ pid }) => isAlive(pid)),
    [],
  );
  const audit = await home.run(['audit', '--json']);
  assert.equal(audit.code, 0, audit.out);
});

test('a start that cannot be says why once, and leaves nothing running', async () => {
  const other = home.start(['serve', '--json', '--processes', '2', '--role', 'api'], {
    PORT: String(opsPort),
    SANDBOX: 'local',
    PUBLIC_URL: 'https://codes.example.kz',
  });
  const { code, out } = await other.ended;
  assert.equal(code, 1);
  assert.match((JSON.parse(out) as { error: string }).error, /others could read its codes/);

  const wrong = await home.run(['serve', '--json', '--processes', 'many']);
  assert.match((JSON.parse(wrong.out) as { error: string }).error, /PROCESSES: should be a whole/);
});
