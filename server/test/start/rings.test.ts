/** Tests the test runner itself (scripts/rings.mjs) with tiny rings. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isAlive } from './serve-harness.ts';

const RINGS = path.join(import.meta.dirname, '../../../scripts/rings.mjs');
const TEST_SUMMARY = path.join(import.meta.dirname, '../test-summary.ts');
/** Far more than a tiny ring takes, even on a busy machine. */
const TIMEOUT_MS = 120_000;
/** Long enough for a file to begin on a busy machine. */
const FILE_SECONDS = 20;

const folder = mkdtempSync(path.join(tmpdir(), 'zhiber-rings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a ring of one test file. */
function createRing(name: string, body: string) {
  const file = path.join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
  return { name, files: [file] };
}

const SUMMARIZING = createRing(
  'telling',
  `import { addToSummary } from ${JSON.stringify(TEST_SUMMARY)};
   test('a', () => addToSummary('the first table\\nof two lines'));
   test('b', () => addToSummary('the second'));`,
);
const QUIET = createRing('quiet', `test('c', () => console.log('printed in between'));`);
const FAILING = createRing('failing', `test('d', () => { throw new Error('as it should') });`);

/** Test files that would never end, and the reason that the runner prints for each. */
const HANGING: Record<string, { body: string; reason: string }> = {
  'in-a-test': {
    body: `test('a', () => undefined);
      test('b', async (t) => {
        await t.test('c', () => new Promise(() => setInterval(() => undefined, 1_000)));
      });`,
    reason: 'still running "b", "b > c"',
  },
  'blocking-everything': {
    body: `test('a', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));`,
    reason: 'still running "a"',
  },
  'before-the-first-test': {
    body: `await new Promise(() => setInterval(() => undefined, 1_000));`,
    reason: 'no test had started',
  },
  'after-the-last-test': {
    body: `test('a', () => undefined);
      test('b', () => void setInterval(() => undefined, 1_000));`,
    reason: '2 tests had finished, but the process did not exit',
  },
  'with-a-process': {
    body: `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      test('a', () => new Promise(() => {
        const options = { detached: true, stdio: 'ignore' };
        const args = ['-e', 'setInterval(() => undefined, 1_000)'];
        writeFileSync(process.env.STARTED, String(spawn(process.execPath, args, options).pid));
      }));`,
    reason: 'still running "a"',
  },
};

/** Test files that share a process; the hooks of each write what they see. */
const SHARING = {
  name: 'sharing',
  files: ['one', 'two'].flatMap((name) => {
    const body = `import { afterEach, before } from 'node:test';
      before(() => console.log('${name} begins'));
      afterEach((t) => console.log('${name} saw ' + t.name + ' in ' + process.pid));
      test('of ${name}', () => undefined);`;
    return createRing(name, body).files;
  }),
  batches: { size: 2 },
};
/** Tests with two peers, one of which is not there. */
const PEERS = {
  ...createRing(
    'peers',
    `test('A: a text: taken', () => undefined);
     test('A: a refusal: no charge', () => { throw new Error('charged') });
     test('B: a text: taken', { skip: 'B is not installed' }, () => undefined);`,
  ),
  peerTable: true,
  isExtra: true,
};
const SKIPPING = createRing(
  'skipping',
  `import { describe } from 'node:test';
   describe('all of it', { skip: 'no tools' }, () => test('e', () => undefined));
   test('f', { skip: 'no tools' }, () => undefined);
   test('g', () => undefined);`,
);
const UNREADABLE = createRing('unreadable', `throw new Error('cannot be loaded');`);

function runRings(
  rings: readonly object[],
  names: readonly string[] = [],
  settings: Record<string, string> = {},
): string {
  const program = `import { runRings } from ${JSON.stringify(RINGS)};
    process.exitCode = await runRings(${JSON.stringify(names)}, ${JSON.stringify(rings)});`;
  const { NODE_TEST_CONTEXT: _, ZHIBER_TEST_SUMMARY: __, ...env } = process.env;
  const args = ['--input-type=module', '--eval', program];
  const options = { env: { ...env, ...settings }, encoding: 'utf8', timeout: TIMEOUT_MS } as const;
  return spawnSync(process.execPath, args, options).stdout;
}

const SUMMARY = 'the first table\nof two lines\nthe second';

test('summaries are printed again after the totals and before the failures', () => {
  const out = runRings([SUMMARIZING, QUIET, FAILING]);
  const positions = [
    'printed in between',
    '\n3 passed, 1 failed',
    `\n${SUMMARY}\n`,
    '\nFAILED failing: d',
  ].map((text) => out.lastIndexOf(text));
  assert.ok(!positions.includes(-1), out);
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
    out,
  );
  assert.equal(out.split('the second').length - 1, 2, 'printed once in place and once at the end');
});

test('a ring that was not run prints no summary', () => {
  const out = runRings([SUMMARIZING, QUIET], ['quiet']);
  assert.match(out, /\n1 passed, 0 failed\n$/);
  assert.doesNotMatch(out, /table/);
});

test('a ring with peers prints their table before the failures', () => {
  const table = [
    'case       A       B        expected',
    'a text     ok      skipped  taken',
    'a refusal  failed  —        no charge',
    '',
    '2 peers, 2 cases: 1 ok, 1 skipped, 1 failed',
    '1 skipped, B: B is not installed',
  ].join('\n');
  const out = runRings([PEERS, QUIET], ['peers']);
  const failure = 'FAILED peers: A: a refusal: no charge\n  charged';
  assert.ok(out.endsWith(`\n1 passed, 1 failed, 1 skipped\n\n${table}\n\n${failure}\n`), out);
});

test('an extra ring runs by its name only', () => {
  const out = runRings([PEERS, QUIET]);
  assert.match(out, /\n1 passed, 0 failed\n$/);
  assert.doesNotMatch(out, /peers/);
});

test('a skipped suite counts as skipped, although its tests are not known', () => {
  assert.match(runRings([SKIPPING]), /\n1 passed, 0 failed, 2 skipped\n$/);
});

test('files of a batch share a process, each with its own hooks', () => {
  const out = runRings([SHARING]);
  const [, pid] = out.match(/one saw of one in (\d+)/) ?? assert.fail(out);
  assert.ok(out.includes(`two saw of two in ${pid}`), out);
  assert.doesNotMatch(out, /one saw of two|two saw of one/);
  assert.ok(out.indexOf('one saw') < out.indexOf('two begins'), 'one after another');
  assert.match(out, /\n2 passed, 0 failed\n$/);
});

test('a file of a batch that fails or cannot be loaded does not stop the next', () => {
  const files = [UNREADABLE, FAILING, QUIET].flatMap((ring) => ring.files);
  const out = runRings([{ name: 'batch', files, batches: { size: 3 } }]);
  assert.match(out, /FAILED batch: .*unreadable\.test\.mjs\n {2}cannot be loaded/);
  assert.match(out, /FAILED batch: d\n {2}as it should/);
  assert.match(out, /\n1 passed, 2 failed\n/);
});

test('files that need a process of their own are not in a batch', () => {
  const out = runRings([{ ...SHARING, batches: { size: 2, except: SHARING.files.slice(1) } }]);
  const pids = [...out.matchAll(/saw of \w+ in (\d+)/g)].map(([, pid]) => pid);
  assert.equal(new Set(pids).size, 2, out);
});

test('a test file that hangs is killed with its child processes, and the hanging test is named', () => {
  const started = path.join(folder, 'started.txt');
  const files = Object.entries(HANGING).flatMap(([name, { body }]) => createRing(name, body).files);
  const hanging = { name: 'hanging', files, concurrency: files.length, fileSeconds: FILE_SECONDS };
  const batch = {
    name: 'batch',
    files: [...QUIET.files, ...createRing('in-a-batch', HANGING['in-a-test']?.body ?? '').files],
    batches: { size: 2 },
    concurrency: 1,
    fileSeconds: FILE_SECONDS,
  };
  const out = runRings([hanging, batch, QUIET], [], { STARTED: started });
  for (const [name, { reason }] of Object.entries(HANGING)) {
    const message = `${name}.test.mjs: Stopped after ${FILE_SECONDS} seconds: ${reason}.`;
    assert.ok(out.includes(message), out);
    assert.match(out, new RegExp(`\\nFAILED hanging: .*${name}\\.test\\.mjs\\n {2}Stopped after`));
  }
  assert.match(
    out,
    /in-a-batch\.test\.mjs: Stopped after 20 seconds: still running ".*b", ".*b > c"/,
  );
  assert.equal(isAlive(Number(readFileSync(started, 'utf8'))), false);
  assert.match(out, /== quiet: ok/, 'the next ring must run');
});
