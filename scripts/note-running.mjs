/**
 * Preloaded into every test file. Writes to a file which of its tests are running, for
 * scripts/watch-files.mjs, which kills files that hang. The write is synchronous, because a test
 * that blocks the event loop cannot report anything later.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach } from 'node:test';

const { ZHIBER_TEST_RUNNING: folder, NODE_TEST_CONTEXT: context } = process.env;

// The test runner loads this module, too, and has nothing to write.
if (folder !== undefined && context !== undefined) {
  const note = path.join(folder, `${process.pid}.json`);
  const startedAt = Date.now();
  const running = [];
  let finished = 0;
  const write = () =>
    writeFileSync(note, JSON.stringify({ file: process.argv[1], startedAt, running, finished }));

  write();
  beforeEach(({ fullName }) => {
    running.push(fullName);
    write();
  });
  afterEach(({ fullName }) => {
    running.splice(running.indexOf(fullName), 1);
    finished += 1;
    write();
  });
  process.on('exit', () => rmSync(note, { force: true }));
}
