import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Creates a folder for test data. When the tests run as root, PostgreSQL runs as another user, who
 * must be able to enter the folder. Otherwise the cluster is created in another place, and is left
 * behind when the folder is removed.
 */
export function createTemporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `zhiber-${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}
