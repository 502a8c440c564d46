import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import pg from 'pg';
import pino from 'pino';
import { openBackground } from '../src/background.ts';
import { openChannels } from '../src/channels/open-channels.ts';
import { systemClock } from '../src/clock.ts';
import { readConfig } from '../src/config/config.ts';
import type { Context } from '../src/context.ts';
import { type Connection, openDatabase } from '../src/db/database.ts';
import { recordReceipt } from '../src/delivery/receipts/record-receipt.ts';
import { openRefusals } from '../src/delivery/refusals.ts';
import { createHttpServer, type HttpServer } from '../src/http/server.ts';
import { openMailer } from '../src/mail/mailer.ts';
import { createPasswords, type Passwords } from '../src/people/password/passwords.ts';
import { openPeople, type People } from '../src/people/people.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { deriveSecrets } from '../src/secrets.ts';
import { TEMPLATE } from './database-server.ts';
import { PATIENT_MS } from './patience.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** Half a second for every password would be most of what the tests take. */
const CHEAP_HASH = { N: 2 ** 13, r: 8, p: 1 };

export type Service = {
  ctx: Context;
  http: HttpServer;
  sandbox: Sandbox;
  people: People;
  /** How many passwords have been hashed, to be kept or to be compared. */
  hashCount(): number;
  close(): Promise<void>;
};

export type ServiceOptions = {
  env?: Record<string, string>;
  providers?: Parameters<typeof openChannels>[1];
  /** Where the log goes at its most talkative, for tests that read it. */
  log?: pino.DestinationStream;
};

/**
 * The service without its watch and jobs, on a clone of the template: tests say when time passes.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const database = `zhiber_${process.pid}_${Date.now().toString(36)}`;
  await administer((client) => client.query(`create database ${database} template ${TEMPLATE}`));
  // Bugs are shown; what tests bring about on purpose is not.
  const log =
    options.log === undefined
      ? pino({ level: 'error' }, pino.destination(2))
      : pino({ level: 'trace' }, options.log);
  const sandbox = createSandbox(systemClock);
  const dataDir = createTemporaryFolder('service');
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_TIMEOUT_MS: String(PATIENT_MS),
    ...options.env,
  });
  const connection = { ...testServer(), database } as Connection;
  const db = openDatabase(connection, log, config.databaseTimeoutMs);
  const refusals = await openRefusals({ config, db, log });
  const working = openBackground(log);
  // The clone stays for whoever wants to look at a failure; it goes with the server of the ring.
  const closeStorage = async () => {
    sandbox.stop();
    await Promise.all([working.fallbacks.close(), working.background.close()]);
    await refusals.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await db.close();
  };
  try {
    const ctx: Context = {
      config,
      db,
      refusals,
      ...working,
      channels: openChannels(sandbox.adapters, options.providers ?? {}),
      secrets: deriveSecrets('a secret for tests alone, long enough'),
      clock: systemClock,
      log,
      urls: { publicUrl: 'http://localhost:3000', shortLinkBase: 'http://localhost:3000/s' },
    };
    sandbox.onReceipt((report) => recordReceipt(ctx, report));
    const { passwords, hashCount } = countHashes(createPasswords(CHEAP_HASH));
    const mailer = openMailer(ctx, sandbox);
    const people = openPeople(ctx, mailer, passwords);
    const http = createHttpServer(ctx, sandbox, [], people);
    await http.ready();
    const close = async () => {
      await http.close();
      await mailer.close();
      await closeStorage();
    };
    return { ctx, http, sandbox, people, hashCount, close };
  } catch (error) {
    // A connection that is left open keeps the test file from ending.
    await closeStorage();
    throw error;
  }
}

function countHashes({ refuseWhenFull, hash, verify }: Passwords) {
  let count = 0;
  const passwords: Passwords = {
    refuseWhenFull,
    hash(password) {
      count += 1;
      return hash(password);
    },
    verify(given) {
      count += 1;
      return verify(given);
    },
  };
  return { passwords, hashCount: () => count };
}

function testServer(): pg.ClientConfig {
  const connection = process.env.ZHIBER_TEST_DATABASE;
  assert(
    connection,
    'run this through npm test, or with --test-global-setup=server/test/database-server.ts',
  );
  return JSON.parse(connection);
}

async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(testServer());
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
