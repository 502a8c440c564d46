/**
 * Two real processes of the service on one database. The first starts the embedded PostgreSQL, the
 * second connects to it by DATABASE_URL, as further nodes of an installation do.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import pino from 'pino';
import { readAudit } from '../../src/billing/invariant-store.ts';
import { systemClock } from '../../src/clock.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import type { CompanyId } from '../../src/ids.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { createFixtures, createLedgerChecks, freshPhones, type TestKey } from '../harness.ts';
import { createHome } from '../start/serve-harness.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { type ApiRequest, type RawAnswer, type Release, releaseTogether } from './barrier.ts';
import { holdLock, type LockStatement } from './contended-lock.ts';

const PUBLIC_URL = 'http://zhiber.test';
const SETTINGS = {
  SECRET: 'a secret for tests alone, long enough',
  HOST: '127.0.0.1',
  // Both have one public address, as behind a load balancer.
  PUBLIC_URL,
  SANDBOX: 'public',
  LOG_LEVEL: 'warn',
};

type Home = ReturnType<typeof createHome>;
type Server = Awaited<ReturnType<Home['serve']>>;
type Opened = { servers: Server[]; embedded: EmbeddedDatabase; db: Database };

export type InboxMessage = { message_id: string; code: string | null; at: string };
export type TwoServers = ReturnType<typeof useTwoServers>;

/**
 * One pair of servers for a test file. At its end, no error was logged and no deadlock occurred.
 */
export function useTwoServers() {
  const home = createHome();
  let opened: Opened | undefined;
  const running = (): Opened => {
    assert(opened !== undefined, 'the servers have not been started');
    return opened;
  };
  const ports = () => running().servers.map(({ facts }) => facts.port);
  const sql = <Row>(text: string, values: unknown[] = []) => running().db.query<Row>(text, values);

  before(async () => {
    opened = await open(home);
  });
  after(async () => {
    try {
      if (opened !== undefined) await stopInOrder(opened);
    } finally {
      await home.remove();
    }
  });

  const release = (requests: readonly ApiRequest[]): Promise<Release> =>
    releaseTogether(ports(), requests);
  return {
    sql,
    release,
    /** Like `release`, but holds this lock until both servers wait for it. */
    async releaseContended(
      requests: readonly ApiRequest[],
      statement: LockStatement,
    ): Promise<Release & { isContended: boolean }> {
      const lock = await holdLock(running().embedded.connection, statement);
      try {
        let isContended = false;
        const released = await releaseTogether(ports(), requests, async () => {
          isContended = await lock.releaseWhenContended();
        });
        return { ...released, isContended };
      } finally {
        await lock.end();
      }
    },
    /** Sends one request to the first server. */
    call: async (request: ApiRequest): Promise<RawAnswer> =>
      (await release([request])).answers[0] as RawAnswer,
    ...createFixtures(() => ({ db: running().db, clock: systemClock })),
    ...createLedgerChecks(sql),
    phone: freshPhones(),
    /** The messages in the virtual phones of both servers, each once. */
    inbox: (key: TestKey, phone?: string) => readInboxes(ports(), key, phone),
    /** Where each server redirects a short link. */
    targets: (shortUrl: string) => Promise.all(ports().map((port) => readTarget(port, shortUrl))),
    passMinute: (companyId: CompanyId) => passMinute(running().db, companyId),
    /** The ledger of every company balances, and nothing is held. */
    async assertLedgerSound(): Promise<void> {
      const { violations, totals } = await readAudit(running().embedded.connection);
      assertClean({ violations, totals });
    },
    /** The same with the command that an operator would run. */
    async assertAuditCommand(): Promise<void> {
      const { code, out } = await home.run(['audit', '--json']);
      assert.equal(code, 0, out);
      assertClean(JSON.parse(out));
    },
  };
}

async function open(home: Home): Promise<Opened> {
  const first = await home.serve(SETTINGS);
  const log = pino({ level: 'error' }, pino.destination(2));
  const embedded = await openEmbedded({ dataDir: home.dataDir, as: 'visitor', log() {} });
  try {
    const DATABASE_URL = toDatabaseUrl(embedded.connection);
    const second = await home.serve({ ...SETTINGS, DATABASE_URL });
    const db = openDatabase(embedded.connection, log, TEST_DATABASE_TIMEOUT_MS);
    return { servers: [first, second], embedded, db };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/**
 * Stops the servers before the database, because PostgreSQL counts the deadlocks of a session when
 * it ends. Deadlocks that the service resolved by retrying count too.
 */
async function stopInOrder({ servers, embedded, db }: Opened): Promise<void> {
  try {
    for (const server of servers.toReversed()) {
      const { code, err } = await server.stop('SIGTERM');
      assert.equal(code, 0, `the server shuts down cleanly: ${err}`);
      assert.doesNotMatch(err, /"level":[56]0/, 'the server logs no error');
    }
    const found = await db.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    assert.deepEqual(found, [{ deadlocks: 0 }]);
    console.log('0 deadlocks in all races, by the count of the database');
  } finally {
    await db.close();
    await embedded.stop();
  }
}

function assertClean(audit: { violations: object; totals: { held: number } }): void {
  const broken = Object.entries(audit.violations).filter(([, count]) => count !== 0);
  assert.deepEqual(broken, []);
  assert.equal(audit.totals.held, 0);
}

async function readInboxes(
  ports: number[],
  { key }: TestKey,
  phone?: string,
): Promise<InboxMessage[]> {
  const query = new URLSearchParams(phone === undefined ? {} : { phone });
  const inboxes = ports.map(async (port) => {
    const answer = await fetch(`http://127.0.0.1:${port}/sandbox/messages?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(answer.status, 200);
    return ((await answer.json()) as { messages: InboxMessage[] }).messages;
  });
  // A server shows its own at once, and those of the other a moment later.
  const all = (await Promise.all(inboxes)).flat();
  return [
    ...new Map(all.map((message) => [`${message.message_id} ${message.at}`, message])).values(),
  ];
}

async function readTarget(port: number, shortUrl: string): Promise<string | null> {
  const path = shortUrl.slice(PUBLIC_URL.length);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
  return answer.headers.get('location');
}

/**
 * Moves the rate limits and codes of a company a minute into the past. The times of the watch stay:
 * the servers run, and would treat a recent message as undelivered.
 */
async function passMinute(db: Database, companyId: CompanyId): Promise<void> {
  const older = (column: string) => `${column} = ${column} - interval '61 seconds'`;
  const allOlder = (column: string) =>
    `${column} = array(select t - interval '61 seconds' from unnest(${column}) as t)`;
  for (const change of [
    `update recent_sends set ${allOlder('recent')} where company_id = $1`,
    `update code set ${older('expires_at')}, ${allOlder('failed_at')} where company_id = $1`,
    // The one-minute limit counts from the last message to a phone.
    `update message set ${older('created_at')}, ${older('settled_at')} where company_id = $1
       and id in (select last_message from recent_sends where company_id = $1)`,
  ]) {
    await db.query(change, [companyId]);
  }
}
