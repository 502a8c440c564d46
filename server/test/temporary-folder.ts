import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A new folder for data of a test. Under root another user runs PostgreSQL and has to pass through;
 * else the cluster would be put elsewhere, and stay there when the folder is removed.
 */
export function createTemporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `zhiber-${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}
