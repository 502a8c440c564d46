/** Sandbox data and live data never mix, and a sandbox is for this machine unless it is asked for. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import {
  ask,
  createEmptyHome,
  createHome,
  createSql,
  type Settings,
  stopPostgres,
} from './serve-harness.ts';

/** Nothing listens there: these tests send nothing. */
const PROVIDER: Settings = {
  HTTP_SMS_URL: 'http://127.0.0.1:9/send',
  HTTP_SMS_SECRET: `whsec_${Buffer.from('a secret for tests alone').toString('base64')}`,
};

type Home = ReturnType<typeof createHome>;

async function assertRefused(home: Home, settings: Settings, sentence: RegExp): Promise<void> {
  const ended = await home.run(['serve'], settings);
  assert.equal(ended.code, 1, ended.out);
  assert.match(ended.err, sentence);
  assert.equal(ended.err.trimEnd().split('\n').length, 1, 'one sentence, without a stack');
}

describe('the default folders', { concurrency: false }, () => {
  const home = createEmptyHome();
  const data = home.dataDir;
  const defaults: Settings = { DATA_DIR: undefined };
  after(async () => {
    await home.endAll();
    for (const mode of ['sandbox', 'live']) await stopPostgres(path.join(data, mode));
    await home.remove();
  });
  let demoKey = '';
  let cookie = '';

  test('a start without a provider makes a sandbox in a folder of its own', async () => {
    const server = await home.serve(defaults);
    assert.deepEqual(readdirSync(data), ['sandbox']);
    demoKey = server.facts.keys?.live ?? '';
    assert.match(demoKey, /^zk_live_/);
    const response = await fetch(`http://localhost:${server.facts.port}/cabinet/demo`, {
      method: 'POST',
      headers: { 'x-zhiber-cabinet': '1' },
    });
    assert.equal(response.status, 200, await response.clone().text());
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    assert.match(cookie, /^zhiber=/);
    await server.stop('SIGTERM');
  });

  test('the first provider begins with clean live data: nothing of the sandbox is worth anything', async () => {
    const server = await home.serve({ ...defaults, ...PROVIDER });
    assert.deepEqual(readdirSync(data).sort(), ['live', 'sandbox']);
    assert.deepEqual([server.facts.keys, server.facts.company_id], [null, null]);
    const { port } = server.facts;
    const sent = await ask(port, {
      path: '/otp/send',
      key: demoKey,
      body: { phone: '+77011234567' },
    });
    assert.deepEqual([sent.status, sent.body.error_code], [401, 'invalid_api_key']);
    const session = await fetch(`http://localhost:${port}/cabinet/session`, {
      headers: { 'x-zhiber-cabinet': '1', cookie },
    });
    assert.equal(session.status, 401);
    const rows = await createSql(path.join(data, 'live'))<{ n: number }>(
      'select (select count(*) from company)::int + (select count(*) from person)::int as n',
    );
    assert.deepEqual(rows, [{ n: 0 }]);
    await server.stop('SIGTERM');
  });

  test('the sandbox is left as it was', async () => {
    const server = await home.serve(defaults);
    const sent = await ask(server.facts.port, {
      path: '/otp/send',
      key: demoKey,
      body: { phone: '+77011234567' },
    });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    await server.stop('SIGTERM');
  });
});

describe('a chosen folder', { concurrency: false }, () => {
  const sandbox = createHome();
  const live = createHome();
  after(() => Promise.all([sandbox.remove(), live.remove()]));

  test('live data without a provider is refused, not served as a sandbox', async () => {
    await (await live.serve(PROVIDER)).stop('SIGTERM');
    await assertRefused(
      live,
      {},
      /^The data in \S+ is live, and no provider is configured\. Set the settings of the provider again; to start a sandbox, set DATA_DIR to another folder\.\n$/,
    );
    const doctor = await live.run(['doctor', '--json']);
    assert.match(doctor.out, /"name":"mode","ok":false,"detail":"The data in \S+ is live/);
    await (await live.serve(PROVIDER)).stop('SIGTERM');
  });

  test('sandbox data with a provider is refused', async () => {
    await (await sandbox.serve()).stop('SIGTERM');
    await assertRefused(
      sandbox,
      PROVIDER,
      /^The data in \S+ was made in a sandbox: its keys, people and balances must not become live\. Remove DATA_DIR, or set it to a new folder, to begin with clean live data\.\n$/,
    );
    await (await sandbox.serve()).stop('SIGTERM');
  });

  test('commands on a database leave its mode to the first start', async () => {
    const home = createHome();
    await home.run(['company', 'create', '--name', 'Shop']);
    await (await home.serve(PROVIDER)).stop('SIGTERM');
    await home.remove();
  });
});

describe('a sandbox that others could reach', { concurrency: false }, () => {
  const home = createHome();
  afterEach(() => home.endAll());
  after(() => home.remove());

  const open: [string, Settings][] = [
    ['HOST 0\\.0\\.0\\.0', { HOST: '0.0.0.0' }],
    ['HOST ::', { HOST: '::' }],
    ['PUBLIC_URL https://zhiber\\.example', { PUBLIC_URL: 'https://zhiber.example' }],
  ];
  for (const [name, settings] of open) {
    test(`${name.replaceAll('\\', '')} is refused before anything is created`, async () => {
      const sentence = new RegExp(
        `^No provider is configured, so this is a sandbox, and with ${name} others could read its ` +
          'codes and keys\\. Configure a provider, or set SANDBOX=public if everybody may use this ' +
          'sandbox\\.\\n$',
      );
      const fresh = createEmptyHome();
      await assertRefused(fresh, settings, sentence);
      assert.equal(existsSync(fresh.dataDir), false);
      await fresh.remove();
    });
  }

  test('SANDBOX=public answers to every name', async () => {
    const { facts } = await home.serve({ HOST: '0.0.0.0', SANDBOX: 'public' });
    assert.equal(await statusFor(facts.port, 'zhiber.example'), 200);
  });

  test('a local sandbox answers to local names alone', async () => {
    const { facts } = await home.serve();
    assert.equal(await statusFor(facts.port, `localhost:${facts.port}`), 200);
    assert.equal(await statusFor(facts.port, 'evil.com'), 403);
  });
});

/** Over a socket: fetch does not let a caller choose the Host header. */
async function statusFor(port: number, host: string): Promise<number> {
  const { request } = await import('node:http');
  return await new Promise((resolve, reject) => {
    const call = request({ port, path: '/try/session', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on('error', reject).end();
  });
}
