/**
 * Answers of a real browser to challenges of the server, sent by whom and when they should not be.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { blockPerson } from '../../../src/accounts/block-person.ts';
import { newId, type PersonId } from '../../../src/ids.ts';
import { newToken } from '../../../src/token.ts';
import { usePages } from '../open-pages.ts';
import { plugIn, type VirtualAuthenticator } from './virtual-authenticator.ts';

const { open, running } = usePages();

const site = () => running().ctx.urls.publicUrl;
const sql = (text: string, values: unknown[] = []) => running().ctx.db.query(text, values);

type Reply = { status: number; cookie: string | undefined } & Record<string, unknown>;
type Browser = { cookie?: string };
type Options = Record<string, unknown>;

/** Calls the cabinet as a browser with this cookie, or with none. */
async function call(browser: Browser, address: string, body?: object): Promise<Reply> {
  const [method = '', path = ''] = address.split(' ');
  const response = await fetch(`${site()}/cabinet${path}`, {
    method,
    headers: {
      'x-zhiber-cabinet': '1',
      ...(browser.cookie === undefined ? {} : { cookie: browser.cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  return { status: response.status, cookie, ...((await response.json()) as object) };
}

let persons = 0;

/** A person who is signed in, and has just proved who they are. */
async function createPerson(): Promise<{ personId: PersonId; browser: Required<Browser> }> {
  persons += 1;
  const personId = newId(Date.now()) as unknown as PersonId;
  const { token, hash } = newToken();
  await sql('insert into person (id, name, phone) values ($1, $2, $3)', [
    personId,
    'Айгерим',
    77_015_000_000 + persons,
  ]);
  await sql(
    `insert into session (id, token_hash, person_id, address, device, proven_at, expires_at)
     values ($1, $2, $3, '127.0.0.1', 'Test', clock_timestamp(), clock_timestamp() + interval '1 hour')`,
    [newId(Date.now()), hash, personId],
  );
  return { personId, browser: { cookie: `zhiber=${token}` } };
}

/** Lets the browser make a passkey or use one, by its own functions alone. */
async function ask(page: Page, what: 'create' | 'get', options: unknown): Promise<object> {
  const parse = what === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON';
  return await page.evaluate<object>(`(async () => {
    const publicKey = PublicKeyCredential.${parse}(${JSON.stringify(options)});
    return (await navigator.credentials.${what}({ publicKey })).toJSON();
  })()`);
}

type Owner = Awaited<ReturnType<typeof createPerson>> & {
  page: Page;
  device: VirtualAuthenticator;
};

async function createOwner(): Promise<Owner> {
  const { page } = await open('/login');
  const device = await plugIn(page);
  const person = await createPerson();
  const added = await addPasskey(page, person.browser);
  assert.equal(added.status, 200, JSON.stringify(added));
  return { ...person, page, device };
}

async function addPasskey(page: Page, browser: Browser): Promise<Reply> {
  const { options } = await call(browser, 'POST /profile/passkeys/start');
  const answer = await ask(page, 'create', options);
  return await call(browser, 'POST /profile/passkeys', { name: 'Ноутбук', answer });
}

const startSignIn = () => call({}, 'POST /sign-in/passkey');
const signIn = (answer: object, token: unknown) =>
  call({}, 'POST /sign-in/passkey/answer', { answer, request_token: token });

function assertRefused(reply: Reply, code = 'passkey_refused'): void {
  assert.equal(reply.error_code, code);
  assert.equal(reply.cookie, undefined);
}

function assertSignedIn(reply: Reply): void {
  assert.equal(reply.status, 200, JSON.stringify(reply));
  assert.match(reply.cookie ?? '', /^zhiber=[\w-]{43}$/);
}

test('an answer signs in once', async () => {
  const { page, personId } = await createOwner();
  const { options, request_token } = await startSignIn();
  const answer = await ask(page, 'get', options);
  const first = await signIn(answer, request_token);
  assertSignedIn(first);
  // Most devices do not count, so the counter must not be what refuses it.
  await sql('update passkey set counter = 0');
  assertRefused(await signIn(answer, request_token));
  const browser = { cookie: first.cookie as string };
  const { person } = await call(browser, 'GET /session');
  assert.equal((person as { name: string }).name, 'Айгерим');
  const sessions = await sql('select second_factor_at from session where person_id = $1', [
    personId,
  ]);
  assert(sessions.every((session) => (session as Options).second_factor_at !== null));
});

test('an answer is good only in the browser that asked', async () => {
  const { page } = await createOwner();
  const [mine, other] = [await startSignIn(), await startSignIn()];
  const answer = await ask(page, 'get', mine.options);
  assertRefused(await signIn(answer, other.request_token));
  assertRefused(await signIn(answer, newToken().token));
  // Whoever tried has not used it up.
  assertSignedIn(await signIn(answer, mine.request_token));
});

test('an answer to a challenge that the server never gave is refused', async () => {
  const { page } = await createOwner();
  const { options, request_token } = await startSignIn();
  const own = { ...(options as Options), challenge: newToken().token };
  assertRefused(await signIn(await ask(page, 'get', own), request_token));
});

test('an answer is refused five minutes after the challenge', async () => {
  const { page } = await createOwner();
  const { options, request_token } = await startSignIn();
  const answer = await ask(page, 'get', options);
  await sql(`update passkey_challenge set ends_at = ends_at - interval '5 minutes'`);
  assertRefused(await signIn(answer, request_token));
});

test('an answer for one purpose is refused for every other', async () => {
  const { page, browser } = await createOwner();
  const proof = await call(browser, 'POST /session/confirm/passkey');
  const answer = await ask(page, 'get', proof.options);
  const { request_token } = await startSignIn();
  assertRefused(await signIn(answer, request_token));

  const { options } = await startSignIn();
  const passkey = await ask(page, 'get', options);
  assertRefused(await call(browser, 'POST /session/confirm', { passkey }));
  assert.equal((await call(browser, 'POST /session/confirm', { passkey: answer })).status, 200);
});

test('an answer that a page of another site got is refused', async () => {
  // Browsers let every port of a host ask for its passkeys; the origin is in what is signed.
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<title>Zhiber</title>');
  });
  after(() => foreign.close());
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  const { port } = foreign.address() as AddressInfo;
  const { page } = await createOwner();
  await page.goto(`http://localhost:${port}/`);
  const { options, request_token } = await startSignIn();
  const answer = await ask(page, 'get', options);
  assertRefused(await signIn(answer, request_token));
});

test('a passkey whose owner did not unlock it is refused', async () => {
  const { page } = await createOwner();
  const { options, request_token } = await startSignIn();
  assert.equal((options as Options).userVerification, 'required');
  const lax = { ...(options as Options), userVerification: 'discouraged' };
  const answer = (await ask(page, 'get', lax)) as { response: { authenticatorData: string } };
  const flags = Buffer.from(answer.response.authenticatorData, 'base64url')[32] as number;
  // The device unlocks itself although nobody asked: then there is nothing to refuse.
  assert.equal(flags & 0b100, 0, 'the device did not verify its owner');
  assertRefused(await signIn(answer, request_token));
});

test('a copy of a passkey is noticed by its counter', async () => {
  const { page, device } = await createOwner();
  const use = async () => {
    const { options, request_token } = await startSignIn();
    return await signIn(await ask(page, 'get', options), request_token);
  };
  assertSignedIn(await use());
  assertSignedIn(await use());
  const [credential] = await device.credentials();
  assert(credential !== undefined && credential.signCount >= 2);
  // As a copy from before would count: the next use says what the server has seen already.
  await device.replace({ ...credential, signCount: credential.signCount - 1 });
  assertRefused(await use());
});

test('a changed answer is refused', async () => {
  const { page } = await createOwner();
  const { options, request_token } = await startSignIn();
  const answer = (await ask(page, 'get', options)) as {
    response: { signature: string; userHandle: string };
  };
  const { response } = answer;
  const stranger = Buffer.from('somebody else').toString('base64url');
  const foreignHandle = { ...answer, response: { ...response, userHandle: stranger } };
  assertRefused(await signIn(foreignHandle, request_token));

  const again = await startSignIn();
  const other = (await ask(page, 'get', again.options)) as typeof answer;
  const { signature } = response;
  const swapped = { ...other, response: { ...other.response, signature } };
  assertRefused(await signIn(swapped, again.request_token));
});

test('a blocked person does not get in with a passkey', async () => {
  const { page, personId } = await createOwner();
  const person = { personId, name: 'Айгерим' };
  assert(await blockPerson(running().ctx, { person, reason: 'жалобы' }));
  const { options, request_token } = await startSignIn();
  assertRefused(await signIn(await ask(page, 'get', options), request_token), 'person_blocked');
});

test('the second step takes a passkey of the person who did the first, and of nobody else', async () => {
  const [victim, thief] = [await createOwner(), await createOwner()];
  const half = async ({ personId }: Owner) => {
    const { token, hash } = newToken();
    await sql(
      `insert into session (id, token_hash, person_id, expires_at)
       values ($1, $2, $3, clock_timestamp() + interval '1 hour')`,
      [newId(Date.now()), hash, personId],
    );
    return { cookie: `zhiber=${token}` };
  };
  const stolen = await half(victim);
  const { options } = await call(stolen, 'POST /sign-in/second-factor/passkey');
  const address = 'POST /sign-in/second-factor/passkey/answer';
  const ownPasskey = { ...(options as Options), allowCredentials: [] };
  const answer = await ask(thief.page, 'get', ownPasskey);
  assertRefused(await call(stolen, address, { answer }));
  assert.equal((await call(stolen, 'GET /session')).status, 401);

  const own = await half(victim);
  const challenge = await call(own, 'POST /sign-in/second-factor/passkey');
  const right = await ask(victim.page, 'get', challenge.options);
  // The same answer from another half of a sign-in.
  assertRefused(await call(await half(victim), address, { answer: right }));
  assertSignedIn(await call(own, address, { answer: right }));
});

test('a passkey is neither added nor removed with a cookie alone', async () => {
  const { browser, personId, page } = await createOwner();
  const { passkeys } = await call(browser, 'GET /profile/passkeys');
  const [{ id }] = passkeys as [{ id: string }];
  await sql('update session set proven_at = null where person_id = $1', [personId]);
  assertRefused(await call(browser, 'POST /profile/passkeys/start'), 'stale_sign_in');
  assertRefused(await call(browser, `DELETE /profile/passkeys/${id}`), 'stale_sign_in');

  const { options } = await call(browser, 'POST /session/confirm/passkey');
  const passkey = await ask(page, 'get', options);
  assert.equal((await call(browser, 'POST /session/confirm', { passkey })).status, 200);
  assert.equal((await call(browser, `DELETE /profile/passkeys/${id}`)).status, 200);
});

test('nobody renames or removes the passkey of another person', async () => {
  const [owner, other] = [await createOwner(), await createPerson()];
  const { passkeys } = await call(owner.browser, 'GET /profile/passkeys');
  const [{ id }] = passkeys as [{ id: string }];
  const renamed = await call(other.browser, `PUT /profile/passkeys/${id}`, { name: 'Моё' });
  assertRefused(renamed, 'not_found');
  assertRefused(await call(other.browser, `DELETE /profile/passkeys/${id}`), 'not_found');
  const after = await call(owner.browser, 'GET /profile/passkeys');
  assert.deepEqual(after.passkeys, passkeys);
});

test('a new passkey has to answer the challenge of its own session, once', async () => {
  const { page } = await open('/login');
  await plugIn(page);
  const [one, two] = [await createPerson(), await createPerson()];
  const { options } = await call(one.browser, 'POST /profile/passkeys/start');
  const answer = await ask(page, 'create', options);
  const body = { name: 'Ноутбук', answer };
  assertRefused(await call(two.browser, 'POST /profile/passkeys', body));
  assert.equal((await call(one.browser, 'POST /profile/passkeys', body)).status, 200);
  assertRefused(await call(one.browser, 'POST /profile/passkeys', body));
});

test('the first passkey ends the other sessions and gives recovery codes, the second neither', async () => {
  const { page } = await open('/login');
  await plugIn(page);
  const { browser, personId } = await createPerson();
  const startElsewhere = async () => {
    const { token, hash } = newToken();
    await sql(
      `insert into session (id, token_hash, person_id, second_factor_at, expires_at)
       values ($1, $2, $3, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
      [newId(Date.now()), hash, personId],
    );
    return { cookie: `zhiber=${token}` };
  };
  const recoveryCodes = () =>
    sql('select mac from recovery_code where person_id = $1 order by mac', [personId]);
  const before = await startElsewhere();
  const first = await addPasskey(page, browser);
  assert.equal((first.recovery_codes as string[]).length, 10);
  assert.equal((await call(before, 'GET /session')).status, 401);

  const codes = await recoveryCodes();
  const later = await startElsewhere();
  const other = await open('/login');
  await plugIn(other.page);
  const second = await addPasskey(other.page, browser);
  assert.deepEqual(second.recovery_codes, []);
  assert.deepEqual(await recoveryCodes(), codes);
  assert.equal((await call(later, 'GET /session')).status, 200);
});

test('a person has at most twenty passkeys, and an older challenge adds none beyond them', async () => {
  const { page } = await open('/login');
  await plugIn(page);
  const { browser, personId } = await createPerson();
  const { options } = await call(browser, 'POST /profile/passkeys/start');
  const answer = await ask(page, 'create', options);
  await sql(
    `insert into passkey (id, credential_id, person_id, name, public_key, counter)
     select $1 || n, $1 || n, $1, 'Ноутбук', '', 0 from generate_series(1, 20) n`,
    [personId],
  );
  await sql('update session set second_factor_at = clock_timestamp() where person_id = $1', [
    personId,
  ]);
  const body = { name: 'Ноутбук', answer };
  assertRefused(await call(browser, 'POST /profile/passkeys', body), 'too_many');
  assertRefused(await call(browser, 'POST /profile/passkeys/start'), 'too_many');
});
