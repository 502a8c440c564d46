import path from 'node:path';
import { almatyTime } from '../almaty.ts';

const NAME = /^zhiber-(\d{4})-(\d\d)-(\d\d)-\d{6}\.sql\.gz$/;

/** A name by which backups sort in the order of their times, in Almaty. */
export function backupName(at: Date): string {
  return `zhiber-${almatyTime(at).slice(0, 19).replaceAll(':', '').replace(/[ T]/, '-')}.sql.gz`;
}

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** A backup under way; it gets its name when it is whole. */
export function unfinishedName(file: string): string {
  return `${file}.${process.pid}.part`;
}

export function isUnfinishedName(name: string): boolean {
  return /^zhiber-.*\.sql\.gz\.\d+\.part$/.test(name);
}

/** Where backups go when nobody says otherwise. */
export function backupFolder(config: { backupDir: string | undefined; dataDir: string }): string {
  return config.backupDir ?? path.join(config.dataDir, 'backups');
}
