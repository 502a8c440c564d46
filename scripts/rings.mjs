/** The rings of `npm test`, the quick ones first, and how they run beside each other. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundlePrograms } from './bundle-programs.mjs';
import { findChromium } from './find-chromium.mjs';
import { formatPeerTable } from './peer-table.mjs';
import { printReport } from './ring-report.mjs';
import { runProgram } from './run-program.mjs';
import { chooseTemporaryFolder, runTestFiles } from './run-test-files.mjs';
import { root } from './setup.mjs';
import { installToolchains } from './toolchains.mjs';

const TSC = 'node_modules/typescript/bin/tsc';
const BIOME = [
  'node_modules/@biomejs/biome/bin/biome',
  'check',
  '--error-on-warnings',
  '--max-diagnostics=200',
];

/**
 * The time limit of a test file: several times what the slowest takes on two busy cores. The ring
 * as a whole has its own limit.
 */
const FILE_SECONDS = 300;
const LONG_FILE_SECONDS = 600;
/** With all repetitions of `--full`. */
const FULL_FILE_SECONDS = 3_600;

/** Creating the cluster takes two seconds. A hung one is stopped, and every server creates its own. */
const CLUSTER_SECONDS = 60;

/** Starts one PostgreSQL for the whole ring; every file clones its migrated template. */
const DATABASE_SETUP = 'server/test/database-server.ts';

/**
 * Files wait a part of their time, for processes that start or for providers that hang. More of them
 * than this only take each other's cores and caches.
 */
const FILES_AT_ONCE = 4;
const FILES_OF_RING = 2;

/**
 * Rings run beside each other, in this order, as long as their files together are no more than
 * `FILES_AT_ONCE`: of each ring `concurrency` or two, where files that mostly wait count less
 * (`load`). A ring that measures time has the machine to itself (`isAlone`). With `batches`, several
 * files share a process (scripts/test-batch.mjs). A ring whose files are in other rings runs only by
 * its name (`isExtra`), and one with `peerTable` prints its tests as a table (scripts/peer-table.mjs).
 */
export const RINGS = [
  { name: 'types', check: checkTypes },
  { name: 'lint', check: (output) => runProgram(BIOME, output) },
  { name: 'structure', files: ['server/test/structure.test.ts'] },
  {
    name: 'unit',
    files: ['server/src/**/*.test.ts', 'contract/src/**/*.test.ts'],
    batches: { size: 30 },
  },
  { name: 'web', files: ['web/{src,build}/**/*.test.ts'], batches: { size: 30 } },
  {
    name: 'crashes',
    files: ['server/test/crashes/*.test.ts'],
    startsServers: true,
    concurrency: 4,
    load: 3,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'races',
    files: ['server/test/races/*.test.ts'],
    startsServers: true,
    concurrency: 1,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'browser',
    files: ['server/test/browser/**/*.test.ts'],
    startsServers: true,
    needsChromium: true,
    batches: { size: 3, except: ['server/test/browser/cabinet/worlds.test.ts'] },
    concurrency: 3,
    load: 2,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'start',
    files: ['server/test/start/*.test.ts'],
    startsServers: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'api',
    files: ['server/test/api/*.test.ts'],
    needsDatabase: true,
    batches: { size: 14, except: ['server/test/api/health.test.ts'] },
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'hostile',
    files: ['server/test/hostile/*.test.ts'],
    startsServers: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'model',
    files: ['server/test/model/*.test.ts'],
    needsDatabase: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'cabinet-api',
    files: ['server/test/cabinet/*.test.ts'],
    needsDatabase: true,
    batches: {
      size: 16,
      except: [
        'server/test/cabinet/ledger-export.test.ts',
        'server/test/cabinet/mailer-load-failure.test.ts',
      ],
    },
  },
  {
    name: 'outages',
    files: ['server/test/outages/*.test.ts'],
    startsServers: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'delivery',
    files: ['server/test/delivery/*.test.ts'],
    needsDatabase: true,
    batches: { size: 11 },
  },
  {
    name: 'faults',
    files: ['server/test/faults/*.test.ts'],
    startsServers: true,
    concurrency: 4,
    load: 3,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'money',
    files: ['server/test/money/*.test.ts'],
    needsDatabase: true,
    batches: { size: 10 },
  },
  {
    name: 'broadcasts',
    files: ['server/test/broadcasts/*.test.ts'],
    needsDatabase: true,
    batches: { size: 6, except: ['server/test/broadcasts/upload.test.ts'] },
  },
  {
    name: 'docs',
    files: ['server/test/docs/*.test.ts'],
    needsDatabase: true,
    needsToolchains: true,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'admin',
    files: ['server/test/admin/*.test.ts'],
    needsDatabase: true,
    batches: { size: 8 },
  },
  {
    name: 'payments',
    files: ['server/test/payments/*.test.ts'],
    needsDatabase: true,
    batches: { size: 6 },
  },
  {
    name: 'webhooks',
    files: ['server/test/webhooks/*.test.ts'],
    startsServers: true,
    needsDatabase: true,
    batches: {
      size: 6,
      except: [
        'server/test/webhooks/hanging-endpoints.test.ts',
        'server/test/webhooks/kills.test.ts',
      ],
    },
  },
  {
    name: 'acceptance',
    files: ['acceptance/*.test.ts'],
    concurrency: 5,
    load: 2,
    fileSeconds: LONG_FILE_SECONDS,
  },
  {
    name: 'clients',
    files: ['sdk/test/*.test.ts'],
    needsDatabase: true,
    needsToolchains: true,
    // All files share the packed clients, which take some seconds to pack and install.
    batches: { size: 20 },
    load: 1,
    fileSeconds: LONG_FILE_SECONDS,
  },
  { name: 'providers', files: ['server/test/providers/*.test.ts'], batches: { size: 7 } },
  { name: 'smpp', files: ['server/test/smpp/*.test.ts'], startsServers: true },
  {
    name: 'peers',
    files: [
      'server/test/smpp/*.test.ts',
      'server/test/delivery/smpp-receipts.test.ts',
      'server/test/providers/provider-files.test.ts',
      'server/test/faults/provider-files.test.ts',
    ],
    startsServers: true,
    needsDatabase: true,
    peerTable: true,
    isExtra: true,
  },
  {
    name: 'ha',
    files: ['server/test/ha/*.test.ts'],
    startsServers: true,
    fileSeconds: FULL_FILE_SECONDS,
    isAlone: true,
    isExtra: true,
  },
  {
    name: 'overload',
    files: ['bench/*.test.ts'],
    startsServers: true,
    concurrency: 1,
    fileSeconds: LONG_FILE_SECONDS,
    isAlone: true,
  },
];

export async function runCheck() {
  const types = await checkTypes();
  const lint = await runProgram(BIOME);
  return types === 0 && lint === 0 ? 0 : 1;
}

/**
 * Code for the browser has its own tsconfig.json, because it has other globals. Several threads
 * would check the common types once each: twice the work, and no sooner on two cores.
 */
async function checkTypes(output) {
  let worst = 0;
  for (const project of ['tsconfig.json', 'web/tsconfig.json']) {
    const args = [TSC, '--noEmit', '--singleThreaded', '--project', project];
    worst = Math.max(worst, await runProgram(args, output));
  }
  return worst;
}

export function runFormat() {
  return runProgram([...BIOME, '--write']);
}

/**
 * Runs the named rings, or all but the extra ones, and returns the exit code. With `--full`, load and fault
 * tests run all repetitions and assert strict time limits, which takes much longer.
 */
export async function runRings(args, rings = RINGS) {
  const isFull = args.includes('--full');
  const names = args.filter((name) => name !== '--full');
  const unknown = names.filter((name) => !rings.some((ring) => ring.name === name));
  if (unknown.length > 0) {
    const known = rings.map((ring) => ring.name).join(', ');
    throw new Error(`There is no ring ${unknown.join(', ')}. The rings are: ${known}.`);
  }
  const chosen = rings.filter((ring) =>
    names.length === 0 ? !ring.isExtra : names.includes(ring.name),
  );
  const needsCluster = chosen.some((ring) => ring.needsDatabase || ring.startsServers);
  const prepared = {
    // In the background: packages take a minute, and the rings before can use it.
    toolchains: chosen.some((ring) => ring.needsToolchains) ? installToolchains() : undefined,
    cluster: needsCluster ? prepareCluster() : undefined,
    programs: chosen.some((ring) => ring.startsServers) ? await bundlePrograms() : undefined,
  };
  const results = await runBesideEachOther(chosen, { isFull, prepared });
  printReport(results);
  return results.some((result) => result.failed > 0) ? 1 : 0;
}

/**
 * Creates a database cluster that the tests copy, and returns its folder. Without it the tests take
 * longer.
 */
function prepareCluster() {
  // The tests copy with `cp`.
  if (process.platform === 'win32') return undefined;
  const folder = mkdtempSync(path.join(chooseTemporaryFolder(), 'zhiber-cluster-'));
  // Also after Ctrl-C: a RAM disk is not emptied by itself.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = path.join(root, 'server/test/prepared-cluster.ts');
  const { status } = spawnSync(process.execPath, [program, folder], {
    stdio: 'inherit',
    timeout: CLUSTER_SECONDS * 1_000,
  });
  return status === 0 ? folder : undefined;
}

/** The results in the order of the rings. */
async function runBesideEachOther(rings, { isFull, prepared }) {
  const results = new Map();
  const running = new Map();
  const begin = (ring) => {
    const isBuffered = rings.length > 1 && !ring.isAlone;
    const ended = runRing(ring, { isFull, isBuffered, prepared }).then((result) => {
      results.set(ring, result);
      running.delete(ring);
    });
    running.set(ring, ended);
  };
  for (const ring of rings) {
    while (running.size > 0 && loadOf(ring) + sumLoads(running.keys()) > FILES_AT_ONCE) {
      await Promise.race(running.values());
    }
    begin(ring);
  }
  await Promise.all(running.values());
  return rings.map((ring) => results.get(ring)).filter((result) => result !== undefined);
}

function loadOf(ring) {
  return ring.isAlone ? FILES_AT_ONCE : (ring.load ?? ring.concurrency ?? FILES_OF_RING);
}

function sumLoads(rings) {
  return [...rings].reduce((sum, ring) => sum + loadOf(ring), 0);
}

/**
 * The totals of a ring; undefined when it has no files. The output of rings that run at once is
 * buffered until each ends, so that it is not mixed.
 */
async function runRing(ring, { isFull, isBuffered, prepared }) {
  const files = (ring.files ?? []).flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  if (ring.files !== undefined && files.length === 0) return undefined;
  const kept = [];
  const output = isBuffered ? { write: (chunk) => kept.push(chunk) } : {};
  if (!isBuffered) console.log(`\n== ${ring.name}`);
  const startedAt = performance.now();
  const counts = await countRing(ring, { files, isFull, output, prepared });
  const seconds = (performance.now() - startedAt) / 1_000;
  if (isBuffered) console.log(`\n== ${ring.name}\n${Buffer.concat(kept)}`);
  console.log(`== ${ring.name}: ${counts.failed === 0 ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s`);
  const table = ring.peerTable ? { peerTable: formatPeerTable(counts.tests ?? []) } : {};
  return { name: ring.name, seconds, ...counts, ...table };
}

async function countRing(ring, { files, isFull, output, prepared }) {
  const { cluster, programs, toolchains } = prepared;
  if (ring.check !== undefined) {
    const code = await ring.check(output);
    return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  }
  try {
    if (ring.needsToolchains) await toolchains;
    const env = {
      TMPDIR: chooseTemporaryFolder(),
      ...(ring.needsChromium && { CHROMIUM_PATH: (await findChromium()).executablePath }),
      ...(isFull && { ZHIBER_TEST_FULL: '1' }),
      ...(cluster !== undefined && { ZHIBER_TEST_CLUSTER: cluster }),
      ...(programs !== undefined && { ZHIBER_TEST_PROGRAMS: programs }),
      // Most test processes, and the servers they start, load the same code.
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'),
    };
    const setup = ring.needsDatabase ? [`--test-global-setup=${DATABASE_SETUP}`] : [];
    const atOnce = `--test-concurrency=${ring.concurrency ?? FILES_OF_RING}`;
    const fileSeconds = isFull ? FULL_FILE_SECONDS : (ring.fileSeconds ?? FILE_SECONDS);
    const { batches } = ring;
    const options = { files, batches, env, fileSeconds, ...output };
    return await runTestFiles([atOnce, ...setup], options);
  } catch (error) {
    console.error(error.message);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
