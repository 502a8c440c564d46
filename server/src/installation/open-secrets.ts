import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

function readOrMakeSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    // Two starts at once: the first to create the file wins, the other reads it.
    writeFileSync(file, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
