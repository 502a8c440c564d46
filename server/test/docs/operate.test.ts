/** The commands of docs/operate.md, on a server of their own; and what no test can run, by name. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { bundledProgram } from '../bundled-program.ts';
import { freePort } from '../free-port.ts';
import { createHome } from '../start/serve-harness.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { readPage } from './markdown-pages.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const FILE = path.join(ROOT, 'docs/operate.md');
const PROGRAM = bundledProgram(path.join(ROOT, 'server/src/main.ts'));
const COMMAND_LIMIT_MS = 180_000;

const run = promisify(execFile);
const text = readFileSync(FILE, 'utf8');
const { blocks, marked } = readPage(text, { slug: 'operate', lang: 'en' });
const commandsOf = (mark: string) =>
  marked.filter((block) => block.mark === mark).flatMap((block) => block.text.trim().split('\n'));

const home = createHome();
const folder = createTemporaryFolder('operate');
after(async () => {
  await home.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('what needs root, a daemon or minutes is not run, and nothing else', () => {
  assert.deepEqual(blocks, [], 'every block says whether it is run');
  const programs = commandsOf('no-run').map((command) => command.split(' ')[0]);
  assert.deepEqual(
    [...new Set(programs)].sort().join(' '),
    'cd cp docker git install journalctl kubectl npm patronictl systemctl useradd',
  );
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const started = [...text.matchAll(/npm run ([a-z][\w-]*)/g)].map(([, name]) => name);
  for (const name of started) assert(name && name in scripts, name);
});

test('every file that the page names exists', () => {
  const linked = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, target]) => target as string);
  const named = [...text.matchAll(/\bdeploy\/[\w./-]+\w/g)].map(([name]) => `../${name}`);
  const made = ['../deploy/docker/.env', '../deploy/kubernetes/secret.yaml'];
  assert(linked.length > 10);
  for (const target of [...linked, ...named].filter((name) => !made.includes(name))) {
    assert(existsSync(path.join(ROOT, 'docs', target)), target);
  }
});

test('the commands do what the page says', async () => {
  const opsPort = await freePort();
  await home.serve({ OPS_PORT: String(opsPort) });
  const commands = commandsOf('terminal');
  assert(commands.length > 10);
  for (const command of commands) {
    const own = command
      .replace('npm run -s zhiber --', `"${process.execPath}" "${PROGRAM}"`)
      .replaceAll('/tmp/drill', path.join(folder, 'drill'))
      .replace('localhost:9100', `localhost:${opsPort}`);
    const env = {
      PATH: process.env.PATH,
      LANG: 'C.UTF-8',
      TMPDIR: process.env.TMPDIR,
      DATA_DIR: home.dataDir,
    };
    // A search that finds nothing ends with 3, and says so.
    const isFound = command.includes(' find ');
    const done = await run('sh', ['-c', own], {
      cwd: folder,
      env,
      timeout: COMMAND_LIMIT_MS,
    }).catch((error: { code: number; stdout: string; stderr: string }) => {
      assert(isFound && error.code === 3, `${command}\n${error.stdout}${error.stderr}`);
      return error;
    });
    assert.notEqual(done.stdout.trim(), '', command);
  }
  assert(existsSync(path.join(folder, 'drill.sql.gz')));
});
