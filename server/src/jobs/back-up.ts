import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expiredFiles } from '../backups/backup-file.ts';
import { readBackupState, rememberFailure } from '../backups/remember-backup.ts';
import type { Context } from '../context.ts';

const PROGRAM = path.join(import.meta.dirname, '../main.ts');
/** Sends and checks come first. */
const NICENESS = 10;
/** Nights that were missed while no node could do it are not made up for one by one. */
const FRESH_MS = 2 * 3_600_000;

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/**
 * Makes a backup, and then removes those that are too old. It is the command itself, in a process of
 * its own: packing and checking would hold up the requests of this one.
 */
export async function backUp(ctx: Ctx, signal: AbortSignal): Promise<object> {
  const { backupDir, backupKeepDays } = ctx.config;
  if (backupDir === undefined) return { skipped: 'BACKUP_DIR is not set' };
  const now = ctx.clock.now().getTime();
  const { last } = await readBackupState(ctx.db);
  if (last !== undefined && now - last.at.getTime() < FRESH_MS) return { skipped: 'a fresh one' };
  try {
    const report = await runBackup(signal);
    const oldest = new Date(now - backupKeepDays * 24 * 3_600_000);
    const expired = expiredFiles(await readdir(backupDir), oldest);
    for (const name of expired) await rm(path.join(backupDir, name), { force: true });
    return { ...report, removed: expired.length };
  } catch (error) {
    const reason = (error as Error).message;
    if (!signal.aborted) ctx.log.error({ reason }, 'the nightly backup failed');
    await rememberFailure(ctx.db, reason);
    throw error;
  }
}

async function runBackup(signal: AbortSignal): Promise<object> {
  const child = spawn(process.execPath, [PROGRAM, 'backup', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const ended = once(child, 'close');
  if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const report = parse(out);
  if (child.exitCode === 0) return report;
  if (Array.isArray(report.violations) && report.violations.length > 0) {
    throw new Error(`the audit of the backup found ${report.violations.join(', ')}`);
  }
  throw new Error(String(report.error ?? (said.trim() || `it ended with ${child.signalCode}`)));
}

function parse(out: string): { error?: string; violations?: string[] } {
  return out.trim() === '' ? {} : JSON.parse(out);
}
