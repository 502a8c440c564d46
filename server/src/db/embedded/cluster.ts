import { spawn, spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type Account, chooseAccount, isRoot } from './account.ts';
import type { Binaries } from './binaries.ts';
import { exists, type Folders, isAlreadyExistsError } from './folders.ts';
import { EmbeddedRefused } from './refused.ts';

/** The role and the database of the application. The role owns the database and is no superuser. */
export const ROLE = 'zhiber';
export const DATABASE = 'zhiber';

/** initdb usually takes under a second; a very slow disk may need a minute. */
const STEP_LIMIT_MS = 120_000;
/** An unfinished cluster older than this was left by a start that was killed. */
const UNFINISHED_KEPT_MS = 10 * 60_000;

/** Only the application's role may connect, and only with its password. */
const HOST_RULES = [
  `local all ${ROLE} scram-sha-256`,
  `host all ${ROLE} 127.0.0.1/32 scram-sha-256`,
  '',
].join('\n');

/**
 * The account that runs the database: the owner of an existing cluster, or a chosen one for a new
 * cluster; undefined when PostgreSQL runs as the current user.
 */
export async function accountFor(dataDir: string): Promise<Account | undefined> {
  if (process.platform === 'win32') return undefined;
  const cluster = path.join(dataDir, 'postgres');
  const owner = await stat(cluster).catch(() => undefined);
  if (!isRoot()) {
    if (owner !== undefined && owner.uid !== process.getuid?.()) {
      throw new EmbeddedRefused(
        `The database in ${cluster} belongs to another user. Start Zhiber as that user or as ` +
          'root, or set DATA_DIR to another folder.',
      );
    }
    return undefined;
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = chooseAccount();
  // A copy made by root belongs to root, and PostgreSQL would refuse it.
  if (owner !== undefined) spawnSync('chown', ['-RH', `${account.uid}:${account.gid}`, cluster]);
  return account;
}

/** Creates the cluster if there is none. Two first starts at once are safe: one of them wins. */
export async function ensureCluster(place: {
  folders: Folders;
  binaries: Binaries;
  account: Account | undefined;
  password: string;
}): Promise<void> {
  const { folders, binaries, account } = place;
  if (await exists(folders.cluster)) return;
  await removeUnfinished(folders.stagingDir);
  const fresh = await mkdtemp(path.join(folders.stagingDir, 'postgres-new-'));
  try {
    if (account !== undefined) await chown(fresh, account.uid, account.gid);
    await chmod(fresh, 0o700);
    await run(binaries.initdb, initdbArgs(fresh), account);
    await writeFile(path.join(fresh, 'pg_hba.conf'), HOST_RULES);
    const single = ['--single', '-D', fresh, '-c', 'log_min_messages=fatal', 'postgres'];
    await run(binaries.postgres, single, account, firstStatements(place.password));
    await moveIntoPlace(fresh, folders);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!isAlreadyExistsError(error)) throw error;
  }
}

/**
 * The last and only visible step: moves the finished cluster into place. Throws when another
 * process was faster.
 */
async function moveIntoPlace(fresh: string, folders: Folders): Promise<void> {
  if (!folders.isPrivate) return rename(fresh, folders.cluster);
  const kept = path.join(folders.stagingDir, path.basename(fresh).replace('-new-', '-'));
  await rename(fresh, kept);
  try {
    await symlink(kept, folders.cluster);
  } catch (error) {
    await rm(kept, { recursive: true, force: true });
    throw error;
  }
}

function initdbArgs(dir: string): string[] {
  return [
    `--pgdata=${dir}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--auth=reject',
    '--no-instructions',
  ];
}

/** In single-user mode a statement is a line. The password is hexadecimal and needs no quoting. */
function firstStatements(password: string): string {
  return [
    `create role ${ROLE} login createdb password '${password}';`,
    `create database ${DATABASE} owner ${ROLE};`,
    '',
  ].join('\n');
}

async function removeUnfinished(stagingDir: string): Promise<void> {
  for (const name of await readdir(stagingDir)) {
    if (!name.startsWith('postgres-new-')) continue;
    const dir = path.join(stagingDir, name);
    const found = await stat(dir).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < UNFINISHED_KEPT_MS) continue;
    await rm(dir, { recursive: true, force: true });
  }
}

/** Runs one of PostgreSQL's programs to its end; an error carries the last lines it printed. */
export function run(
  program: string,
  args: string[],
  account: Account | undefined,
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    // The other user may have no access to our working directory, which PostgreSQL needs.
    const child = spawn(program, args, {
      ...account,
      cwd: account === undefined ? undefined : '/',
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: STEP_LIMIT_MS,
      windowsHide: true,
    });
    let printed = '';
    const keep = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-2_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.stdin.on('error', () => {
      // The program ended before it had read all input; its exit code says why.
    });
    child.stdin.end(input);
    const name = path.basename(program);
    child.on('error', (cause) => {
      reject(new Error(`${name} could not be run: ${cause.message}`, { cause }));
    });
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} failed: ${printed.trim()}`));
    });
  });
}
