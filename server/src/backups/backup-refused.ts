/** A backup, restore or move cannot be done; the message says why and what to do. */
export class BackupRefused extends Error {}

/** For what the system says about a file. */
export function refusedFile(file: string, error: unknown): BackupRefused {
  return new BackupRefused(`${file}: ${(error as Error).message}`, { cause: error });
}
