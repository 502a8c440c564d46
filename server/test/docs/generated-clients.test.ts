/** Clients that generators make of the description compile, and send and verify a code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describeApi } from '../../src/http/api/openapi.ts';
import { freePort } from '../free-port.ts';
import { useService } from '../harness.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
/** The generators need an older TypeScript, and so have packages of their own. */
const CLIENTS = path.join(ROOT, 'generated-clients');
const TIMEOUT_MS = 120_000;

const port = await freePort();
const siteUrl = `http://localhost:${port}`;
const service = useService();
let folder = '';

before(() => {
  // Beside the packages, so that the clients find them, and not among them, where Node runs no
  // TypeScript.
  const generated = path.join(CLIENTS, 'dist');
  mkdirSync(generated, { recursive: true });
  folder = mkdtempSync(path.join(generated, 'clients-'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(describeApi(siteUrl)));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ZHIBER_KEY: await testKey() };
  const options = { cwd: folder, env, timeout: TIMEOUT_MS };
  try {
    return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return assert.fail(`${program}: ${stdout}${stderr}`);
  }
}

async function testKey(): Promise<string> {
  if (!service.http.server.listening) await service.http.listen({ port, host: 'localhost' });
  return (await service.key({ isTest: true })).key;
}

const STRICT = [
  '--ignoreConfig',
  '--strict',
  '--noEmit',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--target',
  'es2024',
  '--module',
  'nodenext',
  '--lib',
  'es2024,dom,dom.iterable,dom.asynciterable',
  '--types',
  'node',
];

/** Compiles a program that uses a client, and runs it. */
async function useClient(name: string, program: string): Promise<string> {
  const file = path.join(folder, `${name}.ts`);
  writeFileSync(file, program);
  await run(TSC, ...STRICT, file);
  return await run(file);
}

const EXPECTED = 'sent 300 true verified true invalid_code 422 4\n';

test('openapi-typescript and openapi-fetch make a client that works', async () => {
  const cli = path.join(CLIENTS, 'node_modules/openapi-typescript/bin/cli.js');
  await run(cli, 'openapi.json', '--output', 'schema.ts');
  const printed = await useClient(
    'fetch-client',
    `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

const client = createClient<paths>({
  baseUrl: '${siteUrl}/api',
  headers: { Authorization: \`Bearer \${process.env.ZHIBER_KEY}\` },
});
const phone = '+77000000000';
const sent = await client.POST('/otp/send', { body: { phone, channel: 'auto' } });
if (sent.error) throw new Error(sent.error.error_code);
const seconds: number = sent.data.expires_in;
const wrong = await client.POST('/otp/verify', { body: { phone, code: '111111' } });
const refusal: components['schemas']['ErrorAnswer'] | undefined = wrong.error;
const verified = await client.POST('/otp/verify', { body: { phone, code: '000000' } });
const isRight: true | undefined = verified.data?.success;
console.log('sent', seconds, sent.data.success, 'verified', isRight, refusal?.error_code, wrong.response.status, refusal?.attempts_left);
// @ts-expect-error A channel that does not exist is refused by the compiler.
void (() => client.POST('/otp/send', { body: { phone, channel: 'pigeon' } }));
`,
  );
  assert.equal(printed, EXPECTED);
});

test('@hey-api/openapi-ts makes a client that works', async () => {
  const cli = path.join(ROOT, 'node_modules/@hey-api/openapi-ts/dist/run.mjs');
  writeFileSync(
    path.join(folder, 'openapi-ts.config.mjs'),
    `export default {
  input: './openapi.json',
  output: { path: './hey', module: { extension: '.ts' }, importFileExtension: '.ts' },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
};
`,
  );
  const hook = pathToFileURL(path.join(CLIENTS, 'older-typescript.mjs')).href;
  await run(`--import=${hook}`, cli, '--file', 'openapi-ts.config.mjs', '--silent');
  const printed = await useClient(
    'hey-client',
    `import { client } from './hey/client.gen.ts';
import { sendCode, verifyCode } from './hey/sdk.gen.ts';
import type { ErrorAnswer } from './hey/types.gen.ts';

client.setConfig({ baseUrl: '${siteUrl}/api', auth: () => process.env.ZHIBER_KEY });
const phone = '+77000000000';
const sent = await sendCode({ body: { phone, channel: 'auto' } });
if (sent.data === undefined) throw new Error(sent.error.error_code);
const seconds: number = sent.data.expires_in;
const wrong = await verifyCode({ body: { phone, code: '111111' } });
const refusal: ErrorAnswer | undefined = wrong.error;
const verified = await verifyCode({ body: { phone, code: '000000' } });
const isRight: true | undefined = verified.data?.success;
console.log('sent', seconds, sent.data.success, 'verified', isRight, refusal?.error_code, wrong.response?.status, refusal?.attempts_left);
// @ts-expect-error A channel that does not exist is refused by the compiler.
void (() => sendCode({ body: { phone, channel: 'pigeon' } }));
`,
  );
  assert.equal(printed, EXPECTED);
});
