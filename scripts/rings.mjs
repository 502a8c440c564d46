/**
 * The rings of `npm test`, from the cheapest to the dearest; at the end the totals, and what a ring
 * has to tell besides (server/test/say-at-end.ts).
 */
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium } from './find-chromium.mjs';
import { runProgram } from './run-program.mjs';
import { root } from './setup.mjs';
import { watchFiles } from './watch-files.mjs';

/** How much of a failure is said again at the end. */
const REASON_LINES_MAX = 20;
const REASON_WIDTH_MAX = 600;

const TSC = 'node_modules/typescript/bin/tsc';
const BIOME = [
  'node_modules/@biomejs/biome/bin/biome',
  'check',
  '--error-on-warnings',
  '--max-diagnostics=200',
];

/**
 * What a file may take before it is taken to hang: several times what the slowest takes on two busy
 * cores. The program as a whole has its own limit.
 */
const FILE_SECONDS = 300;
const LONG_FILE_SECONDS = 600;
/** With everything that `--full` repeats. */
const FULL_FILE_SECONDS = 3_600;
/** As many of the longest files after each other as a ring may have. */
const RING_FILES = 3;
/** The program is ended a moment after its files, so that it can still be said what was running. */
const LAST_WORDS_SECONDS = 15;

/** Starts one PostgreSQL for the whole ring; every file clones its migrated template. */
const DATABASE_SETUP = 'server/test/database-server.ts';

/**
 * Three files at once, unless a ring says otherwise. A short one may run beside the one before it; what
 * waits for something, or measures how long it takes, never does.
 */
const RINGS = [
  { name: 'types', check: checkTypes },
  { name: 'lint', check: (output) => runProgram(BIOME, output), isBeside: true },
  { name: 'structure', files: ['server/test/structure.test.ts'] },
  { name: 'unit', files: ['server/src/**/*.test.ts', 'contract/src/**/*.test.ts'] },
  { name: 'cabinet', files: ['cabinet/src/**/*.test.ts'] },
  { name: 'api', files: ['server/test/api/*.test.ts'], needsDatabase: true },
  { name: 'cabinet-api', files: ['server/test/cabinet/*.test.ts'], needsDatabase: true },
  { name: 'money', files: ['server/test/money/*.test.ts'], needsDatabase: true },
  { name: 'delivery', files: ['server/test/delivery/*.test.ts'], needsDatabase: true },
  {
    name: 'model',
    files: ['server/test/model/*.test.ts'],
    needsDatabase: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  { name: 'providers', files: ['server/test/providers/*.test.ts'] },
  { name: 'start', files: ['server/test/start/*.test.ts'], fileSeconds: LONG_FILE_SECONDS },
  {
    name: 'races',
    files: ['server/test/races/*.test.ts'],
    atOnce: 1,
    fileSeconds: LONG_FILE_SECONDS,
  },
  // These wait for providers that do not answer, most of the time.
  {
    name: 'faults',
    files: ['server/test/faults/*.test.ts'],
    atOnce: 5,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'crashes',
    files: ['server/test/crashes/*.test.ts'],
    atOnce: 5,
    fileSeconds: LONG_FILE_SECONDS,
  },
  { name: 'outages', files: ['server/test/outages/*.test.ts'], fileSeconds: LONG_FILE_SECONDS },
  { name: 'hostile', files: ['server/test/hostile/*.test.ts'], fileSeconds: LONG_FILE_SECONDS },
  { name: 'overload', files: ['bench/*.test.ts'], atOnce: 1, fileSeconds: LONG_FILE_SECONDS },
  {
    name: 'acceptance',
    files: ['acceptance/*.test.ts'],
    atOnce: 5,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'browser',
    files: ['server/test/browser/**/*.test.ts'],
    needsChromium: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
];

export async function runCheck() {
  const types = await checkTypes();
  const lint = await runProgram(BIOME);
  return types === 0 && lint === 0 ? 0 : 1;
}

/** Code for the browser has a tsconfig.json of its own, because it knows other globals. */
async function checkTypes(output) {
  const projects = [
    'tsconfig.json',
    'cabinet/tsconfig.json',
    ...globSync('server/src/**/tsconfig.json', { cwd: root }),
  ];
  let worst = 0;
  for (const project of projects) {
    worst = Math.max(worst, await runProgram([TSC, '--noEmit', '--project', project], output));
  }
  return worst;
}

export function runFormat() {
  return runProgram([...BIOME, '--write']);
}

/**
 * Runs the named rings, or all of them, to the end, and answers with the exit code. With `--full`,
 * the proofs that repeat something do it as often as their claim says, which takes much longer.
 */
export async function runRings(args, rings = RINGS) {
  const isFull = args.includes('--full');
  const names = args.filter((name) => name !== '--full');
  const unknown = names.filter((name) => !rings.some((ring) => ring.name === name));
  if (unknown.length > 0) {
    const known = rings.map((ring) => ring.name).join(', ');
    throw new Error(`There is no ring ${unknown.join(', ')}. The rings are: ${known}.`);
  }
  const chosen = rings.filter((ring) => names.length === 0 || names.includes(ring.name));
  const results = [];
  for (const turn of turnsOf(chosen)) {
    const ended = await Promise.all(
      turn.map((ring) => runRing(ring, { isFull, isAlone: turn.length === 1 })),
    );
    results.push(...ended.filter((result) => result !== undefined));
  }
  printTotals(results);
  printSummaries(results);
  printFailures(results);
  return results.some((result) => result.failed > 0) ? 1 : 0;
}

/** The rings as they take turns: one at a time, or side by side. */
function turnsOf(rings) {
  const turns = [];
  for (const ring of rings) {
    if (ring.isBeside && turns.length > 0) turns.at(-1).push(ring);
    else turns.push([ring]);
  }
  return turns;
}

/**
 * One ring's totals, or undefined when it has no files yet. What is printed by rings side by side is
 * kept until the end of each, so that it can be read.
 */
async function runRing(ring, { isFull, isAlone }) {
  const files = (ring.files ?? []).flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  if (ring.files !== undefined && files.length === 0) return undefined;
  const kept = [];
  const output = isAlone ? {} : { write: (chunk) => kept.push(chunk) };
  if (isAlone) console.log(`\n== ${ring.name}`);
  const startedAt = performance.now();
  const counts = await countRing(ring, { files, isFull, output });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (!isAlone) console.log(`\n== ${ring.name}\n${Buffer.concat(kept)}`);
  console.log(`== ${ring.name}: ${counts.failed === 0 ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
  return { name: ring.name, seconds, ...counts };
}

async function countRing(ring, { files, isFull, output }) {
  if (ring.check !== undefined) {
    const code = await ring.check(output);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  try {
    const env = {
      ...(ring.needsChromium && { CHROMIUM_PATH: (await findChromium()).executablePath }),
      ...(isFull && { ZHIBER_TEST_FULL: '1' }),
      // Every file is a process of its own, and loads much the same.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
    };
    const setup = ring.needsDatabase ? [`--test-global-setup=${DATABASE_SETUP}`] : [];
    const concurrency = `--test-concurrency=${ring.atOnce ?? 3}`;
    const fileSeconds = isFull ? FULL_FILE_SECONDS : (ring.fileSeconds ?? FILE_SECONDS);
    return await runTestFiles([concurrency, ...setup, ...files], { env, fileSeconds, ...output });
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function runTestFiles(args, { env, fileSeconds, write }) {
  const dir = mkdtempSync(path.join(tmpdir(), 'zhiber-ring-'));
  const countFile = path.join(dir, 'counts.json');
  const summaryFile = path.join(dir, 'summary.txt');
  const runningDir = path.join(dir, 'running');
  mkdirSync(runningDir);
  const options = [
    `--import=${pathToFileURL(path.join(root, 'scripts/note-running.mjs'))}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${path.join(root, 'scripts/count-reporter.mjs')}`,
    `--test-reporter-destination=${countFile}`,
  ];
  const allSeconds = fileSeconds * RING_FILES;
  const watch = watchFiles({ folder: runningDir, limitSeconds: fileSeconds, allSeconds });
  try {
    const told = { ...env, ZHIBER_TEST_SUMMARY: summaryFile, ZHIBER_TEST_RUNNING: runningDir };
    const limitMs = (allSeconds + LAST_WORDS_SECONDS) * 1_000;
    const code = await runProgram(['--test', ...options, ...args], { env: told, write, limitMs });
    const counts = { ...readCounts(countFile), summary: readSummary(summaryFile) };
    const failures = [...watch.stop(), ...(counts.failures ?? [])];
    // A process that failed without a failed test (a crash, the time limit) is a failure too.
    const failed = code !== 0 && counts.failed === 0 ? 1 : counts.failed;
    return { ...counts, failures, failed };
  } finally {
    watch.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** Undefined when no test of the ring had anything to tell. */
function readSummary(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function printTotals(results) {
  const row = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(9))).join('');
  console.log(`\n${row(['ring', 'tests', 'passed', 'failed', 'seconds'])}`);
  for (const { name, passed, failed, skipped, seconds } of results) {
    const cells = [passed + failed + skipped, passed, failed, seconds.toFixed(1)];
    console.log(row([name, ...cells.map(String)]));
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  const tail = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${tail}`);
}

function printSummaries(results) {
  for (const { summary } of results) {
    if (summary !== undefined) console.log(`\n${summary.trimEnd()}`);
  }
}

/** Once more at the end, where whoever reads a long log looks first. */
function printFailures(results) {
  for (const { name, failures = [] } of results) {
    for (const { test, reason } of failures) {
      const lines = reason.split('\n').slice(0, REASON_LINES_MAX);
      const text = lines.map((line) => `  ${line.slice(0, REASON_WIDTH_MAX)}`).join('\n');
      console.log(`\nFAILED ${name}: ${test}\n${text}`);
    }
  }
}
