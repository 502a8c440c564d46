/**
 * Keys, secrets and codes stay in their one place. Everything is done that makes the service use
 * them, also with the database failing under it, and then they are searched for everywhere.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Canary, type Place, sweep } from './canaries.ts';
import { dataFiles, gathered, tables } from './canary-places.ts';
import { useHostileServer } from './hostile-server.ts';

const SECRET = 'canary-Wq7-secret-9fK2-of-this-installation-xT4';
const PHONES = 40;
/** Searching a hundred megabytes for each of them takes its time. */
const CODES_SOUGHT_IN_FILES = 12;
const CODE_LENGTH = 8;
const SILENT_ON_WHATSAPP = '+77000000002';

const answers = gathered('answers and their headers');
const printed = gathered('output of the commands');
const log = gathered('log at its most talkative');

const hostile = useHostileServer({ settings: { SECRET, LOG_LEVEL: 'trace' } });

const canaries: Canary[] = [];
const phones: string[] = [];

/** The random part of a key; what stands around it may be shown. */
const secretPart = (key: string) => key.slice(12, -4);
const addKey = (key: string) => canaries.push({ what: 'key', text: secretPart(key) });

type Asked = { key: string; body?: unknown; method?: string; headers?: Record<string, string> };

async function ask(address: string, { key, body, method = 'POST', headers }: Asked) {
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

/** The newest code on a phone: the only answer that may show one, so it is not gathered. */
async function codeOn(phone: string, key: string, messagesMin = 1): Promise<string> {
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
    assert(Date.now() < deadline, `no message has come to ${phone}`);
    await pause(200);
  }
}

async function run(...args: string[]): Promise<string> {
  const { out, err } = await hostile.home.run(args, { SECRET });
  printed.add(args.join(' '), out + err);
  return out;
}

/** A key is shown by the command that made it, and by nothing after it. */
async function makeKey(...args: string[]): Promise<{ key: string; keyId: number }> {
  const made = await hostile.key('--code-length', String(CODE_LENGTH), ...args);
  addKey(made.key);
  return made;
}

async function useCodes(live: string, tester: string): Promise<void> {
  await ask('/api/otp/send', { key: tester, body: { phone: SILENT_ON_WHATSAPP } });
  const first = await codeOn(SILENT_ON_WHATSAPP, tester);
  for (let i = 0; i < PHONES; i++) {
    const phone = `+77017${String(654_321 + i * 1_237).padStart(6, '0')}`;
    phones.push(phone);
    const link = i % 3 === 0 ? { link: 'https://example.kz/x' } : {};
    const channel = (['auto', 'whatsapp', 'telegram', 'sms'] as const)[i % 4];
    await ask('/api/otp/send', { key: live, body: { phone, channel, purpose: `p${i}`, ...link } });
    const code = await codeOn(phone, live);
    const guess = (guessed: string, headers = {}) =>
      ask('/api/otp/verify', {
        key: live,
        body: { phone, code: guessed, purpose: `p${i}` },
        headers,
      });
    const wrong = code.startsWith('9') ? `1${code.slice(1)}` : `9${code.slice(1)}`;
    if (i % 2 === 0) await guess(wrong, { 'idempotency-key': `wrong ${i}` });
    // Whoever has such a hash tries all codes in seconds.
    const body = JSON.stringify({ phone, code, purpose: `p${i}` });
    for (const text of [code, body]) {
      const hash = createHash('sha256').update(text).digest('hex');
      canaries.push({ what: 'hash of a code', text: hash });
    }
    if (i % 5 !== 0) await guess(code, { 'idempotency-key': `right ${i}` });
    if (i % 7 === 0) await guess(code);
  }
  // The same code comes again by the next channel: the one way in which a kept code is read.
  assert.equal(await codeOn(SILENT_ON_WHATSAPP, tester, 2), first);
}

/** Where careless callers put their keys and codes. */
async function useCarelessly(live: string, code: string): Promise<void> {
  await ask('/api/otp/verify', { key: live, body: `{"phone":"+77011234567","code":"${code}",` });
  await ask('/api/otp/verify', { key: live, body: { phone: 1, code: [code], purpose: { code } } });
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

/** A database that refuses what it is asked: the only way to see what a bug would log. */
async function useBrokenDatabase(live: string, code: string): Promise<number> {
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

const only = (...kinds: Canary['what'][]) => canaries.filter(({ what }) => kinds.includes(what));

/** Whether the search finds what is put into a place. */
async function assertFinds(place: Place, wanted: Canary, plant: () => unknown): Promise<void> {
  await plant();
  const hits = await sweep(place, [wanted]);
  assert(hits.length > 0, `${place.name}: a planted ${wanted.what} was not found`);
}

let failures = 0;
let searched = 0;

async function assertClean(place: Place, wanted: readonly Canary[]): Promise<void> {
  const hits = await sweep(place, wanted);
  const shown = hits
    .slice(0, 5)
    .map(({ canary, spelling, where }) => `${canary.what} as ${spelling} in ${where}`);
  assert.deepEqual(shown, [], place.name);
  searched += wanted.length;
}

test('keys, secrets and codes are used in every way, also a failing one', async () => {
  const live = await makeKey();
  const tester = await makeKey('--test', '--fallback', '15');
  canaries.push({ what: 'secret', text: SECRET });
  const password = readFileSync(path.join(hostile.home.dataDir, 'database-password'), 'utf8');
  canaries.push({ what: 'database password', text: password.trim() });
  addKey(hostile.keys.live);
  addKey(hostile.keys.test);
  await useCodes(live.key, tester.key);
  const code = only('code')[0]?.text as string;
  await useCarelessly(live.key, code);
  failures = await useBrokenDatabase(live.key, code);
  assert(failures >= 3, 'the broken database is answered with 500');
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

test('no row of any table holds one', async () => {
  const place = tables(hostile);
  const wanted = canaries.filter(({ what }) => what !== 'phone');
  await assertClean(place, wanted);
  const [code] = only('code');
  const [key] = only('key');
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

test('no answer and no command shows one', async () => {
  for (const place of [answers, printed]) {
    await assertClean(place, canaries);
    for (const wanted of [only('key')[0], only('code')[0], only('phone')[0]]) {
      assert(wanted);
      await assertFinds(place, wanted, () => place.add('planted', `x${wanted.text}`.slice(1)));
    }
  }
});

test('no log and no file holds one', async () => {
  const { out, err } = await hostile.server().stop('SIGTERM');
  // The very first start prints the keys it has made, once.
  log.add('stdout after the start', out.split('\n').slice(1).join('\n'));
  log.add('stderr', err);
  assert((err.match(/"level":50/g) ?? []).length >= failures, 'every failure was logged');
  await assertClean(log, canaries);
  await assertFinds(log, only('phone')[1] as Canary, () =>
    log.add('planted', JSON.stringify({ phone: phones[1] })),
  );

  const { dataDir } = hostile.home;
  const place = dataFiles(dataDir, ['database-password']);
  // One key was planted in a table above: it has to be found on the disk, and no other may be.
  const [planted, ...others] = only('key');
  assert(planted);
  await assertFinds(place, planted, () => undefined);
  await assertClean(place, [
    ...others,
    ...only('secret', 'database password'),
    ...only('code').slice(1, CODES_SOUGHT_IN_FILES + 1),
  ]);
  await assertFinds(place, others[0] as Canary, () =>
    writeFileSync(path.join(dataDir, 'planted'), others[0]?.text as string),
  );
  const counts = (
    ['key', 'secret', 'database password', 'code', 'hash of a code', 'phone'] as const
  )
    .map((what) => `${only(what).length} × ${what}`)
    .join(', ');
  console.log(
    `${canaries.length} canaries (${counts}) in 5 places, ${searched} searches: 0 found; each planted one was`,
  );
});
