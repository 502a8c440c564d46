/** The examples of the documentation's page about the clients, from their packages, as printed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../server/test/free-port.ts';
import { startExample } from './example-process.ts';
import { installClient, type Language, type Project } from './packages.ts';
import { useSandbox } from './sandbox.ts';

const PAGE = path.join(import.meta.dirname, '../../web/src/docs/ru/sdk.md');
const FENCES: Record<Language, string> = { node: 'js', python: 'python', php: 'php' };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"test.ping","timestamp":"2026-11-02T09:30:00.000Z","data":{"text":"Zhiber"}}';

const run = promisify(execFile);
const { service, open } = useSandbox();

/** The two examples of a language: sending and verifying, and receiving a webhook. */
function readExamples(language: Language): [codes: string, webhook: string] {
  const text = readFileSync(PAGE, 'utf8');
  const fence = new RegExp(`^\`\`\`${FENCES[language]} sdk\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const [codes, webhook, ...others] = [...text.matchAll(fence)].map((match) => match[1] ?? '');
  assert(codes !== undefined && webhook !== undefined, `the page has no examples in ${language}`);
  assert.equal(others.length, 0, `an example in ${language} is not run by this test`);
  return [codes, webhook];
}

const FILES: Record<Language, string> = { node: 'codes.mjs', python: 'codes.py', php: 'codes.php' };

for (const language of ['node', 'python', 'php'] as const) {
  const [codes, webhook] = readExamples(language);

  describe(language, () => {
    test('the example sends a code and verifies it', async (t) => {
      const project = await installClient(language);
      if (project === undefined) return t.skip('not installed');
      const { apiUrl } = await open();
      const { key } = await service.key({ isTest: true });
      const file = path.join(project.folder, FILES[language]);
      writeFileSync(file, codes.replaceAll('{{apiUrl}}', apiUrl));
      const env = { ...project.env, ZHIBER_KEY: key };
      const { stdout } = await run(project.program, [file], { cwd: project.folder, env });
      assert.match(stdout, /^whatsapp 300 [0-9a-f-]{36}\nsigned in\n$/);
    });

    test('the example takes an event that is ours, and no other', async (t) => {
      const project = await installClient(language);
      if (project === undefined) return t.skip('not installed');
      const receive = await RECEIVERS[language](project, webhook);
      try {
        const headers = signedHeaders(BODY);
        assert.equal(await receive.call(BODY, headers), 204);
        assert.equal(await receive.call(BODY.replace('ping', 'pong'), headers), 400);
      } finally {
        await receive.stop();
      }
    });
  });
}

function signedHeaders(body: string): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', at, body),
  };
}

type Receiver = {
  call(body: string, headers: Record<string, string>): Promise<number>;
  stop(): Promise<void>;
};

const RECEIVERS: Record<Language, (project: Project, code: string) => Promise<Receiver>> = {
  node: async (project, code) =>
    inProcess(project, {
      file: 'receive.mjs',
      code: `${code}
const { body, headers } = JSON.parse(process.argv[2]);
console.log('status', receive(body, headers));`,
    }),
  python: async (project, code) =>
    inProcess(project, {
      file: 'receive.py',
      code: `${code}
import json
import sys

call = json.loads(sys.argv[1])
print("status", receive(call["body"], call["headers"]))`,
    }),
  async php(project, code) {
    writeFileSync(path.join(project.folder, 'receive.php'), code);
    const address = `127.0.0.1:${await freePort()}`;
    const { url, stop } = await startExample({
      program: project.program,
      args: ['-S', address, 'receive.php'],
      cwd: project.folder,
      env: { ...project.env, ZHIBER_WEBHOOK_SECRET: SECRET },
      url: `http://${address}`,
    });
    const call = async (body: string, headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', body, headers })).status;
    return { call, stop };
  },
};

/** A function of the example, called by a few lines after it. */
function inProcess(project: Project, { file, code }: { file: string; code: string }): Receiver {
  writeFileSync(path.join(project.folder, file), `${code}\n`);
  return {
    async call(body, headers) {
      const env = { ...project.env, ZHIBER_WEBHOOK_SECRET: SECRET };
      const args = [file, JSON.stringify({ body, headers })];
      const { stdout } = await run(project.program, args, { cwd: project.folder, env });
      return Number(/^status (\d+)$/m.exec(stdout)?.[1]);
    },
    stop: async () => undefined,
  };
}
