import type { Logger } from 'pino';
import { auditMonthsAgain } from '../billing/audited-month-store.ts';
import { readAudit } from '../billing/invariant-store.ts';
import { type Config, shortLinkBaseOf } from '../config/config.ts';
import { closeDatabase, findClosed, reopenDatabase } from '../db/closed-database.ts';
import type { Connection } from '../db/connection.ts';
import { openDatabase, toSql } from '../db/database.ts';
import type { Progress } from '../db/dump/dump-database.ts';
import type { Manifest } from '../db/dump/format.ts';
import { isEmpty, loadDump } from '../db/dump/load-dump.ts';
import { type ParsedDump, parseDump } from '../db/dump/parse-dump.ts';
import { migrate } from '../db/migrate.ts';
import { openPlace } from '../db/open-storage.ts';
import { withSession } from '../db/session.ts';
import { findSecret, storeSecret } from '../installation/open-secrets.ts';
import { deriveSecrets } from '../secrets.ts';
import { BackupRefused } from './backup-refused.ts';
import { hasFacts } from './place-store.ts';
import { type Quieted, quietRestored } from './quiet-restored.ts';
import { readBackup, verifyBackup } from './read-backup.ts';

export type RestoreOptions = {
  file: string;
  log: Logger;
  /** Nobody will use the copy, so it needs no secret. */
  isCheck?: boolean;
  onProgress?: (progress: Progress) => void;
  /** When the rows are loaded: indexes follow. */
  onRowsLoaded?: () => void;
  /** Called with what closes the database, should the process have to end. */
  onOpen?: (close: () => Promise<unknown>) => void;
};

export type Restored = {
  manifest: Manifest;
  /** Undefined when an earlier try had loaded them. */
  rows: Record<string, number> | undefined;
  quieted: Quieted;
  /** How many invariants there are, and those that do not hold. */
  audit: { invariants: number; broken: string[] };
  /** Whether the secret was put into the data folder. */
  hasBroughtSecret: boolean;
};

type Target = Pick<
  Config,
  'databaseUrl' | 'dataDir' | 'secret' | 'databaseTimeoutMs' | 'shortLinkBase' | 'publicUrl'
>;

/**
 * Restores a backup into the empty database of the configuration. Until everything is done, also
 * after a crash, the database refuses to be used, and the same call goes on with it.
 */
export async function restoreBackup(target: Target, options: RestoreOptions): Promise<Restored> {
  const chunks = readBackup(options.file, options.onProgress);
  try {
    const dump = await parseDump(chunks);
    const brought = options.isCheck ? undefined : secretToBring(target, dump);
    const place = await openPlace(target, 'visitor', options.log);
    options.onOpen?.(place.close);
    try {
      const { connection } = place;
      const rows = await load(connection, dump, options).catch(async (error: unknown) => {
        // The database may have met the damage before the checksum did.
        if (isAboutContents(error)) await verifyBackup(options.file);
        throw error;
      });
      await migrate(connection);
      const quieted = await quiet(connection, target, options.log);
      if (brought !== undefined) storeSecret(target.dataDir, brought);
      const audit = await auditAll(connection);
      await withSession(connection, 'zhiber restore', (client) => reopenDatabase(toSql(client)));
      const hasBroughtSecret = brought !== undefined;
      return { manifest: dump.manifest, rows, quieted, audit, hasBroughtSecret };
    } finally {
      await place.close();
    }
  } finally {
    await chunks.return(undefined);
  }
}

/** Months that were audited before are read again: their rows have to be the same. */
async function auditAll(connection: Connection): Promise<Restored['audit']> {
  const { violations } = await readAudit(connection);
  const months = await auditMonthsAgain(connection, undefined);
  const broken = Object.entries(violations).filter(([, count]) => count > 0);
  return {
    invariants: Object.keys(violations).length,
    broken: [...new Set([...broken.map(([name]) => name), ...months.flatMap((one) => one.broken)])],
  };
}

function isAboutContents(error: unknown): boolean {
  return /^(?:08P|22|23|42)/.test((error as { code?: string }).code ?? '');
}

async function load(
  connection: Connection,
  dump: ParsedDump,
  { onRowsLoaded }: RestoreOptions,
): Promise<Record<string, number> | undefined> {
  const from = `the backup of ${dump.manifest.at}`;
  return await withSession(connection, 'zhiber restore', async (client) => {
    const sql = toSql(client);
    if (await isEmpty(sql)) {
      return await loadDump(client, dump, {
        ...(onRowsLoaded !== undefined && { onRowsLoaded }),
        beforeCommit: (tx) => closeDatabase(tx, { reason: 'loading', from }),
      });
    }
    const closed = (await hasFacts(sql)) ? await findClosed(sql) : undefined;
    if (closed?.reason === 'loading' && closed.from === from) return undefined;
    throw new BackupRefused(
      'The database is not empty, and a backup is restored into an empty one: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
    );
  });
}

async function quiet(connection: Connection, target: Target, log: Logger): Promise<Quieted> {
  const db = openDatabase(connection, log, target.databaseTimeoutMs);
  try {
    const base = shortLinkBaseOf(target, target.publicUrl ?? '');
    return await quietRestored(db, base);
  } finally {
    await db.close();
  }
}

/**
 * The secret to put into the data folder; undefined when the right one is there. Throws without the
 * one that the data was written with: codes and proofs would be worthless.
 */
function secretToBring(target: Target, { manifest, secret }: ParsedDump): string | undefined {
  const { secretFingerprint: wanted } = manifest;
  if (wanted === null) return undefined;
  const isRight = (candidate: string) => deriveSecrets(candidate).fingerprint === wanted;
  const own = findSecret(target);
  if (own !== undefined && isRight(own)) return undefined;
  const name = `the secret with the fingerprint ${wanted.slice(0, 8)}`;
  if (own !== undefined) {
    const source = target.secret === undefined ? `the one in ${target.dataDir}` : 'SECRET';
    const other =
      secret === undefined
        ? 'Set SECRET to it.'
        : `It is in the backup: ${target.secret === undefined ? 'set DATA_DIR to a new folder' : 'do not set SECRET'}.`;
    throw new BackupRefused(`The backup needs ${name}, and ${source} is another. ${other}`);
  }
  if (secret === undefined || !isRight(secret)) {
    throw new BackupRefused(`The backup was made without ${name}: set SECRET to it.`);
  }
  return secret;
}
