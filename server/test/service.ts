import { rmSync } from 'node:fs';
import pino from 'pino';
import { type Accounts, openAccounts } from '../src/accounts/accounts.ts';
import { createPasswords, type Passwords } from '../src/accounts/passwords.ts';
import { openChannels } from '../src/channels/open-channels.ts';
import { systemClock } from '../src/clock.ts';
import { readConfig } from '../src/config/config.ts';
import type { Context } from '../src/context.ts';
import { openDatabase } from '../src/db/database.ts';
import { openJobQueue } from '../src/db/job-queue.ts';
import { recordReceipt } from '../src/delivery/record-receipt.ts';
import { openRefusals } from '../src/delivery/refusals.ts';
import { createHttpServer, type HttpServer } from '../src/http/transport/server.ts';
import { openLocations } from '../src/links/locations.ts';
import { openMailer } from '../src/mail/mailer.ts';
import { openMemory } from '../src/memory.ts';
import { openBackground } from '../src/runtime/background.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { deriveSecrets } from '../src/secrets.ts';
import { countOutcomes } from '../src/status/count-outcomes.ts';
import { TEST_DATABASE_TIMEOUT_MS } from './database-timeout.ts';
import { createTemporaryFolder } from './temporary-folder.ts';
import { cloneTemplate } from './test-database.ts';

/** Production spends half a second per password, which would dominate the run time of the tests. */
const CHEAP_HASH = { N: 2 ** 13, r: 8, p: 1 };
/** One for all services of this process: it starts another process, which loads its word lists. */
const sharedPasswords = createPasswords(CHEAP_HASH);

export type Service = {
  ctx: Context;
  http: HttpServer;
  sandbox: Sandbox;
  accounts: Accounts;
  /** The number of passwords hashed so far, for storing or for verifying. */
  hashCount(): number;
  close(): Promise<void>;
};

export type ServiceOptions = {
  env?: Record<string, string>;
  providers?: Parameters<typeof openChannels>[1];
  payments?: Context['payments'];
  /** Receives the log at level `trace`, for tests that read it. */
  log?: pino.DestinationStream;
};

/**
 * Opens the service on a clone of the template database, without the delivery watch and the jobs:
 * tests run those themselves, at a time of their choice.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const database = `zhiber_${process.pid}_${Date.now().toString(36)}`;
  const connection = await cloneTemplate(database);
  // Only errors are printed: tests cause many warnings on purpose.
  const log =
    options.log === undefined
      ? pino({ level: 'error' }, pino.destination(2))
      : pino({ level: 'trace' }, options.log);
  const sandbox = createSandbox(systemClock);
  const dataDir = createTemporaryFolder('service');
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_TIMEOUT_MS: String(TEST_DATABASE_TIMEOUT_MS),
    ...options.env,
  });
  const db = openDatabase(connection, log, config.databaseTimeoutMs);
  const refusals = await openRefusals({ config, db, log });
  const { fallbacks, background } = openBackground(log);
  const jobs = openJobQueue(connection, log);
  // The clone is kept so that a failure can be inspected. It is removed with the database server.
  const closeStorage = async () => {
    sandbox.stop();
    await jobs.stop();
    await Promise.all([fallbacks.close(), background.close()]);
    await refusals.stop();
    rmSync(dataDir, { recursive: true, force: true });
    await db.close();
  };
  try {
    const memory = openMemory({ db, clock: systemClock, log });
    const ctx: Context = {
      ...memory,
      config,
      db,
      bulk: db,
      reads: db,
      refusals,
      fallbacks,
      background,
      channels: openChannels(sandbox.adapters, options.providers ?? {}, countOutcomes(memory)),
      payments: options.payments ?? [],
      providers: { all: [], read: () => [] },
      locations: openLocations(config.geoDatabases, log),
      jobs,
      secrets: deriveSecrets('a secret for tests alone, long enough'),
      clock: systemClock,
      log,
      urls: { publicUrl: 'http://localhost:3000', shortLinkBase: 'http://localhost:3000/s' },
    };
    sandbox.onReceipt((report) => recordReceipt(ctx, report));
    const { passwords, hashCount } = countHashes(sharedPasswords);
    const mailer = openMailer(ctx, sandbox);
    const accounts = openAccounts(ctx, mailer, passwords);
    const http = createHttpServer(ctx, sandbox, [], accounts);
    await http.ready();
    const close = async () => {
      await http.close();
      await mailer.close();
      await closeStorage();
    };
    return { ctx, http, sandbox, accounts, hashCount, close };
  } catch (error) {
    // An open connection would keep the test process from exiting.
    await closeStorage();
    throw error;
  }
}

function countHashes({ hash, verify, ...rest }: Passwords) {
  let count = 0;
  const passwords: Passwords = {
    ...rest,
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
