import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { deriveSecrets, type Secrets } from '../secrets.ts';
import { storeFactOnce } from './fact-store.ts';

export class WrongSecret extends Error {}

export const FINGERPRINT_FACT = 'secret_fingerprint';

/** The secret of this installation, checked against the one its data was written with. */
export async function openSecrets(config: Config, db: Database): Promise<Secrets> {
  const secrets = deriveSecrets(config.secret ?? readOrMakeSecret(config.dataDir));
  const written = await storeFactOnce(db, FINGERPRINT_FACT, secrets.fingerprint);
  if (written === secrets.fingerprint) return secrets;
  const source = config.secret === undefined ? `the secret in ${config.dataDir}` : 'SECRET';
  throw new WrongSecret(
    `This data was written with another secret: ${source} does not match, and pending codes could not be verified. Set SECRET to the previous value.`,
  );
}

/** The secret that is set or was generated; undefined before the first start. */
export function findSecret({
  secret,
  dataDir,
}: Pick<Config, 'secret' | 'dataDir'>): string | undefined {
  const file = secretFile(dataDir);
  return secret ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
}

/** Keeps a secret that comes from elsewhere. Throws when there is one already. */
export function storeSecret(dataDir: string, secret: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(secretFile(dataDir), secret, { flag: 'wx', mode: 0o600 });
}

function secretFile(dataDir: string): string {
  return path.join(dataDir, 'secret');
}

function readOrMakeSecret(dataDir: string): string {
  try {
    // Two starts at once: the first to create the file wins, the other reads it.
    storeSecret(dataDir, randomBytes(32).toString('hex'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(secretFile(dataDir), 'utf8').trim();
}
