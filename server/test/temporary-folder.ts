import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a folder for test data. */
export function createTemporaryFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `zhiber-${name}-`));
  letOthersEnter(folder);
  return folder;
}

/**
 * When the tests run as root, PostgreSQL runs as another user, who must be able to enter the folder.
 * Otherwise the cluster is created in another place, and is left behind when the folder is removed.
 */
export function letOthersEnter(folder: string): void {
  chmodSync(folder, 0o711);
}
