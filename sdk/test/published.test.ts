/** What is published, and that it is up to date. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createApiTypes } from '../node/write-api-types.ts';
import { installClient } from './packages.ts';

const SDK = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(SDK, file), 'utf8');

function listFiles(folder: string): string[] {
  return globSync('**/*.*', { cwd: folder }).map((file) => file.replaceAll(path.sep, '/'));
}

test('the types of the client are those of the OpenAPI description', async () => {
  assert.equal(read('node/src/api-types.ts'), await createApiTypes(), 'run: npm run api-types');
});

test('the npm package has the code, its types, the README and the licence alone', async () => {
  const project = await installClient('node');
  const folder = path.join(project?.folder ?? '', 'node_modules/@zhiber/sdk');
  const modules = listFiles(path.join(SDK, 'node/src')).map((file) => file.replace('.ts', ''));
  const built = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
  const others = ['LICENSE', 'README.md', 'package.json'];
  const found = globSync(['*', 'dist/*'], { cwd: folder }).filter((name) => name !== 'dist');
  assert.deepEqual(found.sort(), [...built, ...others].sort());
  const { dependencies = {} } = JSON.parse(read('node/package.json'));
  assert.deepEqual(dependencies, {});
});

test('the Python packages have the modules, the mark of types and the licence', async (t) => {
  const project = await installClient('python');
  if (project === undefined) return t.skip('not installed');
  const { folder, program } = project;
  const list = (code: string, file: string) =>
    execFileSync(program, ['-c', code, path.join(folder, file)], { encoding: 'utf8' })
      .trim()
      .split('\n');
  const wheel = list(
    'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")',
    'zhiber-0.1.0-py3-none-any.whl',
  );
  const modules = listFiles(path.join(SDK, 'python/src')).filter((name) => !name.includes('cache'));
  const about = ['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'];
  const expected = [...modules, ...about.map((name) => `zhiber-0.1.0.dist-info/${name}`)];
  assert.deepEqual(wheel.sort(), expected.sort());
  assert(modules.includes('zhiber/py.typed'));
  const source = list(
    'import sys, tarfile; print(*tarfile.open(sys.argv[1]).getnames(), sep="\\n")',
    'zhiber-0.1.0.tar.gz',
  );
  assert(source.includes('zhiber-0.1.0/pyproject.toml'));
  assert(source.includes('zhiber-0.1.0/src/zhiber/client.py'));
});

test('each client says its version once more in its code, and it is the same', () => {
  const { version } = JSON.parse(read('node/package.json'));
  assert(read('node/src/zhiber.ts').includes(`VERSION = '${version}'`));
  assert(read('python/pyproject.toml').includes(`version = "${version}"`));
  assert.equal(read('python/src/zhiber/version.py'), `VERSION = "${version}"\n`);
  assert(read('php/src/Client.php').includes(`VERSION = '${version}'`));
});

test('each package carries the licence of the repository', () => {
  for (const language of ['node', 'python', 'php']) {
    assert.equal(read(`${language}/LICENSE`), read('../LICENSE'));
  }
});
