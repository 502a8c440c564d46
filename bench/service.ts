import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import pg from 'pg';
import pino from 'pino';
import { systemClock } from '../server/src/clock.ts';
import { createCompany } from '../server/src/company/create-company.ts';
import { readConfig } from '../server/src/config/config.ts';
import type { Connection } from '../server/src/db/connection.ts';
import type { Database } from '../server/src/db/database.ts';
import { openStorage } from '../server/src/db/open-storage.ts';
import { type CompanyId, type KeyId, newId } from '../server/src/ids.ts';
import { createKey } from '../server/src/keys/manage-keys.ts';
import type { Phone } from '../server/src/phone.ts';
import { deriveSecrets } from '../server/src/secrets.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../server/test/database-timeout.ts';
import {
  createHome,
  DEFAULT_TIMEOUTS,
  postmasterPid,
  type Settings,
} from '../server/test/start/serve-harness.ts';
import { PREPARED_CODE, phoneAt } from './load-plan.ts';
import { processorSeconds } from './processes.ts';

const SECRET = 'a secret for measurements alone, long enough';
const BALANCE = 1_000_000_000;
const LINKS = 1_000;

export type Client = { companyId: CompanyId; keyId: KeyId; key: string };

/** A running Zhiber with its own data folder, and direct access to its database. */
export type Service = {
  port: number;
  pid: number;
  db: Database;
  connection: Connection;
  /** The superuser of the database; nobody but this user of the machine can reach it. */
  openAsSuperuser(): Promise<pg.Client>;
  /** Processor seconds so far, of the server and of its database. */
  used(): { server: number; database: number };
  /** Waits until the service is idle: receipts arrive seconds after their sends. */
  settleDown(): Promise<void>;
  stop(): Promise<void>;
};

/** Less processor time than this in half a second is idle. */
const IDLE_SECONDS = 0.04;
const SETTLE_DOWN_TRIES_MAX = 40;

type ServiceOptions = {
  /** Fills the WAL before the start, as in a database that has run for a day. */
  isWalFilled?: boolean;
  /** Additional environment settings. */
  settings?: Settings;
};

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const home = createHome();
  if (options.isWalFilled === true) await fillWal(home, options.settings);
  const server = await home.serve({
    ...DEFAULT_TIMEOUTS,
    SECRET,
    NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS,
    ...options.settings,
  });
  const storage = await joinStorage(home);
  const pid = server.child.pid as number;
  const postmaster = postmasterPid(home.dataDir) as number;
  const used = () => ({
    server: processorSeconds(pid),
    database: processorSeconds(postmaster, true),
  });
  return {
    port: server.facts.port,
    pid,
    used,
    async settleDown() {
      for (let tries = 0; tries < SETTLE_DOWN_TRIES_MAX; tries++) {
        const before = used();
        await pause(500);
        const now = used();
        if (now.server + now.database - before.server - before.database < IDLE_SECONDS) return;
      }
    },
    db: storage.db,
    connection: storage.connection,
    async openAsSuperuser() {
      appendFileSync(path.join(home.dataDir, 'postgres/pg_hba.conf'), SUPERUSER_RULES);
      process.kill(postmaster, 'SIGHUP');
      return await connectSoon({ ...storage.connection, user: 'postgres' });
    },
    async stop() {
      await storage.close();
      await server.stop('SIGTERM');
      await home.remove();
    },
  };
}

const SUPERUSER_RULES = 'local all postgres trust\nhost all postgres 127.0.0.1/32 trust\n';
const CONNECT_TRIES_MAX = 50;

/** The new rules are read when the signal has arrived. */
async function connectSoon(connection: Connection): Promise<pg.Client> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client(connection);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === CONNECT_TRIES_MAX) throw error;
      await pause(100);
    }
  }
}

type Home = ReturnType<typeof createHome>;

/** For preparing; what is measured has the default time limits. */
function joinStorage(home: Home) {
  const DATABASE_TIMEOUT_MS = String(TEST_DATABASE_TIMEOUT_MS);
  const config = readConfig({ DATA_DIR: home.dataDir, DATABASE_TIMEOUT_MS });
  return openStorage(config, 'visitor', pino({ level: 'silent' }));
}

const WAL_PIECES = 128;
const WAL_PIECE_BYTES = 8 * 2 ** 20;

/**
 * A new database creates a file for every 16 MB of WAL, and commits wait for that. A database that
 * has run for a day recycles old files. Writing 1 GB of WAL first gives the same state.
 */
async function fillWal(home: Home, settings: Settings = {}): Promise<void> {
  // With the same providers: data that was made in a sandbox never becomes live.
  const server = await home.serve({ SECRET, ...DEFAULT_TIMEOUTS, ...settings });
  const storage = await joinStorage(home);
  for (let piece = 0; piece < WAL_PIECES; piece++) {
    await storage.db.query("select pg_logical_emit_message(false, 'bench', repeat('x', $1))", [
      WAL_PIECE_BYTES,
    ]);
  }
  await storage.close();
  await server.stop('SIGTERM');
}

export async function createClients(db: Database, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let at = 0; at < count; at++) {
    const { companyId } = await createCompany({ db, clock: systemClock }, `Компания ${at}`);
    await db.query('select post_entry($1, $2, $3, $4)', [
      companyId,
      'correction',
      BALANCE,
      newId(Date.now()),
    ]);
    clients.push({
      companyId,
      ...(await createKey(db, { companyId, name: 'ключ', isTest: false })),
    });
  }
  return clients;
}

/** An endpoint for every event of a company. */
export async function addEndpoint(db: Database, companyId: Client['companyId']): Promise<void> {
  await db.query(
    `insert into webhook_endpoint (company_id, url, events) values ($1, 'https://shop.kz/hook', $2)`,
    [companyId, EVENT_TYPES],
  );
}

/** Vacuums now, so that autovacuum does not run during a measurement. */
export async function vacuumTables(connection: Connection): Promise<void> {
  const sql = new pg.Client(connection);
  await sql.connect();
  const tables = ['message', 'recent_sends', 'code', 'provider_ref', 'link', 'click'];
  for (const table of [...tables, 'webhook_delivery', 'webhook_event', 'webhook_try']) {
    await sql.query(`vacuum (analyze) ${table}`);
  }
  await sql.end();
}

/** Inserts unverified codes, as a send of each would. */
export async function prepareCodes(service: Service, client: Client, from: number, count: number) {
  const secrets = deriveSecrets(SECRET);
  const { keyId, companyId } = client;
  const BATCH = 5_000;
  for (let start = from; start < from + count; start += BATCH) {
    const phones = Array.from({ length: BATCH }, (_, at) => phoneAt(start + at).slice(1) as Phone);
    const macs = phones.map((phone) =>
      secrets.macOfCode({ keyId, phone, purpose: 'default' }, PREPARED_CODE),
    );
    await service.db.query(
      `insert into code (key_id, phone, purpose, company_id, message_id, mac, expires_at)
       select $1, phone, 'default', $2, $3, mac, clock_timestamp() + interval '1 hour'
       from unnest($4::bigint[], $5::bytea[]) as u(phone, mac)`,
      [keyId, companyId, newId(Date.now()), phones, macs],
    );
  }
  await vacuumTables(service.connection);
}

export async function prepareLinks(db: Database, client: Client): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `insert into link (slug_key, slug, company_id, url, created_at)
     select s, s, $1, 'https://example.kz/page/' || s, clock_timestamp()
     from (select 'bench-' || n as s from generate_series(1, $2) as n) as names
     returning slug`,
    [client.companyId, LINKS],
  );
  return rows.map((row) => row.slug);
}

/** Messages of the last day, whatever the size of the history. */
const LAST_DAY = 5_000;

/**
 * Inserts settled messages of the past two weeks, each to a different phone, with the other rows
 * that sends create: recent sends, codes, provider ids, short links and clicks. None is outdated.
 */
export async function prepareHistory(service: Service, client: Client, count: number) {
  const { companyId, keyId } = client;
  const sql = new pg.Client(service.connection);
  await sql.connect();
  await sql.query(
    `create temporary table past as
     select n, 77200000000 + n as phone, at, clock_timestamp() - random() * interval '20 hours' as recent_at,
       (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
         || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid as id
     from (select n, clock_timestamp() - interval '2 minutes' - case when n <= ${LAST_DAY}
         then random() * interval '1 day' else interval '1 day' + random() * interval '13 days' end as at
       from generate_series(1, ${count}) as n) as made`,
  );
  await sql.query(
    `insert into message (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel,
       charged, created_at, settled_at, receipt_at, delivered_at, next_check_at, purpose, provider_id, request_id)
     select $1, id, $2, 'otp', false, phone, 'sent', 'read', 'whatsapp', 3, at, at, at, at,
       at + interval '31 seconds', 'default', 'past', 'req_' || left(id::text, 16)
     from past order by id`,
    [companyId, keyId],
  );
  await sql.query(
    `insert into recent_sends (company_id, recipient, kind, recent, last_message)
     select $1, phone, 'otp', array[recent_at], id from past`,
    [companyId],
  );
  await sql.query(
    `insert into code (key_id, phone, purpose, company_id, message_id, mac, expires_at, verified_at)
     select $1, phone, 'default', $2, id, sha256(id::text::bytea), recent_at, recent_at from past`,
    [keyId, companyId],
  );
  await sql.query(
    `insert into provider_ref (provider_id, company_id, message_id, attempt, receipt, created_at)
     select 'smsc:' || id, $1, id, 1, 'read', recent_at from past order by recent_at`,
    [companyId],
  );
  await sql.query(
    `insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at)
     select 'past-' || n, 'past-' || n, $1, 'https://example.kz/order/' || n, id, phone, at
     from past where n % 10 = 0`,
    [companyId],
  );
  await sql.query(
    `insert into click (slug_key, company_id, message_id, recipient, at)
     select 'past-' || n, $1, id, phone, at + interval '1 minute' from past where n % 10 = 0 order by at`,
    [companyId],
  );
  await sql.end();
  await vacuumTables(service.connection);
}
