import type { Sql } from '../db/sql.ts';
import { findFact, storeFact } from '../installation/fact-store.ts';

/** The last backup that is whole. */
export type LastBackup = { at: Date; file: string; bytes: number };
/** Why the last nightly backup failed; undefined when it has not. */
export type BackupState = { last: LastBackup | undefined; failed: string | undefined };

const LAST = 'last_backup';
const FAILED = 'backup_failed';

export async function rememberBackup(sql: Sql, { at, file, bytes }: LastBackup): Promise<void> {
  await storeFact(sql, LAST, JSON.stringify({ at: at.toISOString(), file, bytes }));
  await storeFact(sql, FAILED, '');
}

export async function rememberFailure(sql: Sql, reason: string): Promise<void> {
  await storeFact(sql, FAILED, reason);
}

export async function readBackupState(sql: Sql): Promise<BackupState> {
  const text = await findFact(sql, LAST);
  const failed = await findFact(sql, FAILED);
  const stored = text === undefined ? undefined : (JSON.parse(text) as { at: string });
  return {
    last: stored === undefined ? undefined : ({ ...stored, at: new Date(stored.at) } as LastBackup),
    failed: failed || undefined,
  };
}
