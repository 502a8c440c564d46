import { constants } from 'node:os';
import { systemClock } from '../clock.ts';
import { findCompany } from '../company/company-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Context } from '../context.ts';
import { type Migrating, openStorage, type Storage } from '../db/open-storage.ts';
import { MigrationRefused } from '../db/schema-version.ts';
import { isUnknownName } from '../db/sql-errors.ts';
import type { CompanyId } from '../ids.ts';
import { createLog } from '../log.ts';
import { Refusal } from './grammar/command.ts';
import type { Env } from './grammar/language.ts';

export type Tools = Pick<Context, 'db' | 'config' | 'clock'> & { storage: Storage };

/**
 * Opens the database for one command and always closes it: it joins that of a running server, or
 * starts and stops its own.
 */
export async function withStorage<T>(
  env: Env,
  work: (tools: Tools) => Promise<T>,
  migrating: Migrating = 'if allowed',
): Promise<T> {
  const config = readConfig(env);
  const storage = await openStorage(config, 'visitor', quietLog(config), migrating);
  const release = closeOnSignal(() => storage.close());
  try {
    return await work({ db: storage.db, config, clock: systemClock, storage });
  } finally {
    release();
    await storage.close();
  }
}

/** A signal ends the process only after this was closed, until it is released. */
export function closeOnSignal(close: () => Promise<unknown>): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    void close().finally(() => process.exit(128 + constants.signals[signal]));
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  return () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
}

/** For a command that only reads: it migrates nothing, and takes the schema as it is. */
export async function readStorage<T>(env: Env, work: (tools: Tools) => Promise<T>): Promise<T> {
  const read = async (tools: Tools) => {
    try {
      return await work(tools);
    } catch (error) {
      if (!isUnknownName(error)) throw error;
      throw new MigrationRefused(
        `The database is of another version than this program: run \`zhiber migrate\`, or the program of that version (${(error as Error).message}).`,
        { cause: error },
      );
    }
  };
  return await withStorage(env, read, 'never');
}

/** Silent unless LOG_LEVEL is debug or trace: a command reports its own failures. */
export function quietLog(config: Config) {
  const level = ['debug', 'trace'].includes(config.logLevel) ? config.logLevel : 'silent';
  return createLog(level, { sync: true });
}

/** Throws a Refusal when there is no such company. */
export async function mustHaveCompany(tools: Tools, companyId: CompanyId): Promise<void> {
  if ((await findCompany(tools.db, companyId)) !== undefined) return;
  throw new Refusal((texts) => texts.noCompany(companyId));
}
