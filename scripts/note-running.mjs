/**
 * Preloaded into every test file. Writes to a file which of its tests are running, for
 * scripts/watch-files.mjs, which kills files that hang. The write is synchronous, because a test
 * that blocks the event loop cannot report anything later.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach } from 'node:test';

const { ZHIBER_TEST_RUNNING: folder, NODE_TEST_CONTEXT: context } = process.env;
const noted = { file: process.argv[1], startedAt: Date.now(), running: [], finished: 0 };

/** Called when the next file of a batch begins (scripts/test-batch.mjs). */
export function noteFile(file) {
  Object.assign(noted, { file, startedAt: Date.now(), running: [], finished: 0 });
  write();
}

function write() {
  if (isNoted()) writeFileSync(noteOf(), JSON.stringify(noted));
}

function isNoted() {
  // The test runner loads this module, too, and has nothing to write.
  return folder !== undefined && context !== undefined;
}

function noteOf() {
  return path.join(folder, `${process.pid}.json`);
}

if (isNoted()) {
  write();
  beforeEach(({ fullName }) => {
    noted.running.push(fullName);
    write();
  });
  afterEach(({ fullName }) => {
    noted.running.splice(noted.running.indexOf(fullName), 1);
    noted.finished += 1;
    write();
  });
  process.on('exit', () => rmSync(noteOf(), { force: true }));
}
