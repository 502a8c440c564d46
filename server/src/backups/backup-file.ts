import path from 'node:path';
import { almatyTime } from '../almaty.ts';

const NAME = /^zhiber-\d{4}-\d\d-\d\d-\d{6}\.sql\.gz$/;
const UNFINISHED = /^zhiber-\d{4}-\d\d-\d\d-\d{6}\.sql\.gz\.\d+\.part$/;

/** A name by which backups sort in the order of their times, in Almaty. */
export function backupName(at: Date): string {
  return `zhiber-${almatyTime(at).slice(0, 19).replaceAll(':', '').replace(/[ T]/, '-')}.sql.gz`;
}

/** A backup under way; it gets its name when it is whole. */
export function unfinishedName(file: string): string {
  return `${file}.${process.pid}.part`;
}

/** Backups from before a moment, and what killed processes left of some; nothing of anybody else. */
export function expiredFiles(names: readonly string[], oldest: Date): string[] {
  return names.filter(
    (name) => (NAME.test(name) || UNFINISHED.test(name)) && name < backupName(oldest),
  );
}

/** Where backups go when nobody says otherwise. */
export function backupFolder(config: { backupDir: string | undefined; dataDir: string }): string {
  return config.backupDir ?? path.join(config.dataDir, 'backups');
}
