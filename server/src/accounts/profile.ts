import type { PasskeyAnswer } from '@zhiber/contract/cabinet/credentials.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { findBalance } from '../billing/ledger-store.ts';
import { findCompany } from '../company/company-store.ts';
import { welcomeAfterPhone } from '../company/create-company-for-owner.ts';
import type { Context } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt, endAttempts } from './attempts.ts';
import { assertProven, type CurrentUser } from './current-user.ts';
import { type EventOrigin, maskContact, recordChange } from './notices.ts';
import { challengePasskey, checkPasskey, type PasskeyOptions } from './passkeys.ts';
import {
  findPasswordHash,
  listCompanies,
  type Person,
  readPerson,
  setPasswordHash,
  setPhone,
  updateProfile,
} from './person-store.ts';
import { checkPhoneCode } from './phone-codes.ts';
import { checkSecondFactor } from './second-factor.ts';
import { endOtherSessions, recordProof } from './session-store.ts';

export type Profile = {
  person: Person;
  companies: { id: CompanyId; name: string; role: Role }[];
  /** Of the current company. */
  balance: number;
};

export async function changeProfile(
  { db }: Pick<Context, 'db'>,
  { personId }: CurrentUser,
  { name, language }: { name?: string | undefined; language?: Lang | undefined },
): Promise<void> {
  await updateProfile(db, personId, { name: name?.trim(), language });
}

/**
 * A person as they see themselves, with all their companies. An operator who looks at a cabinet has
 * that company alone.
 */
export async function readProfile(
  { db }: Pick<Context, 'db'>,
  { personId, membership, viewUntil }: CurrentUser,
): Promise<Profile> {
  const [person, companies, balance] = await Promise.all([
    readPerson(db, personId),
    viewUntil === undefined ? listCompanies(db, personId) : listViewed(db, membership),
    membership && findBalance(db, membership.companyId),
  ]);
  return { person, companies, balance: balance ?? 0 };
}

async function listViewed(
  sql: Sql,
  membership: CurrentUser['membership'],
): Promise<Profile['companies']> {
  const company = membership && (await findCompany(sql, membership.companyId));
  return company === undefined ? [] : [{ id: company.id, name: company.name, role: 'viewer' }];
}

/** Changes the phone, after a right code from it. Throws when another account has that phone. */
export async function changePhone(
  accounts: Accounts,
  { personId, sessionId }: CurrentUser,
  typed: { phone: string; code: string; origin: EventOrigin },
): Promise<void> {
  const { ctx } = accounts;
  const use = 'cabinet-phone';
  const old = await readPerson(ctx.db, personId);
  const phone = await checkPhoneCode(accounts, { ...typed, use, browser: sessionId });
  await setPhone(ctx.db, personId, phone).catch((error: unknown) => {
    throw isUniqueViolation(error, 'person_phone_key') ? new Problem('contact_taken') : error;
  });
  const detail = maskContact({ phone });
  const { origin } = typed;
  await recordChange(accounts, { personId, kind: 'phone_changed', detail, old, origin });
  await welcomeAfterPhone(ctx, personId);
}

/**
 * Requires the current password, or without one a proof of identity just before. Ends all other
 * sessions.
 */
export async function changePassword(
  accounts: Accounts,
  user: CurrentUser,
  typed: { current?: string | undefined; password: string; origin: EventOrigin },
): Promise<void> {
  const { ctx, passwords } = accounts;
  const { personId } = user;
  const { origin } = typed;
  const old = await readPerson(ctx.db, personId);
  const { address } = origin;
  if (old.hasPassword) {
    await checkPassword(accounts, user, { password: typed.current ?? '', address });
  } else {
    assertProven(ctx, user);
  }
  await passwords.refuseGuessable({ password: typed.password, person: old, address });
  const hash = await passwords.hash({ password: typed.password, address });
  await ctx.db.transaction(async (tx) => {
    await setPasswordHash(tx, personId, hash);
    await endOtherSessions(tx, user);
  });
  await recordChange(accounts, { personId, kind: 'password_changed', old, origin });
}

export type Proof = {
  password?: string | undefined;
  code?: string | undefined;
  isRecoveryCode?: boolean | undefined;
  passkey?: PasskeyAnswer | undefined;
};

/**
 * Confirms the identity of the signed-in person again. With a second factor on, only that proves
 * it: whoever has the cookie may have the password or the phone, too. Otherwise the password does,
 * or a code to the phone.
 */
export async function confirmIdentity(
  accounts: Accounts,
  user: CurrentUser,
  proof: Proof & { origin: EventOrigin },
): Promise<void> {
  const { password, code, isRecoveryCode = false, passkey, origin } = proof;
  const { address, device } = origin;
  const { personId, sessionId } = user;
  const { phone, hasSecondFactor } = await readPerson(accounts.ctx.db, personId);
  if (hasSecondFactor) {
    if (passkey !== undefined) await checkPasskey(accounts, passkey, proofOf(user, address));
    else if (code === undefined) throw missingCode();
    else await checkSecondFactor(accounts, { personId, address, device }, { code, isRecoveryCode });
  } else if (password !== undefined) {
    await checkPassword(accounts, user, { password, address });
  } else if (code !== undefined && phone !== null) {
    await checkPhoneCode(accounts, { phone, code, use: 'cabinet-confirm', browser: sessionId });
  } else throw missingCode();
  await recordProof(accounts.ctx.db, user);
}

/** A challenge to confirm the identity with a passkey. */
export async function startPasskeyProof(
  accounts: Accounts,
  user: CurrentUser,
  { address }: { address: string },
): Promise<PasskeyOptions> {
  return await challengePasskey(accounts, proofOf(user, address));
}

function proofOf({ sessionId, personId }: CurrentUser, address: string) {
  return { use: 'proof', browser: sessionId, personId, address } as const;
}

function missingCode(): Problem {
  return new Problem('validation_error', { errors: { code: ['Обязательное поле'] } });
}

/** Returns when this is the password of the signed-in person. A wrong one costs an attempt. */
async function checkPassword(
  accounts: Accounts,
  { personId }: CurrentUser,
  typed: { password: string; address: string },
): Promise<void> {
  const { ctx, passwords } = accounts;
  const attempts = { what: 'password', account: personId, address: typed.address } as const;
  const isRight = await passwords.verify({
    ...typed,
    async findHash() {
      await countAttempt(accounts, attempts);
      return await findPasswordHash(ctx.db, personId);
    },
  });
  if (!isRight) throw new Problem('wrong_credentials');
  await endAttempts(ctx, attempts);
}
