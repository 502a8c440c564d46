/** The receivers of the documentation take what is signed, and nothing else. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CODE_LANGUAGES } from '../../../web/src/snippets/snippets.ts';
import { printWebhookCheck } from '../../../web/src/snippets/webhook-check.ts';
import { freePort } from '../free-port.ts';
import { canRun, prepareRunner, type Runner } from './run-code.ts';

const START_TIMEOUT_MS = 60_000;
const secret = randomBytes(24);
const env = { ZHIBER_WEBHOOK_SECRET: `whsec_${secret.toString('base64')}` };
const BODY = '{"type":"message.delivered","timestamp":"2026-11-15T04:30:00.000Z","data":{"a":"ж"}}';

const receivers = CODE_LANGUAGES.filter((language) => language !== 'curl');
const ports = new Map<string, number>();
for (const language of receivers) ports.set(language, await freePort());
let runner: Runner;

const programOf = (form: (typeof CODE_LANGUAGES)[number], port: number) => ({
  form,
  code: printWebhookCheck(form, port),
});

before(async () => {
  runner = await prepareRunner(
    receivers.flatMap((language) => {
      const port = ports.get(language) as number;
      return [programOf(language, port), programOf('curl', port)];
    }),
  );
});
after(() => runner?.remove());

function sign(parts: { id: string; timestamp: number; body?: string; key?: Buffer }): string {
  const { id, timestamp, body = BODY, key = secret } = parts;
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function headersOf(timestamp: number, signature: string): Record<string, string> {
  return {
    'webhook-id': 'msg_2',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
}

for (const language of receivers) {
  describe(`a receiver in ${language}`, {
    skip: !canRun(language) && 'its tools are missing',
  }, () => {
    const port = ports.get(language) as number;
    let child: ChildProcess;
    let printed = '';

    before(async () => {
      child = runner.start(programOf(language, port), env, port);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          printed += chunk;
        });
      }
      await waitForPort(port, () => `${printed} ${child.exitCode}`);
    });
    after(async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    const post = async (headers: Record<string, string>, body = BODY): Promise<number> => {
      const signal = AbortSignal.timeout(30_000);
      const url = `http://localhost:${port}`;
      return (await fetch(url, { method: 'POST', headers, body, signal })).status;
    };
    const now = () => Math.floor(Date.now() / 1_000);

    test('takes the signed request of the curl example', async () => {
      const { code, output } = await runner.run(programOf('curl', port), env);
      assert.equal(code, 0, output);
      for (let i = 0; i < 100 && !printed.includes('test.ping'); i++) await pause(20);
      assert.match(printed, /test\.ping/);
    });

    test('takes any of several signatures, and a clock that is a little off', async () => {
      const timestamp = now() - 200;
      const right = sign({ id: 'msg_2', timestamp });
      const foreign = sign({ id: 'msg_2', timestamp, key: randomBytes(24) });
      assert.equal(await post(headersOf(timestamp, right)), 204);
      assert.equal(await post(headersOf(timestamp, `${foreign} v2,x ${right}`)), 204);
      const ahead = now() + 200;
      assert.equal(await post(headersOf(ahead, sign({ id: 'msg_2', timestamp: ahead }))), 204);
    });

    test('refuses what was signed by another, changed, or is old', async () => {
      const timestamp = now();
      const right = sign({ id: 'msg_2', timestamp });
      const foreign = sign({ id: 'msg_2', timestamp, key: randomBytes(24) });
      const old = timestamp - 400;
      const early = timestamp + 400;
      const bare = right.slice('v1,'.length);
      assert.equal(await post(headersOf(timestamp, foreign)), 401);
      assert.equal(await post(headersOf(timestamp, right), `${BODY} `), 401);
      assert.equal(await post({ ...headersOf(timestamp, right), 'webhook-id': 'msg_3' }), 401);
      assert.equal(await post(headersOf(timestamp + 1, right)), 401);
      assert.equal(await post(headersOf(old, sign({ id: 'msg_2', timestamp: old }))), 401);
      assert.equal(await post(headersOf(early, sign({ id: 'msg_2', timestamp: early }))), 401);
      assert.equal(await post(headersOf(timestamp, bare)), 401);
      assert.equal(await post(headersOf(timestamp, 'v1,')), 401);
      assert.equal(await post({}), 401);
    });
  });
}

async function waitForPort(port: number, said: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const isOpen = await new Promise((resolve) => {
      const socket = connect(port, 'localhost', () => {
        socket.destroy();
        resolve(true);
      }).on('error', () => resolve(false));
    });
    if (isOpen) return;
    assert(Date.now() < deadline, `the receiver does not listen: ${said()}`);
    await pause(50);
  }
}
