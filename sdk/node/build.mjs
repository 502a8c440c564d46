/** Writes `dist` anew: plain JavaScript and its types. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname;

rmSync(path.join(here, 'dist'), { recursive: true, force: true });
const compiler = path.join(here, '../../node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '--project', here], { stdio: 'inherit' });
process.exitCode = status ?? 1;
