import { constants } from 'node:os';
import { systemClock } from '../clock.ts';
import { findCompany } from '../company/company-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Context } from '../context.ts';
import { openStorage, type Storage } from '../db/open-storage.ts';
import type { CompanyId } from '../ids.ts';
import { createLog } from '../log.ts';
import { Refusal } from './grammar/command.ts';
import type { Env } from './grammar/language.ts';

export type Tools = Pick<Context, 'db' | 'config' | 'clock'> & { storage: Storage };

/**
 * Opens the database for the moment and always closes it: it joins the one of a running server, or
 * starts and stops it. A signal ends the work, but not before the database has been left in order.
 */
export async function withStorage<T>(env: Env, work: (tools: Tools) => Promise<T>): Promise<T> {
  const config = readConfig(env);
  const storage = await openStorage(config, 'visitor', quietLog(config));
  const onSignal = (signal: NodeJS.Signals) => {
    void storage.close().finally(() => process.exit(128 + constants.signals[signal]));
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work({ db: storage.db, config, clock: systemClock, storage });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await storage.close();
  }
}

/** A command says what went wrong itself; the log is for whoever asks for more. */
function quietLog(config: Config) {
  const level = ['debug', 'trace'].includes(config.logLevel) ? config.logLevel : 'silent';
  return createLog(level, { sync: true });
}

/** Refuses when there is no such company. */
export async function mustHaveCompany(tools: Tools, companyId: CompanyId): Promise<void> {
  if ((await findCompany(tools.db, companyId)) !== undefined) return;
  throw new Refusal((texts) => texts.noCompany(companyId));
}
