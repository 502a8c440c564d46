/** What `npm test` prints, by its own runner over rings of a line or two. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { isAlive } from './serve-harness.ts';

const RINGS = path.join(import.meta.dirname, '../../../scripts/rings.mjs');
const SAY_AT_END = path.join(import.meta.dirname, '../say-at-end.ts');
/** Far more than a ring of a line takes, on a busy machine too. */
const LIMIT_MS = 120_000;
/** Long enough for a file to begin on a busy machine. */
const FILE_SECONDS = 20;

const folder = mkdtempSync(path.join(tmpdir(), 'zhiber-rings-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A ring of one file. */
function ring(name: string, body: string) {
  const file = path.join(folder, `${name}.test.mjs`);
  writeFileSync(file, `import { test } from 'node:test';\n${body}\n`);
  return { name, files: [file] };
}

const TELLING = ring(
  'telling',
  `import { sayAtEnd } from ${JSON.stringify(SAY_AT_END)};
   test('a', () => sayAtEnd('the first table\\nof two lines'));
   test('b', () => sayAtEnd('the second'));`,
);
const QUIET = ring('quiet', `test('c', () => console.log('said in between'));`);
const FAILING = ring('failing', `test('d', () => { throw new Error('as it should') });`);

/** Files that would never end, and what is said of each. */
const HANGING: Record<string, { body: string; said: string }> = {
  'in-a-test': {
    body: `test('a', () => undefined);
      test('b', async (t) => {
        await t.test('c', () => new Promise(() => setInterval(() => undefined, 1_000)));
      });`,
    said: 'running was "b", "b > c"',
  },
  'blocking-everything': {
    body: `test('a', () => { for (;;); });`,
    said: 'running was "a"',
  },
  'before-the-first-test': {
    body: `await new Promise(() => setInterval(() => undefined, 1_000));`,
    said: 'no test had begun',
  },
  'after-the-last-test': {
    body: `test('a', () => undefined);
      test('b', () => void setInterval(() => undefined, 1_000));`,
    said: '2 tests were over, and something was left open',
  },
  'with-a-process': {
    body: `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      test('a', () => new Promise(() => {
        const options = { detached: true, stdio: 'ignore' };
        const args = ['-e', 'setInterval(() => undefined, 1_000)'];
        writeFileSync(process.env.STARTED, String(spawn(process.execPath, args, options).pid));
      }));`,
    said: 'running was "a"',
  },
};

function runRings(
  rings: readonly object[],
  names: readonly string[] = [],
  settings: Record<string, string> = {},
): string {
  const program = `import { runRings } from ${JSON.stringify(RINGS)};
    process.exitCode = await runRings(${JSON.stringify(names)}, ${JSON.stringify(rings)});`;
  const { NODE_TEST_CONTEXT: _, ZHIBER_TEST_SUMMARY: __, ...env } = process.env;
  const args = ['--input-type=module', '--eval', program];
  const options = { env: { ...env, ...settings }, encoding: 'utf8', timeout: LIMIT_MS } as const;
  return spawnSync(process.execPath, args, options).stdout;
}

const SUMMARY = 'the first table\nof two lines\nthe second';

test('what a ring has to tell stands after the totals again, before the failures', () => {
  const out = runRings([TELLING, QUIET, FAILING]);
  const places = [
    'said in between',
    '\n3 passed, 1 failed',
    `\n${SUMMARY}\n`,
    '\nFAILED failing: d',
  ].map((text) => out.lastIndexOf(text));
  assert.ok(!places.includes(-1), out);
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    out,
  );
  assert.equal(out.split('the second').length - 1, 2, 'where it happened, and at the end');
});

test('a ring that was not run tells nothing', () => {
  const out = runRings([TELLING, QUIET], ['quiet']);
  assert.match(out, /\n1 passed, 0 failed\n$/);
  assert.doesNotMatch(out, /table/);
});

test('a file that hangs is ended with all that it has started, and what hangs is named', () => {
  const started = path.join(folder, 'started.txt');
  const files = Object.entries(HANGING).flatMap(([name, { body }]) => ring(name, body).files);
  const hanging = { name: 'hanging', files, atOnce: files.length, fileSeconds: FILE_SECONDS };
  const out = runRings([hanging, QUIET], [], { STARTED: started });
  for (const [name, { said }] of Object.entries(HANGING)) {
    const told = `${name}.test.mjs: Stopped after ${FILE_SECONDS} seconds: ${said}.`;
    assert.ok(out.includes(told), out);
    assert.match(out, new RegExp(`\\nFAILED hanging: .*${name}\\.test\\.mjs\\n {2}Stopped after`));
  }
  assert.equal(isAlive(Number(readFileSync(started, 'utf8'))), false);
  assert.match(out, /== quiet: ok/, 'the next ring has its turn');
});
