import type { NewPasskeyAnswer, PasskeyAnswer } from '@zhiber/contract/cabinet/credentials.ts';
import type { Context } from '../context.ts';
import { newId, type PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { randomBytes } from '../random.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt } from './attempts.ts';
import type { CurrentUser, PersonInSession } from './current-user.ts';
import { type EventOrigin, recordChange } from './notices.ts';
import {
  CHALLENGE_SECONDS,
  type Challenge,
  deletePasskey,
  findPasskey,
  findPasskeysOf,
  insertChallenge,
  insertPasskey,
  recordUse,
  type StoredPasskey,
  setPasskeyName,
  takeChallenge,
} from './passkey-store.ts';
import { lockPerson, readPerson } from './person-store.ts';
import { type AlsoWritten, giveRecoveryCodes } from './second-factor.ts';
import { dropNeedlessRecoveryCodes, hasSecondFactor } from './second-factor-store.ts';
import { endOtherSessions, isOpenSession, passSecondFactor } from './session-store.ts';

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = CHALLENGE_SECONDS * 1_000;
/** Beyond what anybody has devices for. */
const PASSKEYS_MAX = 20;

/** Ed25519, ES256 and RS256: what devices have. By default the library tries experimental ones. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded on first use: it takes a quarter of a second, and most calls never need it. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** Options of WebAuthn in their JSON form. */
export type PasskeyOptions = Record<string, unknown>;

function newChallenge(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(CHALLENGE_BYTES));
}

/** Who asks for a challenge, and what for. The answer has to come with the same. */
type Asked = Omit<Challenge, 'challenge'>;
type AskedFrom = Asked & { address: string };

/** A challenge for a passkey of one person, or of anybody who has one for this site. */
export async function challengePasskey(
  accounts: Accounts,
  { address, ...asked }: AskedFrom,
): Promise<PasskeyOptions> {
  const { ctx } = accounts;
  await countAttempt(accounts, { what: 'passkey_challenge', address });
  const own = asked.personId === undefined ? [] : await findPasskeysOf(ctx.db, asked.personId);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: siteOf(ctx).rpId,
    challenge: newChallenge(),
    allowCredentials: own.map(descriptorOf),
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  });
  await insertChallenge(ctx.db, { ...asked, challenge: options.challenge });
  return { ...options };
}

/** Returns whose passkey it is, when the answer is right. It is right once. */
export async function checkPasskey(
  accounts: Accounts,
  answer: PasskeyAnswer,
  { address, ...asked }: AskedFrom,
): Promise<{ personId: PersonId; name: string }> {
  const { ctx } = accounts;
  await countAttempt(accounts, { what: 'passkey', address });
  const challenge = await takeAnswered(ctx, answer, asked);
  const passkey = await findPasskey(ctx.db, answer.id);
  if (passkey === undefined || !isAnswerOf(answer, passkey, asked)) throw refusal();
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { origin, rpId } = siteOf(ctx);
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(logRefusal(ctx));
  if (!checked?.verified) throw refusal();
  const counter = checked.authenticationInfo.newCounter;
  if (!(await recordUse(ctx.db, { id: passkey.id, counter }))) throw refusal();
  return { personId: passkey.personId, name: passkey.name };
}

/** Where a challenge was named for a person, only that person's passkey answers it. */
function isAnswerOf(answer: PasskeyAnswer, passkey: StoredPasskey, { personId }: Asked): boolean {
  const { userHandle } = answer.response;
  const isNamed = userHandle === undefined || fromBase64Url(userHandle) === passkey.personId;
  return isNamed && (personId === undefined || personId === passkey.personId);
}

/** Consumes the challenge that an answer names, before anything else of it is looked at. */
async function takeAnswered(
  { db }: Pick<Context, 'db'>,
  { response }: { response: { clientDataJSON: string } },
  asked: Asked,
): Promise<string> {
  const challenge = readChallenge(response.clientDataJSON);
  if (challenge === undefined || !(await takeChallenge(db, { ...asked, challenge }))) {
    throw refusal();
  }
  return challenge;
}

function readChallenge(clientDataJson: string): string | undefined {
  try {
    const { challenge } = JSON.parse(fromBase64Url(clientDataJson)) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}

function refusal(): Problem {
  return new Problem('passkey_refused');
}

/** The library throws on whatever does not fit; the person needs no details. */
function logRefusal({ log }: Pick<Context, 'log'>): (error: unknown) => undefined {
  return (error) => {
    log.info({ reason: error instanceof Error ? error.message : error }, 'a passkey was refused');
    return undefined;
  };
}

/** A passkey belongs to the host of the site, and signs for its origin. */
function siteOf({ urls }: Pick<Context, 'urls'>): { origin: string; rpId: string } {
  const { origin, hostname } = new URL(urls.publicUrl);
  return { origin, rpId: hostname };
}

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  return { id: credentialId, transports };
}

export async function listPasskeys(
  { db }: Pick<Context, 'db'>,
  { personId }: CurrentUser,
): Promise<StoredPasskey[]> {
  return await findPasskeysOf(db, personId);
}

/**
 * The options for a new passkey: kept by the device together with the name of the person, and
 * unlocked by a finger, a face or a PIN, so that it replaces a password and a second factor.
 */
export async function startPasskey(
  accounts: Accounts,
  { personId, sessionId }: PersonInSession,
  { address }: { address: string },
): Promise<PasskeyOptions> {
  const { ctx } = accounts;
  await countAttempt(accounts, { what: 'passkey_challenge', address });
  const [own, person] = await Promise.all([
    findPasskeysOf(ctx.db, personId),
    readPerson(ctx.db, personId),
  ]);
  if (own.length >= PASSKEYS_MAX) throw new Problem('too_many');
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: 'Zhiber',
    rpID: siteOf(ctx).rpId,
    userID: new Uint8Array(Buffer.from(personId)),
    userName: person.email ?? person.phone ?? person.name,
    userDisplayName: person.name,
    challenge: newChallenge(),
    excludeCredentials: own.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    timeout: TIMEOUT_MS,
  });
  const { challenge } = options;
  await insertChallenge(ctx.db, { challenge, use: 'new_passkey', browser: sessionId, personId });
  return { ...options };
}

/**
 * Stores a passkey. As the first second factor of a person it ends all other sessions, which have
 * passed none, and comes with recovery codes.
 */
export async function addPasskey(
  accounts: Accounts,
  user: PersonInSession,
  given: { name: string; answer: NewPasskeyAnswer; origin: EventOrigin } & AlsoWritten,
): Promise<string[]> {
  const { ctx } = accounts;
  const { personId, sessionId: browser } = user;
  const { answer, origin } = given;
  const name = given.name.trim();
  const { address } = origin;
  await countAttempt(accounts, { what: 'passkey', address });
  const credential = await checkNewPasskey(ctx, answer, { use: 'new_passkey', browser, personId });
  const id = newId(ctx.clock.now().getTime());
  const transports = answer.response.transports ?? [];
  const codes = await ctx.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    if ((await findPasskeysOf(tx, personId)).length >= PASSKEYS_MAX) throw new Problem('too_many');
    const isFirst = !(await hasSecondFactor(tx, personId));
    const passkey = { id, personId, name, transports, ...credential };
    if (!(await insertPasskey(tx, passkey))) throw refusal();
    await given.write?.(tx);
    // Somebody who has added the first one meanwhile has ended this session.
    if (!(await isOpenSession(tx, user))) throw new Problem('not_signed_in');
    if (!isFirst) return [];
    await passSecondFactor(tx, user);
    await endOtherSessions(tx, user);
    return await giveRecoveryCodes(ctx, tx, personId);
  });
  const old = await readPerson(ctx.db, personId);
  await recordChange(accounts, { personId, kind: 'passkey_added', detail: name, old, origin });
  return codes;
}

async function checkNewPasskey(
  ctx: Context,
  answer: NewPasskeyAnswer,
  asked: Asked,
): Promise<{ credentialId: string; publicKey: Buffer; counter: number }> {
  const challenge = await takeAnswered(ctx, answer, asked);
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { origin, rpId } = siteOf(ctx);
  const checked = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(logRefusal(ctx));
  if (!checked?.verified) throw refusal();
  const { id, publicKey, counter } = checked.registrationInfo.credential;
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
}

export async function renamePasskey(
  { db }: Pick<Context, 'db'>,
  { personId }: CurrentUser,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const isFound = await setPasskeyName(db, { personId, id, name: name.trim() });
  if (!isFound) throw new Problem('not_found');
}

/**
 * Removes a passkey and ends all other sessions: whoever has its device may have signed in with it.
 * A person who has to have a second factor and has none left is asked for a new one.
 */
export async function removePasskey(
  accounts: Accounts,
  user: CurrentUser,
  { id, origin }: { id: string; origin: EventOrigin },
): Promise<void> {
  const { ctx } = accounts;
  const { personId } = user;
  const removed = await ctx.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    const passkey = await deletePasskey(tx, personId, id);
    if (passkey === undefined) throw new Problem('not_found');
    await dropNeedlessRecoveryCodes(tx, personId);
    await endOtherSessions(tx, user);
    return passkey;
  });
  const old = await readPerson(ctx.db, personId);
  const detail = removed.name;
  await recordChange(accounts, { personId, kind: 'passkey_removed', detail, old, origin });
}
