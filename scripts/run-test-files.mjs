/** Runs the test files of one ring with Node's test runner. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from './run-program.mjs';
import { root } from './setup.mjs';
import { writeBatches } from './test-batch.mjs';
import { watchFiles } from './watch-files.mjs';

/** The limit of a ring, as a number of files that take their whole limit one after another. */
const RING_FILES = 3;
/** The test runner is stopped this long after its files, so that it can report the running test. */
const REPORT_SECONDS = 15;

/**
 * Most tests start a database and wait for its disk. A RAM disk takes no time, and what survives a
 * killed process is the same; it is used where it is large.
 */
const RAM_DISK = '/dev/shm';
const RAM_DISK_BYTES_MIN = 8 * 1024 ** 3;

/**
 * Runs test files within their time limit, each in a process of its own or `batches.size` of them
 * in one, and returns how many tests passed, failed and were skipped, with the failures and the
 * summary.
 */
export async function runTestFiles(args, { files, batches, env, fileSeconds, write }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'zhiber-ring-'));
  const countFile = path.join(dir, 'counts.json');
  const summaryFile = path.join(dir, 'summary.txt');
  const runningDir = path.join(dir, 'running');
  mkdirSync(runningDir);
  const options = [
    `--import=${pathToFileURL(path.join(root, 'scripts/note-running.mjs'))}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${pathToFileURL(path.join(root, 'scripts/count-reporter.mjs'))}`,
    `--test-reporter-destination=${countFile}`,
  ];
  const allSeconds = fileSeconds * RING_FILES;
  const watch = watchFiles({ folder: runningDir, limitSeconds: fileSeconds, allSeconds });
  try {
    const programs =
      batches === undefined ? files : writeBatches(files, { folder: dir, ...batches });
    const allEnv = { ...env, ZHIBER_TEST_SUMMARY: summaryFile, ZHIBER_TEST_RUNNING: runningDir };
    const limitMs = (allSeconds + REPORT_SECONDS) * 1_000;
    const nodeArgs = ['--test', ...options, ...args, ...programs];
    const code = await runProgram(nodeArgs, { env: allEnv, write, limitMs });
    const counts = { ...readCounts(countFile), summary: findSummary(summaryFile) };
    const failures = [...watch.stop(), ...(counts.failures ?? [])];
    // A process that failed without a failed test (a crash, the time limit) is a failure too.
    const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed;
    return { ...counts, failures, failed };
  } finally {
    watch.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

export function chooseTemporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(RAM_DISK);
    return bavail * bsize >= RAM_DISK_BYTES_MIN ? RAM_DISK : tmpdir();
  } catch {
    return tmpdir();
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Undefined when no test of the ring has written a summary. */
function findSummary(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
