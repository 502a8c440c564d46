/** Writes plain JavaScript and its types to `dist`, or to the folder that is given. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

const target = process.argv[2] ?? path.join(here, 'dist');

rmSync(target, { recursive: true, force: true });
const compiler = path.join(here, '../../node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '--project', here, '--outDir', target], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
