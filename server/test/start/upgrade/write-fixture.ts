/**
 * Writes the fixture of this version: a small database with an unverified code, a short link, money
 * and a session, all created through the product, and the programs of this version. Run once for
 * each release (`npm run fixture`); upgrade.test.ts starts every later version on the database, and
 * the programs of the previous release run beside those of today.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { startDump } from '../../../src/db/dump/dump-database.ts';
import { openEmbedded } from '../../../src/db/embedded.ts';
import { ask, connectTo, createHome } from '../serve-harness.ts';
import { callCabinet, type FixtureFacts, readCode, readSessionCookie } from './fixture.ts';
import { packRelease } from './release.ts';

const SECRET = 'the secret of the fixtures, for tests alone';
const PHONE = '+77010000001';
const OWNER_PHONE = '+77010000002';
const URL_BEHIND_LINK = 'https://example.kz/orders/4711';
const TOP_UP = 5_000;

const home = createHome();
try {
  const facts = await fillDatabase();
  const sql = await dumpStopped();
  const { version } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  );
  const file = (extension: string) =>
    new URL(`./versions/${version}.${extension}`, import.meta.url);
  writeFileSync(file('sql'), sql);
  writeFileSync(file('json'), `${JSON.stringify(facts, null, 2)}\n`);
  await packRelease(version);
} finally {
  await home.remove();
}

async function fillDatabase(): Promise<FixtureFacts> {
  const server = await home.serve({ SECRET });
  const { port, keys, company_id: companyId } = server.facts;
  const key = keys?.live;
  assert(key !== undefined, 'the first start must print the keys');

  const topUp = ['topup', '--company', String(companyId), '--amount', String(TOP_UP)];
  assert.equal((await home.run(topUp, { SECRET })).code, 0);
  const sent = await ask(port, { path: '/otp/send', key, body: { phone: PHONE } });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const link = await ask(port, { path: '/links/shorten', key, body: { url: URL_BEHIND_LINK } });
  assert.equal(link.status, 200, JSON.stringify(link.body));

  const asked = await callCabinet(port, '/sign-in/phone', { body: { phone: OWNER_PHONE } });
  const { request_token } = (await asked.json()) as { request_token: string };
  const signIn = { phone: OWNER_PHONE, code: await readCode(port, OWNER_PHONE), request_token };
  const signedIn = await callCabinet(port, '/sign-in/phone/code', { body: signIn });
  const cookie = readSessionCookie(signedIn);
  await callCabinet(port, '/companies', { cookie, body: { name: 'ТОО «Прежняя версия»' } });

  const code = await readCode(port, PHONE);
  await server.stop('SIGTERM');
  return {
    secret: SECRET,
    key,
    phone: PHONE,
    code,
    slug: String(link.body.short_url).split('/').at(-1) as string,
    url: URL_BEHIND_LINK,
    balance: Number(sent.body.balance),
    cookie,
    ownerPhone: OWNER_PHONE,
  };
}

async function dumpStopped(): Promise<string> {
  const embedded = await openEmbedded({
    dataDir: home.dataDir,
    as: 'visitor',
    log: () => undefined,
  });
  try {
    const client = await connectTo(home.dataDir);
    const { chunks } = await startDump(client);
    const text = Buffer.concat(await Array.fromAsync(chunks)).toString();
    await client.end();
    return text;
  } finally {
    await embedded.stop();
  }
}
