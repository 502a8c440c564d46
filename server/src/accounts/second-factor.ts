import { Secret, TOTP } from 'otpauth';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type PersonId, randomText } from '../ids.ts';
import { readCode } from '../otp/code.ts';
import { Problem } from '../problem.ts';
import { randomBytes } from '../random.ts';
import type { Secrets } from '../secrets.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt, endAttempts } from './attempts.ts';
import type { CurrentUser, PersonInSession } from './current-user.ts';
import { type EventOrigin, recordChange } from './notices.ts';
import { lockPerson, readPerson } from './person-store.ts';
import {
  dropNeedlessRecoveryCodes,
  findSecret,
  prepareSecret,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
  turnOff,
  turnOn,
} from './second-factor-store.ts';
import { insertSecurityEvent } from './security-event-store.ts';
import { endOtherSessions, isOpenSession, passSecondFactor } from './session-store.ts';

const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const CODE = /^[0-9]{6}$/;
/** A clock may be one step off, either way. */
const DRIFT_STEPS = 1;

/** Creates a secret for the app. Two-factor sign-in stays off until its first code is confirmed. */
export async function startSecondFactor(
  { ctx }: Accounts,
  personId: PersonId,
): Promise<{ secret: string; uri: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  const isPrepared = await prepareSecret(ctx.db, { personId, sealed: ctx.secrets.seal(secret) });
  if (!isPrepared) throw new Problem('validation_error');
  const { email, phone, name } = await readPerson(ctx.db, personId);
  const totp = totpOf(secret, email ?? phone ?? name);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** A record of the change by somebody else, in its transaction. */
export type AlsoWritten = { write?: ((tx: Transaction) => Promise<void>) | undefined };

/** Turns two-factor sign-in on and ends all other sessions. Returns the recovery codes. */
export async function confirmSecondFactor(
  accounts: Accounts,
  user: PersonInSession,
  { code: typedCode, origin, write }: { code: string; origin: EventOrigin } & AlsoWritten,
): Promise<string[]> {
  const { ctx } = accounts;
  const { personId } = user;
  const { address } = origin;
  const attempts = { what: 'second_factor', account: personId, address } as const;
  await countAttempt(accounts, attempts);
  const found = await findSecret(ctx.db, personId);
  if (found === undefined || found.isOn) throw new Problem('not_found');
  const { sealed } = found;
  const step = matchStep(ctx.secrets.unseal(sealed), readCode(typedCode), ctx.clock.now());
  if (step === undefined) throw new Problem('wrong_code');

  const codes = await ctx.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    // Somebody who has added another factor meanwhile has ended this session.
    if (!(await isOpenSession(tx, user))) throw new Problem('not_signed_in');
    if (!(await turnOn(tx, { personId, sealed, step }))) throw new Problem('not_found');
    await write?.(tx);
    await passSecondFactor(tx, user);
    await endOtherSessions(tx, user);
    return await giveRecoveryCodes(ctx, tx, personId);
  });
  await endAttempts(ctx, attempts);
  await insertSecurityEvent(ctx.db, { personId, kind: 'second_factor_on', origin });
  return codes;
}

/**
 * Turns the app with codes off and ends all other sessions. Without a passkey, that ends two-factor
 * sign-in and its recovery codes.
 */
export async function endSecondFactor(
  accounts: Accounts,
  user: CurrentUser,
  origin: EventOrigin,
): Promise<void> {
  const { ctx } = accounts;
  const { personId } = user;
  await ctx.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    await turnOff(tx, personId);
    await dropNeedlessRecoveryCodes(tx, personId);
    await endOtherSessions(tx, user);
  });
  const old = await readPerson(ctx.db, personId);
  await recordChange(accounts, { personId, kind: 'second_factor_off', old, origin });
}

export type SecondProof = { code: string; isRecoveryCode: boolean };

/** Returns when the proof is right, and consumes it. A wrong one costs an attempt. */
export async function checkSecondFactor(
  accounts: Pick<Accounts, 'ctx' | 'mailer'>,
  { personId, ...origin }: { personId: PersonId; address: string; device: string },
  { code, isRecoveryCode }: SecondProof,
): Promise<void> {
  const { address } = origin;
  const attempts = { what: 'second_factor', account: personId, address } as const;
  const { ctx } = accounts;
  await countAttempt(accounts, attempts);
  const isRight = isRecoveryCode
    ? await takeRecoveryCode(ctx.db, personId, macOfRecoveryCode(ctx.secrets, code))
    : await takeCode(ctx, personId, readCode(code));
  if (!isRight) throw new Problem('wrong_code');
  await endAttempts(ctx, attempts);
  if (!isRecoveryCode) return;
  await insertSecurityEvent(ctx.db, { personId, kind: 'recovery_code_used', origin });
}

async function takeCode(
  { db, secrets, clock }: Pick<Context, 'db' | 'secrets' | 'clock'>,
  personId: PersonId,
  code: string,
): Promise<boolean> {
  const found = await findSecret(db, personId);
  if (found === undefined) return false;
  const step = matchStep(secrets.unseal(found.sealed), code, clock.now());
  return step !== undefined && (await takeStep(db, personId, step));
}

/** What every app supports: SHA-1, six digits, 30 seconds (RFC 6238). */
function totpOf(secretHex: string, account = ''): TOTP {
  return new TOTP({
    issuer: 'Zhiber',
    label: account,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromHex(secretHex),
  });
}

/** The time step of a code, if it is valid now; undefined for a wrong code. */
export function matchStep(secretHex: string, code: string, now: Date): number | undefined {
  // The library throws on a code of another length.
  if (!CODE.test(code)) return undefined;
  const timestamp = now.getTime();
  const drift = totpOf(secretHex).validate({ token: code, timestamp, window: DRIFT_STEPS });
  return drift === null ? undefined : Math.floor(timestamp / 1_000 / STEP_SECONDS) + drift;
}

// Without letters and digits that are easily confused.
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const RECOVERY_CODES = 10;
const HALF_LENGTH = 5;

/** New recovery codes in place of earlier ones. They are returned only here. */
export async function giveRecoveryCodes(
  { secrets }: Pick<Context, 'secrets'>,
  tx: Transaction,
  personId: PersonId,
): Promise<string[]> {
  const half = () => randomText(RECOVERY_ALPHABET, HALF_LENGTH);
  const codes = Array.from({ length: RECOVERY_CODES }, () => `${half()}-${half()}`);
  const macs = codes.map((code) => macOfRecoveryCode(secrets, code));
  await replaceRecoveryCodes(tx, personId, macs);
  return codes;
}

/** Ignores case, spaces and the dash. */
function macOfRecoveryCode(secrets: Secrets, typed: string): Buffer {
  return secrets.macOfProof('recovery code', typed.toLowerCase().replaceAll(/[\s-]/g, ''));
}
