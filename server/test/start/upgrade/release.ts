/** The programs of a release: packed when it is made, and unpacked by tests that run them. */
import assert from 'node:assert/strict';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { compareVersions, VERSION } from '../../../src/version.ts';

type Files = Record<string, string>;

const VERSIONS = path.join(import.meta.dirname, 'versions');
const SCRIPT = new URL('../../../../scripts/bundle-programs.mjs', import.meta.url).href;
/** Below node_modules, where the programs find their packages. */
const UNPACKED = path.join(import.meta.dirname, '../../../../node_modules/.cache/releases');

const packedFile = (version: string) => path.join(VERSIONS, `${version}.programs.gz`);

/** The newest release that is older than this program. */
export function findPreviousRelease(): string {
  const version = globSync('*.programs.gz', { cwd: VERSIONS })
    .map((file) => path.basename(file, '.programs.gz'))
    .filter((release) => compareVersions(release, VERSION) < 0)
    .toSorted(compareVersions)
    .at(-1);
  assert(version !== undefined, 'there is no earlier release');
  return version;
}

export async function packRelease(version: string): Promise<void> {
  const { bundleRelease } = (await import(SCRIPT)) as { bundleRelease(): Promise<Files> };
  const files = JSON.stringify(await bundleRelease());
  writeFileSync(packedFile(version), gzipSync(files, { level: 9 }));
}

/** The path of a program of a release: `main`, or `serve-with-simulator`. */
export function releasedProgram(version: string, name: 'main' | 'serve-with-simulator'): string {
  const folder = path.join(UNPACKED, version);
  if (!existsSync(folder)) unpack(version, folder);
  return path.join(folder, 'programs', `${name}.js`);
}

/** Test files run beside each other, so the folder appears whole. */
function unpack(version: string, folder: string): void {
  const files = JSON.parse(gunzipSync(readFileSync(packedFile(version))).toString()) as Files;
  const written = `${folder}.${process.pid}`;
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(written, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  try {
    renameSync(written, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(written, { recursive: true });
  }
}
