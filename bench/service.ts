import pino from 'pino';
import { systemClock } from '../server/src/clock.ts';
import { createCompany } from '../server/src/company/create-company.ts';
import type { Connection, Database } from '../server/src/db/database.ts';
import { openStorage } from '../server/src/db/open-storage.ts';
import { type CompanyId, type KeyId, newId } from '../server/src/ids.ts';
import { createKey } from '../server/src/keys/create-key.ts';
import type { Phone } from '../server/src/phone.ts';
import { deriveSecrets } from '../server/src/secrets.ts';
import { createHome, postmasterPid } from '../server/test/start/serve-harness.ts';
import { PREPARED_CODE, phoneAt } from './load-plan.ts';

const SECRET = 'a secret for measurements alone, long enough';
const BALANCE = 1_000_000_000;
const LINKS = 1_000;

export type Client = { companyId: CompanyId; keyId: KeyId; key: string };

/** A started Zhiber with its own data folder, and a way past it into its database. */
export type Service = {
  port: number;
  pid: number;
  postmaster: number;
  db: Database;
  connection: Connection;
  stop(): Promise<void>;
};

export async function startService(): Promise<Service> {
  const home = createHome();
  const server = await home.serve({ SECRET, NODE_OPTIONS: process.env.BENCH_NODE_OPTIONS });
  const config = { databaseUrl: undefined, dataDir: home.dataDir };
  const storage = await openStorage(config, 'visitor', pino({ level: 'silent' }));
  return {
    port: server.facts.port,
    pid: server.child.pid as number,
    postmaster: postmasterPid(home.dataDir) as number,
    db: storage.db,
    connection: storage.connection,
    async stop() {
      await storage.close();
      await server.stop('SIGTERM');
      await home.remove();
    },
  };
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

/** Codes that wait for their verification, as a send of each would have left them. */
export async function prepareCodes(db: Database, client: Client, from: number, count: number) {
  const secrets = deriveSecrets(SECRET);
  const { keyId, companyId } = client;
  const BATCH = 5_000;
  for (let start = from; start < from + count; start += BATCH) {
    const phones = Array.from({ length: BATCH }, (_, at) => phoneAt(start + at).slice(1) as Phone);
    const macs = phones.map((phone) =>
      secrets.macOfCode({ keyId, phone, purpose: 'default' }, PREPARED_CODE),
    );
    await db.query(
      `insert into code (key_id, phone, purpose, company_id, message_id, mac, expires_at)
       select $1, phone, 'default', $2, $3, mac, clock_timestamp() + interval '1 hour'
       from unnest($4::bigint[], $5::bytea[]) as u(phone, mac)`,
      [keyId, companyId, newId(Date.now()), phones, macs],
    );
  }
}

export async function prepareLinks(db: Database, client: Client): Promise<string[]> {
  const rows = await db.query<{ slug: string }>(
    `insert into link (folded, slug, company_id, url, created_at)
     select s, s, $1, 'https://example.kz/page/' || s, clock_timestamp()
     from (select 'bench-' || n as s from generate_series(1, $2) as n) as names
     returning slug`,
    [client.companyId, LINKS],
  );
  return rows.map((row) => row.slug);
}
