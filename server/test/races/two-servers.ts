/**
 * Two real processes of the service on one database: the first with the embedded PostgreSQL of its
 * data folder, the second joining it by its address, as further nodes of an installation do.
 */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import pino from 'pino';
import { readAudit } from '../../src/billing/audit-store.ts';
import { systemClock } from '../../src/clock.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type EmbeddedDatabase, openEmbedded } from '../../src/db/embedded.ts';
import type { CompanyId } from '../../src/ids.ts';
import { fixturesOf, freshPhones, moneyOf, type TestKey } from '../harness.ts';
import { PATIENT_MS } from '../patience.ts';
import { createHome } from '../start/serve-harness.ts';
import { type Question, type RawAnswer, type Release, releaseTogether } from './barrier.ts';
import { holdMeeting, type MeetingPoint } from './meeting.ts';

const PUBLIC_URL = 'http://zhiber.test';
const SETTINGS = {
  SECRET: 'a secret for tests alone, long enough',
  HOST: '127.0.0.1',
  // Both are one service to the world, as they are behind a balancer.
  PUBLIC_URL,
  LOG_LEVEL: 'warn',
};

type Home = ReturnType<typeof createHome>;
type Server = Awaited<ReturnType<Home['serve']>>;
type Opened = { servers: Server[]; embedded: EmbeddedDatabase; db: Database };

export type InboxMessage = { message_id: string; code: string | null; at: string };
export type TwoServers = ReturnType<typeof useTwoServers>;

/** One pair of servers for a test file. When it is over, neither has logged an error or a deadlock. */
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

  const release = (questions: readonly Question[]): Promise<Release> =>
    releaseTogether(ports(), questions);
  return {
    sql,
    release,
    /** The same, and both servers are kept waiting in the database until they have met there. */
    async releaseToMeet(
      questions: readonly Question[],
      point: MeetingPoint,
    ): Promise<Release & { haveMet: boolean }> {
      const meeting = await holdMeeting(running().embedded.connection, point);
      try {
        let haveMet = false;
        const released = await releaseTogether(ports(), questions, async () => {
          haveMet = await meeting.untilMet();
        });
        return { ...released, haveMet };
      } finally {
        await meeting.end();
      }
    },
    /** Puts one question to the first server. */
    call: async (question: Question): Promise<RawAnswer> =>
      (await release([question])).answers[0] as RawAnswer,
    ...fixturesOf(() => ({ db: running().db, clock: systemClock })),
    ...moneyOf(sql),
    phone: freshPhones(),
    /** What lies in the virtual phones of both servers, each of which has its own. */
    inbox: (key: TestKey, phone?: string) => readInboxes(ports(), key, phone),
    /** Where a short link leads, as each server sees it. */
    targets: (shortUrl: string) => Promise.all(ports().map((port) => openAt(port, shortUrl))),
    letMinutePass: (companyId: CompanyId) => letMinutePass(running().db, companyId),
    /** The money of all companies adds up, and nothing is held. */
    async assertSound(): Promise<void> {
      const { violations, totals } = await readAudit(running().embedded.connection);
      assertClean({ violations, totals });
    },
    /** The same by the command that an operator would type. */
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
    const { user, password, database, host, port } = embedded.connection;
    const at = new URLSearchParams({ host, port: String(port) });
    const DATABASE_URL = `postgres://${user}:${password}@localhost/${database}?${at}`;
    const second = await home.serve({ ...SETTINGS, DATABASE_URL });
    const db = openDatabase(embedded.connection, log, PATIENT_MS);
    return { servers: [first, second], embedded, db };
  } catch (error) {
    await embedded.stop();
    throw error;
  }
}

/**
 * The database outlives its servers here: a session that has ended has counted all its deadlocks.
 * Those that were resolved by running a group again count too.
 */
async function stopInOrder({ servers, embedded, db }: Opened): Promise<void> {
  try {
    for (const server of servers.toReversed()) {
      const { code, err } = await server.stop('SIGTERM');
      assert.equal(code, 0, `the server ends cleanly: ${err}`);
      assert.doesNotMatch(err, /"level":[56]0/, 'the server logs no error');
    }
    const found = await db.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    assert.deepEqual(found, [{ deadlocks: 0 }]);
    console.log('in all of these, as the database counts them: 0 deadlocks');
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
  return (await Promise.all(inboxes)).flat();
}

async function openAt(port: number, shortUrl: string): Promise<string | null> {
  const path = shortUrl.slice(PUBLIC_URL.length);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
  return answer.headers.get('location');
}

/**
 * Makes all that the company's phones remember a minute older. When the watch looks at its messages
 * stays as it is: the servers live, and would take what was sent a moment ago for undelivered.
 */
async function letMinutePass(db: Database, companyId: CompanyId): Promise<void> {
  const older = (column: string) => `${column} = ${column} - interval '61 seconds'`;
  const allOlder = (column: string) =>
    `${column} = array(select t - interval '61 seconds' from unnest(${column}) as t)`;
  for (const change of [
    `update gate set ${allOlder('recent')} where company_id = $1`,
    `update code set ${older('expires_at')}, ${allOlder('failed_at')} where company_id = $1`,
    // The minute counts from the last message of a phone.
    `update message set ${older('created_at')}, ${older('settled_at')} where company_id = $1
       and id in (select last_message from gate where company_id = $1)`,
  ]) {
    await db.query(change, [companyId]);
  }
}
