/** What `npm test` prints, by its own runner over rings of a line or two. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const RINGS = path.join(import.meta.dirname, '../../../scripts/rings.mjs');
const SAY_AT_END = path.join(import.meta.dirname, '../say-at-end.ts');
const LIMIT_MS = 30_000;

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

function runRings(rings: readonly object[], names: readonly string[] = []): string {
  const program = `import { runRings } from ${JSON.stringify(RINGS)};
    process.exitCode = await runRings(${JSON.stringify(names)}, ${JSON.stringify(rings)});`;
  const { NODE_TEST_CONTEXT: _, ZHIBER_TEST_SUMMARY: __, ...env } = process.env;
  const args = ['--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: LIMIT_MS }).stdout;
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
