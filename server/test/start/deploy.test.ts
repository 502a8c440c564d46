/** The files of `deploy/` name programs, settings and paths that exist, and leave time for a stop. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { survivesPausedPrimary } from '../../../deploy/ha/needed-programs.ts';
import { ALL_SETTINGS } from '../../src/config/config.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createHome } from './serve-harness.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const DOCKERFILE = read('deploy/docker/Dockerfile');
const COMPOSE = globSync('deploy/docker/*.yaml', { cwd: ROOT }).sort();
const KUBERNETES = globSync('deploy/kubernetes/*.yaml', { cwd: ROOT }).sort();
const UNIT = 'deploy/systemd/zhiber.service';

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one);

test('the image is made by scripts and of paths that exist', () => {
  const { scripts, workspaces } = JSON.parse(read('package.json'));
  const called = found(DOCKERFILE, /npm run ([\w-]+)/g);
  assert.deepEqual(called, ['build']);
  for (const name of called) assert(name && name in scripts, name);
  const installed = found(DOCKERFILE, /--workspace=(\w+)/g);
  assert.deepEqual(installed, ['contract', 'server']);
  for (const name of installed) assert(workspaces.includes(name), name);

  const copied = found(DOCKERFILE, /^COPY --from=build (.+) \S+$/gm)
    .flatMap((sources) => sources?.split(' ') ?? [])
    .filter((source) => source.startsWith('/zhiber/'))
    .map((source) => source.replace('/zhiber/', ''));
  assert(copied.includes('server') && copied.includes('web/dist'));
  const allowed = found(read('.dockerignore'), /^!(.+)$/gm);
  for (const source of copied.filter((one) => one !== 'node_modules')) {
    const [folder = ''] = source.split('/');
    assert(existsSync(path.join(ROOT, folder)), source);
    assert(allowed.includes(folder), `.dockerignore leaves out ${source}`);
  }
  assert(existsSync(path.join(ROOT, found(DOCKERFILE, /"(server\/src\/[\w.]+)"/g)[0] ?? '')));
});

test('what is started is a command', async (t) => {
  const home = createHome();
  t.after(() => home.remove());
  const { out } = await home.run(['help']);
  const texts = [DOCKERFILE, ...[...COMPOSE, ...KUBERNETES].map(read)];
  const started = texts.flatMap((text) => [
    ...found(text, /^CMD \["(\w+)"\]$/gm),
    ...found(text, /^ +(?:command|args): \[(\w+)\]$/gm),
  ]);
  assert.deepEqual([...new Set(started)].sort(), ['migrate', 'serve']);
  for (const command of started) assert.match(out, new RegExp(`^ +zhiber ${command}\\b`, 'm'));
  const [program = ''] = found(read(UNIT), /^ExecStart=\S+ (\S+) serve$/gm);
  assert(existsSync(path.join(ROOT, program)), program);
});

/** Of Node, of the image of PostgreSQL, and of compose itself. */
const FOREIGN_NAMES = /^(?:PATH|NODE_\w+|POSTGRES_\w+|ZHIBER_DATABASE_PASSWORD)$/;

test('every setting exists', () => {
  const settings = new Set(ALL_SETTINGS.map(({ name }) => name));
  const names = [
    ...found(DOCKERFILE, /^(?:ENV|) +?([A-Z_]+)=/gm),
    ...found(read(UNIT), /[= ]([A-Z_]+)=/g),
    ...[...COMPOSE, ...KUBERNETES].flatMap((file) => [
      ...found(read(file), /^ +([A-Z_]+): /gm),
      ...found(read(file), /name: ([A-Z_]+)$/gm),
    ]),
  ];
  assert(names.length > 20, String(names));
  const unknown = names.filter(
    (name) => !settings.has(`${name}`) && !FOREIGN_NAMES.test(`${name}`),
  );
  assert.deepEqual(unknown, []);
});

test('everything that stops the service waits longer than it takes', () => {
  const limits = [
    ...found(DOCKERFILE, /docker stop --time (\d+)/g),
    ...found(read(UNIT), /^TimeoutStopSec=(\d+)$/gm),
    ...COMPOSE.flatMap((file) => found(read(file), /stop_grace_period: (\d+)s/g)),
    ...KUBERNETES.flatMap((file) => found(read(file), /terminationGracePeriodSeconds: (\d+)/g)),
  ].map(Number);
  // The image, the unit, two files of compose, and two sets of pods.
  assert.equal(limits.length, 6);
  const preStop = Number(found(read('deploy/kubernetes/api.yaml'), /\[sleep, '(\d+)'\]/g)[0]);
  assert(Math.min(...limits) - preStop >= 25);
});

test('the user of the image is the user of the pods, and nothing is written but to its volumes', () => {
  const [uid] = found(DOCKERFILE, /--uid (\d+)/g);
  for (const file of ['api', 'worker']) {
    const text = read(`deploy/kubernetes/${file}.yaml`);
    assert.deepEqual([...new Set(found(text, /(?:runAsUser|runAsGroup|fsGroup): (\d+)/g))], [uid]);
    assert.match(text, /readOnlyRootFilesystem: true/);
  }
  for (const file of COMPOSE) assert.match(read(file), /read_only: true/);
});

const folderFor = (t: TestContext) => {
  const folder = createTemporaryFolder('deploy');
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
};
const isMissing = (program: string) =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed`;
const run = (program: string, args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

test('systemd takes the unit', { skip: isMissing('systemd-analyze') }, (t) => {
  const file = path.join(folderFor(t), 'zhiber.service');
  // Where the program is installed is not where this test runs.
  writeFileSync(file, read(UNIT).replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  assert.deepEqual(run('systemd-analyze', ['verify', file]), { status: 0, output: '' });
  const { output } = run('systemd-analyze', ['security', '--offline=true', '--no-pager', file]);
  const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
  assert(exposure < 2, output);
});

test('HAProxy takes its file', { skip: isMissing('haproxy') }, (t) => {
  const errorFile = path.join(ROOT, 'deploy/haproxy/503.http');
  const file = path.join(folderFor(t), 'haproxy.cfg');
  writeFileSync(
    file,
    read('deploy/haproxy/haproxy.cfg').replace('/etc/haproxy/503.http', errorFile),
  );
  const { status, output } = run('haproxy', ['-c', '-f', file]);
  assert.equal(status, 0, output);
});

test('the manifests make a whole', { skip: isMissing('kubectl') }, (t) => {
  const folder = folderFor(t);
  cpSync(path.join(ROOT, 'deploy/kubernetes'), folder, { recursive: true });
  cpSync(path.join(folder, 'secret.example.yaml'), path.join(folder, 'secret.yaml'));
  const { status, output } = run('kubectl', ['kustomize', folder]);
  assert.equal(status, 0, output);
  assert.deepEqual(found(output, /^kind: (\w+)$/gm).sort(), [
    'ConfigMap',
    'Deployment',
    'Namespace',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Secret',
    'Service',
    'StatefulSet',
  ]);
  const images = new Set(found(output, /^ +image: (\S+)$/gm));
  assert.equal(images.size, 1, [...images].join());
});

test('the 503 of HAProxy is one that clients can read', () => {
  const [head = '', body = ''] = read('deploy/haproxy/503.http').split('\n\n');
  assert.match(head, /^HTTP\/1\.1 503 /);
  assert.match(head, /^Retry-After: 2$/m);
  assert.match(head, /^Content-Type: application\/json; charset=utf-8$/m);
  const { message, status } = ERRORS.service_unavailable;
  assert.equal(status, 503);
  assert.deepEqual(JSON.parse(body), {
    success: false,
    message,
    error_code: 'service_unavailable',
    retry_after: 2,
  });
});

test('the trial pauses a primary only under a Patroni that survives it', () => {
  for (const version of ['patroni 2.1.9', 'patroni 3.0.2', 'patroni 3.0.2\n', '']) {
    assert.equal(survivesPausedPrimary(version), false, version);
  }
  for (const version of ['patroni 3.0.3', 'patroni 3.1.0', 'patroni 4.0.7\n']) {
    assert.equal(survivesPausedPrimary(version), true, version);
  }
});
