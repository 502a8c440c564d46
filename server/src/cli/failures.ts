import { BackupRefused } from '../backups/backup-refused.ts';
import { BadConfig } from '../config/config.ts';
import { DatabaseClosed } from '../db/closed-database.ts';
import { DumpRefused } from '../db/dump/format.ts';
import { EmbeddedRefused } from '../db/embedded/refused.ts';
import { DatabaseUnreachable } from '../db/open-storage.ts';
import { MigrationRefused } from '../db/schema-version.ts';
import { ModeRefused } from '../installation/mode.ts';
import { WrongSecret } from '../installation/open-secrets.ts';
import { WentBack } from '../installation/timeline.ts';

/** Failures that an operator can fix: their message is enough, and a stack would obscure it. */
const EXPECTED = [
  BackupRefused,
  BadConfig,
  DatabaseClosed,
  EmbeddedRefused,
  DatabaseUnreachable,
  DumpRefused,
  MigrationRefused,
  ModeRefused,
  WentBack,
  WrongSecret,
];

/** The message of an expected failure; undefined for a bug. */
export function sentenceOf(error: unknown): string | undefined {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? (error as Error).message : undefined;
}
