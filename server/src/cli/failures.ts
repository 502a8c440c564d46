import { WrongSecret } from '../company/open-secrets.ts';
import { BadConfig } from '../config/config.ts';
import { EmbeddedRefused } from '../db/embedded/refused.ts';
import { MigrationRefused } from '../db/migrate.ts';
import { DatabaseUnreachable } from '../db/open-storage.ts';

/**
 * Failures that a person can mend: their message says everything, and a stack would only hide it.
 */
const EXPECTED = [BadConfig, EmbeddedRefused, DatabaseUnreachable, MigrationRefused, WrongSecret];

/** The sentence of an expected failure; undefined for a bug. */
export function sentenceOf(error: unknown): string | undefined {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  return isExpected ? (error as Error).message : undefined;
}
