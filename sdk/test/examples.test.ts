/** Every example, with the packed client of its language, used over HTTP as a browser would. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../server/test/free-port.ts';
import { type ExampleCommand, type ExampleProcess, startExample } from './example-process.ts';
import { installClient, installPhpClient } from './packages.ts';
import { type Sandbox, useSandbox, wrongCode } from './sandbox.ts';

const { open } = useSandbox();
const EXAMPLES = path.join(import.meta.dirname, '../../examples');
const MODULES = path.join(import.meta.dirname, '../../node_modules');

type Start = (sandbox: Sandbox) => Promise<ExampleCommand | undefined>;

/** Copies an example into the project of its language; undefined when that cannot be run here. */
async function prepare(example: string, language: 'node' | 'python' | 'php', sandbox: Sandbox) {
  const project = await installClient(language);
  if (project === undefined) return undefined;
  const cwd = path.join(project.folder, example);
  cpSync(path.join(EXAMPLES, example), cwd, { recursive: true });
  const env = {
    ...project.env,
    ZHIBER_KEY: sandbox.key,
    ZHIBER_URL: sandbox.apiUrl,
    SESSION_SECRET: 'a secret for tests alone',
    PORT: '0',
  };
  return { cwd, env, program: project.program, folder: project.folder };
}

const startExpress: Start = async (sandbox) => {
  const prepared = await prepare('express', 'node', sandbox);
  if (prepared === undefined) return undefined;
  symlinkSync(path.join(MODULES, 'express'), path.join(prepared.folder, 'node_modules/express'));
  return { ...prepared, args: ['server.mjs'] };
};

const startNext: Start = async (sandbox) => {
  const prepared = await prepare('next', 'node', sandbox);
  if (prepared === undefined) return undefined;
  const file = 'next-routes.mjs';
  cpSync(path.join(import.meta.dirname, 'drivers', file), path.join(prepared.cwd, file));
  return { ...prepared, args: [file] };
};

const startPython: Start = async (sandbox) => {
  const prepared = await prepare('python-plain', 'python', sandbox);
  return prepared && { ...prepared, args: ['serve.py'] };
};

const startPhp: Start = async (sandbox) => {
  const prepared = await prepare('php-plain', 'php', sandbox);
  if (prepared === undefined) return undefined;
  installPhpClient(prepared.cwd);
  const address = `127.0.0.1:${await freePort()}`;
  const args = ['-d', `session.save_path=${prepared.cwd}`, '-S', address, '-t', 'public'];
  return { ...prepared, args: [...args, 'public/index.php'], url: `http://${address}` };
};

const SIGN_INS: { example: string; start: Start; home: string; action: string; phone: string }[] = [
  { example: 'express', start: startExpress, home: '/', action: '', phone: '+77015550001' },
  {
    example: 'next',
    start: startNext,
    home: '/sign-in',
    action: '/sign-in',
    phone: '+77015550002',
  },
  { example: 'python-plain', start: startPython, home: '/', action: '', phone: '+77015550003' },
  { example: 'php-plain', start: startPhp, home: '/', action: '', phone: '+77015550004' },
];

for (const { example, start, home, action, phone } of SIGN_INS) {
  test(`${example}: a person signs in by a code`, async (t) => {
    const sandbox = await open();
    const command = await start(sandbox);
    if (command === undefined) return t.skip('not installed');
    const running = await startExample(command);
    try {
      const browser = openBrowser(running.url);
      await signIn(browser, { home, action, phone, sandbox });
      await refuseStrangers(running, { home, action });
    } finally {
      await running.stop();
    }
  });
}

type Way = { home: string; action: string; phone: string; sandbox: Sandbox };

async function signIn(browser: Browser, { home, action, phone, sandbox }: Way): Promise<void> {
  const first = await browser.open(home);
  assert.equal(first.status, 200);
  assert.match(first.html, /name="phone"[^>]*autocomplete="tel"/);

  const junk = await browser.post(`${action}/send`, { phone: '12<script>alert(1)</script>' });
  assert.equal(junk.status, 422);
  assert.match(alertOf(junk.html), /^Неверный номер телефона/);
  assert(!junk.html.includes('<script>alert'), 'what was typed became a part of the page');

  const sent = await browser.post(`${action}/send`, { phone });
  assert.deepEqual([sent.status, sent.location], [200, home], sent.html);
  assert.match(sent.html, /name="code"[^>]*autocomplete="one-time-code"/);
  assert(secondsOf(sent.html) > 50 && secondsOf(sent.html) <= 60, sent.html);

  const early = await browser.post(`${action}/send`, { phone });
  assert.equal(early.status, 422);
  assert.match(alertOf(early.html), /^На этот номер код уже отправлен.* Подождите \d+ с\.$/);
  assert(secondsOf(early.html) > 0 && secondsOf(early.html) <= 60, early.html);

  const { code, count } = await sandbox.readMessage(phone);
  assert.equal(count, 1, 'a second code was sent');
  const wrong = await browser.post(`${action}/verify`, { code: wrongCode(code ?? '') });
  assert.equal(wrong.status, 422);
  assert.equal(alertOf(wrong.html), 'Неверный код. Осталось попыток: 4.');
  assert.doesNotMatch((await browser.open(home)).html, /Вы вошли/);

  const right = await browser.post(`${action}/verify`, { code: ` ${code} ` });
  assert.deepEqual([right.status, right.location], [200, home], right.html);
  assert(right.html.includes(`Вы вошли: ${phone}`), right.html);
  const out = await browser.post(action === '' ? '/sign-out' : `${action}/out`, {});
  assert.match(out.html, /name="phone"/);
  assert.doesNotMatch(out.html, /Вы вошли/);
}

/** Without a session, and with one that somebody made up. */
async function refuseStrangers(
  { url }: ExampleProcess,
  { home, action }: Pick<Way, 'home' | 'action'>,
) {
  const claim = { phone: '+77010000000', isSignedIn: true, signed_in: true, until: 9e15 };
  const text = Buffer.from(JSON.stringify(claim)).toString('base64url');
  const forged = [`session=${text}.${'A'.repeat(43)}`, `session=${text}.`, 'PHPSESSID=forged'];
  for (const cookie of forged) {
    const page = await fetch(`${url}${home}`, { headers: { cookie } });
    assert.doesNotMatch(await page.text(), /Вы вошли/, cookie);
  }
  const stranger = await openBrowser(url).post(`${action}/verify`, { code: '000000' });
  assert.match(stranger.html, /name="phone"/);
  assert.doesNotMatch(stranger.html, /Вы вошли/);
}

type Page = { status: number; html: string; location?: string };
type Browser = ReturnType<typeof openBrowser>;

/** Keeps cookies, posts forms and follows redirects. */
function openBrowser(origin: string) {
  const cookies = new Map<string, string>();
  const request = async (place: string, init: RequestInit = {}): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${origin}${place}`, {
      ...init,
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      assert.match(line, /; ?HttpOnly/i);
      assert.match(line, /; ?SameSite=Lax/i);
      cookies.set(name, value);
    }
    const html = await response.text();
    if (response.status !== 303) return { status: response.status, html };
    const location = response.headers.get('location') ?? '';
    return { ...(await request(location)), location };
  };
  return {
    open: (place: string) => request(place),
    post: (place: string, fields: Record<string, string>) =>
      request(place, { method: 'POST', body: new URLSearchParams(fields) }),
  };
}

function alertOf(html: string): string {
  return /<p role="alert">([^<]*)<\/p>/.exec(html)?.[1] ?? '';
}

function secondsOf(html: string): number {
  return Number(/data-seconds="(\d+)"/.exec(html)?.[1]);
}

describe('bitrix-1c', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const TOKEN = 'token-of-the-shop';
  const phone = '+77015550005';

  test('orders send links and codes, and webhooks are noted once', async (t) => {
    const sandbox = await open();
    const prepared = await prepare('bitrix-1c', 'php', sandbox);
    if (prepared === undefined) return t.skip('not installed');
    const notes = path.join(prepared.cwd, 'notes');
    mkdirSync(notes);
    cpSync(path.join(import.meta.dirname, '../php'), path.join(prepared.cwd, 'zhiber'), {
      recursive: true,
    });
    const address = `127.0.0.1:${await freePort()}`;
    const running = await startExample({
      ...prepared,
      env: { ...prepared.env, SHOP_TOKEN: TOKEN, ZHIBER_WEBHOOK_SECRET: SECRET },
      args: ['-S', address],
      url: `http://${address}`,
    });
    try {
      await handOver(running, sandbox);
      await receive(running, notes);
    } finally {
      await running.stop();
    }
  });

  async function handOver({ url }: ExampleProcess, sandbox: Sandbox): Promise<void> {
    const call = async (event: object, token = TOKEN) => {
      const response = await fetch(`${url}/order-event.php`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ order: '0000-000042', phone, ...event }),
      });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, ...body } as Record<string, unknown>;
    };
    const ready = { event: 'ready', url: 'https://example.kz/o/42' };
    assert.equal((await call(ready, 'another')).status, 401);
    assert.deepEqual((await call(ready)).ok, true);
    assert.deepEqual((await call(ready)).ok, true, 'repeated');
    const link = await sandbox.readMessage(phone);
    assert.equal(link.text, `Ваш заказ готов: ${link.link}`);
    assert.equal(link.count, 1, 'a repeated event was sent again');

    assert.equal((await call({ event: 'hand-over' })).ok, true);
    const early = await call({ event: 'hand-over' });
    assert.deepEqual([early.status, Number(early.retry_after) > 0], [422, true]);
    const { code } = await sandbox.readMessage(phone);
    const wrong = await call({ event: 'handed-over', code: wrongCode(code ?? '') });
    assert.deepEqual([wrong.status, wrong.error, wrong.attempts_left], [422, 'Неверный код', 4]);
    assert.equal((await call({ event: 'handed-over', code })).ok, true);
    assert.equal((await call({ event: 'lost' })).status, 400);
    assert.equal((await call({ ...ready, order: '43', phone: '12' })).status, 503);
  }

  async function receive({ url }: ExampleProcess, notes: string): Promise<void> {
    const remembered = readdirSync(notes).find((name) => name.startsWith('message-')) ?? '';
    const data = { message_id: remembered.replace('message-', '') };
    const body = JSON.stringify({ type: 'message.delivered', timestamp: new Date(), data });
    const deliver = async (id: string, secret = SECRET) => {
      const at = new Date();
      const response = await fetch(`${url}/webhook.php`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(id, at, body),
        },
        body,
      });
      return response.status;
    };
    assert.equal(await deliver('evt_1', 'whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQ='), 400);
    assert.deepEqual([await deliver('evt_1'), await deliver('evt_1')], [200, 200]);
    const log = readFileSync(path.join(notes, 'orders.log'), 'utf8');
    assert.equal(log, '0000-000042 message.delivered\n');
  }
});
