/** How the documentation says the clients are installed, as printed, into projects of a new home. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../server/test/temporary-folder.ts';
import { findProgram } from './packages.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const PAGE = path.join(ROOT, 'web/src/docs/ru/sdk.md');
const run = promisify(execFile);

const home = createTemporaryFolder('install-blocks');
after(() => rmSync(home, { recursive: true, force: true }));
cpSync(path.join(ROOT, 'sdk'), path.join(home, 'zhiber/sdk'), {
  recursive: true,
  filter: (source) => path.basename(source) !== 'node_modules',
});
cpSync(path.join(ROOT, 'tsconfig.json'), path.join(home, 'zhiber/tsconfig.json'));
// What the build of the package needs, from here: a test installs nothing from elsewhere.
const tools = ['typescript', '@types/node'].map((name) => [
  name,
  `file:${path.join(ROOT, 'node_modules', name)}`,
]);
writeFileSync(
  path.join(home, 'zhiber/package.json'),
  JSON.stringify({ private: true, devDependencies: Object.fromEntries(tools) }),
);

const blocks = [...readFileSync(PAGE, 'utf8').matchAll(/^```bash install\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1] ?? '',
);

/** Runs the block that uses a program in an empty project, and then the project's own code. */
async function installWith(program: string, env: Record<string, string>, check: string[]) {
  const script = blocks.find((block) => block.includes(`${program} `)) ?? '';
  const project = path.join(home, 'my-shop');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  for (const name of ['package.json', 'composer.json']) {
    writeFileSync(path.join(project, name), '{}\n');
  }
  const programs = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const options = { cwd: project, env: { ...env, HOME: home, PATH: programs } };
  await run('sh', ['-ec', script], options);
  const [checker = '', ...args] = check;
  return (await run(checker, args, options)).stdout.trim();
}

test('there is a block for each client', () => assert.equal(blocks.length, 3));

test('npm', async () => {
  const env = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const code = `import('@zhiber/sdk').then(({ Zhiber }) => console.log(typeof Zhiber))`;
  assert.equal(await installWith('npm', env, ['node', '-e', code]), 'function');
});

test('pip', async (t) => {
  if (findProgram('pip') === undefined) return t.skip('not installed');
  const target = path.join(home, 'python-packages');
  const env = { PIP_NO_INDEX: '1', PIP_TARGET: target, PYTHONPATH: target };
  const code = 'import zhiber; print(zhiber.__name__)';
  assert.equal(await installWith('pip', env, ['python3', '-c', code]), 'zhiber');
});

test('Composer', async (t) => {
  if (findProgram('composer') === undefined) return t.skip('not installed');
  const env = { COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_DISABLE_NETWORK: '1' };
  const code = `require 'vendor/autoload.php'; echo class_exists('Zhiber\\\\Client') ? 'yes' : 'no';`;
  assert.equal(await installWith('composer', env, ['php', '-r', code]), 'yes');
});
