/**
 * The rings of `npm test`, from the cheapest to the dearest; at the end the totals, and what a ring
 * has to tell besides (server/test/say-at-end.ts).
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { findChromium } from './find-chromium.mjs';
import { root } from './setup.mjs';

/** A ring that takes longer than this hangs; the others still deserve their turn. */
const RING_LIMIT_MS = 10 * 60_000;
/** What a ring may take to end after it was asked to. */
const RING_GRACE_MS = 5_000;

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

/** Starts one PostgreSQL for the whole ring; every file clones its migrated template. */
const DATABASE_SETUP = 'server/test/database-server.ts';

const RINGS = [
  { name: 'types', check: checkTypes },
  { name: 'lint', check: () => runProgram(BIOME) },
  { name: 'structure', files: ['server/test/structure.test.ts'] },
  { name: 'unit', files: ['server/src/**/*.test.ts', 'contract/src/**/*.test.ts'] },
  { name: 'cabinet', files: ['cabinet/src/**/*.test.ts'] },
  { name: 'api', files: ['server/test/api/*.test.ts'], needsDatabase: true },
  { name: 'cabinet-api', files: ['server/test/cabinet/*.test.ts'], needsDatabase: true },
  { name: 'money', files: ['server/test/money/*.test.ts'], needsDatabase: true },
  { name: 'delivery', files: ['server/test/delivery/*.test.ts'], needsDatabase: true },
  { name: 'model', files: ['server/test/model/*.test.ts'], needsDatabase: true },
  { name: 'providers', files: ['server/test/providers/*.test.ts'] },
  { name: 'start', files: ['server/test/start/*.test.ts'], atOnce: 3 },
  { name: 'races', files: ['server/test/races/*.test.ts'], atOnce: 1 },
  { name: 'crashes', files: ['server/test/crashes/*.test.ts'], atOnce: 2 },
  { name: 'outages', files: ['server/test/outages/*.test.ts'], atOnce: 2 },
  // These wait for providers that do not answer, most of the time.
  { name: 'faults', files: ['server/test/faults/*.test.ts'], atOnce: 5 },
  { name: 'hostile', files: ['server/test/hostile/*.test.ts'], atOnce: 2 },
  { name: 'overload', files: ['bench/*.test.ts'], atOnce: 1 },
  { name: 'acceptance', files: ['acceptance/*.test.ts'], atOnce: 3 },
  { name: 'browser', files: ['server/test/browser/**/*.test.ts'], needsChromium: true, atOnce: 2 },
];

export async function runCheck() {
  const types = await checkTypes();
  const lint = await runProgram(BIOME);
  return types === 0 && lint === 0 ? 0 : 1;
}

/** Code for the browser has a tsconfig.json of its own, because it knows other globals. */
async function checkTypes() {
  const projects = [
    'tsconfig.json',
    'cabinet/tsconfig.json',
    ...globSync('server/src/**/tsconfig.json', { cwd: root }),
  ];
  let worst = 0;
  for (const project of projects) {
    worst = Math.max(worst, await runProgram([TSC, '--noEmit', '--project', project]));
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
  const results = [];
  for (const ring of rings) {
    if (names.length > 0 && !names.includes(ring.name)) continue;
    const result = await runRing(ring, isFull);
    if (result !== undefined) results.push(result);
  }
  printTotals(results);
  printSummaries(results);
  printFailures(results);
  return results.some((result) => result.failed > 0) ? 1 : 0;
}

/** One ring's totals, or undefined when it has no files yet. */
async function runRing(ring, isFull) {
  const files = (ring.files ?? []).flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  if (ring.files !== undefined && files.length === 0) return undefined;
  console.log(`\n== ${ring.name}`);
  const startedAt = performance.now();
  const counts = await countRing(ring, files, isFull);
  const seconds = (performance.now() - startedAt) / 1_000;
  console.log(`== ${ring.name}: ${counts.failed === 0 ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
  return { name: ring.name, seconds, ...counts };
}

async function countRing(ring, files, isFull) {
  if (ring.check !== undefined) {
    const code = await ring.check();
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
    const concurrency = `--test-concurrency=${ring.atOnce ?? 2}`;
    return await runTestFiles([concurrency, ...setup, ...files], env);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function runTestFiles(args, env) {
  const dir = mkdtempSync(path.join(tmpdir(), 'zhiber-ring-'));
  const countFile = path.join(dir, 'counts.json');
  const summaryFile = path.join(dir, 'summary.txt');
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${path.join(root, 'scripts/count-reporter.mjs')}`,
    `--test-reporter-destination=${countFile}`,
  ];
  try {
    const told = { ...env, ZHIBER_TEST_SUMMARY: summaryFile };
    const code = await runProgram(['--test', ...reporters, ...args], told);
    const counts = { ...readCounts(countFile), summary: readSummary(summaryFile) };
    // A process that failed without a failed test (a crash, the time limit) is a failure too.
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } finally {
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

/**
 * Runs a program in a process group of its own, so that the time limit and Ctrl-C end everything it
 * started, and answers with its exit code.
 */
function runProgram(args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
    });
    const limit = setTimeout(() => {
      console.error(`Stopped after ${RING_LIMIT_MS / 60_000} minutes.`);
      endGroup(child);
    }, RING_LIMIT_MS);
    const interrupt = (signal) => {
      endGroup(child);
      process.exitCode = 128 + constants.signals[signal];
      child.once('close', () => process.exit());
    };
    process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      resolve(code ?? 1);
    });
  });
}

function endGroup(child) {
  signalGroup(child, 'SIGTERM');
  setTimeout(() => signalGroup(child, 'SIGKILL'), RING_GRACE_MS).unref();
}

function signalGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
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
