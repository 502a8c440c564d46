/**
 * Keys, secrets and codes must not leak. The test uses them in every way, including with a failing
 * database, and then searches for them in answers, output, logs, tables and files.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Canary, type Place, sweep } from './canaries.ts';
import { createCollector, dataFiles, tables } from './canary-places.ts';
import { useHostileServer } from './hostile-server.ts';

const SECRET = 'canary-Wq7-secret-9fK2-of-this-installation-xT4';
const PHONES = 40;
/** Fewer codes, because each search reads a hundred megabytes. */
const CODES_SEARCHED_IN_FILES = 12;
const CODE_LENGTH = 8;
const UNCONFIRMED_PHONE = '+77000000002';

const answers = createCollector('answers and their headers');
const printed = createCollector('output of the commands');
const log = createCollector('log at level trace');

const hostile = useHostileServer({ settings: { SECRET, LOG_LEVEL: 'trace' } });

const canaries: Canary[] = [];
const phones: string[] = [];

/** The random part of a key; the prefix and the last characters may be shown. */
const secretPart = (key: string) => key.slice(12, -4);
const addKey = (key: string) => canaries.push({ what: 'key', text: secretPart(key) });

type CallOptions = {
  key: string;
  body?: unknown;
  method?: string;
  headers?: Record<string, string>;
};

async function ask(address: string, { key, body, method = 'POST', headers }: CallOptions) {
  const response = await fetch(`http://localhost:${hostile.port}${address}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.add(`${method} ${address}`, `${JSON.stringify([...response.headers])}\n${text}`);
  return { status: response.status, text };
}

/** The newest code of a phone. Only this answer may contain a code, so it is not collected. */
async function readCode(phone: string, key: string, messagesMin = 1): Promise<string> {
  const query = new URLSearchParams({ phone, wait: '5' });
  const deadline = Date.now() + 45_000;
  for (;;) {
    const response = await fetch(`http://localhost:${hostile.port}/sandbox/messages?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { messages } = (await response.json()) as { messages: { code: string }[] };
    if (messages.length >= messagesMin) {
      const { code } = messages.at(-1) as { code: string };
      assert.equal(code.length, CODE_LENGTH);
      canaries.push({ what: 'code', text: code });
      return code;
    }
    assert(Date.now() < deadline, `timed out waiting for a message to ${phone}`);
    await pause(200);
  }
}

async function run(...args: string[]): Promise<string> {
  const { out, err } = await hostile.home.run(args, { SECRET });
  printed.add(args.join(' '), out + err);
  return out;
}

/** Only the command that creates a key prints it. */
async function createKey(...args: string[]): Promise<{ key: string; keyId: number }> {
  const created = await hostile.key('--code-length', String(CODE_LENGTH), ...args);
  addKey(created.key);
  return created;
}

async function useCodes(live: string, tester: string): Promise<void> {
  await ask('/api/otp/send', { key: tester, body: { phone: UNCONFIRMED_PHONE } });
  const first = await readCode(UNCONFIRMED_PHONE, tester);
  for (let i = 0; i < PHONES; i++) {
    const phone = `+77017${String(654_321 + i * 1_237).padStart(6, '0')}`;
    phones.push(phone);
    const link = i % 3 === 0 ? { link: 'https://example.kz/x' } : {};
    const channel = (['auto', 'whatsapp', 'telegram', 'sms'] as const)[i % 4];
    await ask('/api/otp/send', { key: live, body: { phone, channel, purpose: `p${i}`, ...link } });
    const code = await readCode(phone, live);
    const guess = (guessed: string, headers = {}) =>
      ask('/api/otp/verify', {
        key: live,
        body: { phone, code: guessed, purpose: `p${i}` },
        headers,
      });
    const wrong = code.startsWith('9') ? `1${code.slice(1)}` : `9${code.slice(1)}`;
    if (i % 2 === 0) await guess(wrong, { 'idempotency-key': `wrong ${i}` });
    // An unkeyed hash reveals its code in seconds by brute force.
    const body = JSON.stringify({ phone, code, purpose: `p${i}` });
    for (const text of [code, body]) {
      const hash = createHash('sha256').update(text).digest('hex');
      canaries.push({ what: 'hash of a code', text: hash });
    }
    if (i % 5 !== 0) await guess(code, { 'idempotency-key': `right ${i}` });
    if (i % 7 === 0) await guess(code);
  }
  // The fallback sends the same code again; only the fallback reads the sealed copy.
  assert.equal(await readCode(UNCONFIRMED_PHONE, tester, 2), first);
}

/** Puts keys and codes where careless callers put them. */
async function useCarelessly(live: string, code: string): Promise<void> {
  await ask('/api/otp/verify', { key: live, body: `{"phone":"+77011234567","code":"${code}",` });
  await ask('/api/otp/verify', { key: live, body: { phone: 1, code: [code], purpose: { code } } });
  const halves = `${code.slice(0, 4)} ${code.slice(4)}`;
  const misplaced: unknown[] = [
    { phone: code, code: '+77011234567' },
    { phone: `+${code}`, code },
    { phone: '+77011234567', code: 1, purpose: code },
    { phone: '+77011234567', code: halves, purpose: halves },
    { phone: '+77011234567', otp: code, [code]: live, purpose: live },
    `phone=77011234567&code=${code}`,
    `{phone: '+77011234567', code: ${code}}`,
    `{"phone": "+77011234567", "code": "${halves}" "key": "${live}"}`,
  ];
  for (const body of misplaced) await ask('/api/otp/verify', { key: live, body });
  await ask('/api/otp/send', { key: live, body: { phone: live, code, purpose: `Bearer ${live}` } });
  await ask('/api/links/shorten', { key: live, body: { url: `nothing ${live}`, alias: live } });
  await ask(`/api/otp/verify?key=${live}&code=${code}`, { key: live, body: {} });
  await ask(`/api/${live}`, { key: live, body: {} });
  await ask(`/s/${secretPart(live)}`, { key: live, method: 'GET' });
  await ask('/api/links/shorten', { key: `${live}x`, body: { url: 'https://example.kz' } });
  await ask('/api/links/shorten', { key: live, body: { url: 'nothing' } });
  await ask('/api/nothing', {
    key: live,
    headers: { cookie: `key=${live}`, referer: `https://x/?${live}` },
  });
}

/** Makes statements fail with added constraints, to see what an internal error logs. */
async function useFailingDatabase(live: string, code: string): Promise<number> {
  const phone = phones[0] as string;
  let failures = 0;
  const failing = async (address: string, body: object) => {
    const { status } = await ask(address, { key: live, body });
    if (status === 500) failures += 1;
  };
  await hostile.sql('alter table message add constraint planted check (false) not valid');
  await failing('/api/otp/send', { phone: '+77017000001' });
  await failing('/api/links/send', {
    phone: '+77017000002',
    url: 'https://example.kz',
    channel: 'sms',
  });
  await hostile.sql('alter table message drop constraint planted');
  await hostile.sql('alter table code add constraint planted check (false) not valid');
  await failing('/api/otp/send', { phone: '+77017000003' });
  await failing('/api/otp/verify', { phone, code, purpose: 'p0' });
  await hostile.sql('alter table code drop constraint planted');
  await hostile.sql('alter table link add constraint planted check (false) not valid');
  await failing('/api/links/shorten', { url: 'https://example.kz/broken' });
  await hostile.sql('alter table link drop constraint planted');
  phones.push('+77017000001', '+77017000002', '+77017000003');
  return failures;
}

const ofKind = (...kinds: Canary['what'][]) => canaries.filter(({ what }) => kinds.includes(what));

/** Proves that the search works: a planted value must be found. */
async function assertFinds(place: Place, wanted: Canary, plant: () => unknown): Promise<void> {
  await plant();
  const hits = await sweep(place, [wanted]);
  assert(hits.length > 0, `${place.name}: a planted ${wanted.what} was not found`);
}

let failures = 0;
let searched = 0;

async function assertClean(place: Place, wanted: readonly Canary[]): Promise<void> {
  const hits = await sweep(place, wanted);
  const found = hits
    .slice(0, 5)
    .map(({ canary, encoding, where }) => `${canary.what} as ${encoding} in ${where}`);
  assert.deepEqual(found, [], place.name);
  searched += wanted.length;
}

test('keys, secrets and codes are used in every way, including failing requests', async () => {
  const live = await createKey();
  const tester = await createKey('--test', '--fallback', '15');
  canaries.push({ what: 'secret', text: SECRET });
  const password = readFileSync(path.join(hostile.home.dataDir, 'database-password'), 'utf8');
  canaries.push({ what: 'database password', text: password.trim() });
  addKey(hostile.keys.live);
  addKey(hostile.keys.test);
  await useCodes(live.key, tester.key);
  const code = ofKind('code')[0]?.text as string;
  await useCarelessly(live.key, code);
  failures = await useFailingDatabase(live.key, code);
  assert(failures >= 3, 'the failing database must cause 500');
  const rotated = await hostile.zhiber('key', 'rotate', String(live.keyId));
  addKey(rotated.key as string);
  await ask('/api/links/shorten', {
    key: rotated.key as string,
    body: { url: 'https://example.kz' },
  });
  for (const address of ['/api/health', '/api/openapi.json', '/', '/docs/errors', '/try']) {
    await ask(address, { key: live.key, method: 'GET' });
  }
  for (const command of ['doctor', 'audit', 'help']) await run(command);
  await run('doctor', '--json');
  await run('audit', '--json');
  for (const phone of phones) canaries.push({ what: 'phone', text: phone.slice(1) });
});

test('no table contains a canary', async () => {
  const place = tables(hostile);
  const wanted = canaries.filter(({ what }) => what !== 'phone');
  await assertClean(place, wanted);
  const [code] = ofKind('code');
  const [key] = ofKind('key');
  assert(code && key);
  await assertFinds(place, key, () =>
    hostile.sql(`insert into installation values ('planted', $1)`, [`a ${key.text} b`]),
  );
  await assertFinds(place, code, () =>
    hostile.sql(`update code set sealed = $1 where key_id = (select min(key_id) from code)`, [
      Buffer.from(code.text),
    ]),
  );
});

test('no answer and no command output contains a canary', async () => {
  for (const place of [answers, printed]) {
    await assertClean(place, canaries);
    for (const wanted of [ofKind('key')[0], ofKind('code')[0], ofKind('phone')[0]]) {
      assert(wanted);
      await assertFinds(place, wanted, () => place.add('planted', `x${wanted.text}`.slice(1)));
    }
  }
});

test('no log and no file contains a canary', async () => {
  const { out, err } = await hostile.server().stop('SIGTERM');
  // The first line is the report of the first start, which contains the new keys.
  log.add('stdout after the start', out.split('\n').slice(1).join('\n'));
  log.add('stderr', err);
  assert((err.match(/"level":50/g) ?? []).length >= failures, 'every failure must be logged');
  await assertClean(log, canaries);
  await assertFinds(log, ofKind('phone')[1] as Canary, () =>
    log.add('planted', JSON.stringify({ phone: phones[1] })),
  );

  const { dataDir } = hostile.home;
  const place = dataFiles(dataDir, ['database-password']);
  // A test above planted one key in a table: it must be found on disk, and no other.
  const [planted, ...others] = ofKind('key');
  assert(planted);
  await assertFinds(place, planted, () => undefined);
  await assertClean(place, [
    ...others,
    ...ofKind('secret', 'database password'),
    ...ofKind('code').slice(1, CODES_SEARCHED_IN_FILES + 1),
  ]);
  await assertFinds(place, others[0] as Canary, () =>
    writeFileSync(path.join(dataDir, 'planted'), others[0]?.text as string),
  );
  const counts = (
    ['key', 'secret', 'database password', 'code', 'hash of a code', 'phone'] as const
  )
    .map((what) => `${ofKind(what).length} × ${what}`)
    .join(', ');
  console.log(
    `${canaries.length} canaries (${counts}) in 5 places, ${searched} searches: 0 found; each planted one was found`,
  );
});
