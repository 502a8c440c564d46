import type { Lang } from '@zhiber/contract/languages.ts';
import type { Transaction } from '../db/database.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type MessageId, newId, type PersonId } from '../ids.ts';
import { letterOf } from '../mail/letters.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt } from './attempts.ts';
import { refuseCommon } from './common-passwords.ts';
import type { CurrentUser } from './current-user.ts';
import {
  dropLinksOf,
  insertLink,
  insertResetLink,
  isOpenLink,
  type TakenLink,
  takeLink,
} from './letter-link-store.ts';
import { addByEmail, isKnownEmail, readPerson, setEmail, setPasswordHash } from './person-store.ts';
import { endAllSessions } from './session-store.ts';
import { type Caller, type Started, startSession } from './sessions.ts';

export type SignUp = { name: string; email: string; password: string; language: Lang };

/**
 * Only sends a letter. The account is created when its link is opened, with the name and password
 * of that letter. An address that already has an account gets a different letter, and the caller
 * cannot tell.
 */
export async function signUpByEmail(
  accounts: Accounts,
  typed: SignUp,
  address: string,
): Promise<void> {
  const { ctx, mailer, passwords } = accounts;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  refuseCommon(typed.password);
  passwords.refuseWhenFull();
  await countAttempt(accounts, { what: 'letter', account: email, address });
  const { token, hash: tokenHash } = newToken();
  const hash = await passwords.hash(typed.password);
  await insertLink(ctx.db, tokenHash, { ...typed, kind: 'sign_up', email, hash });
  await sendConfirmation(accounts, {
    letter: 'confirm_address',
    email,
    language: typed.language,
    token,
  });
}

/** Sends a letter to the new address, which takes effect once its link is opened. */
export async function changeEmail(
  accounts: Accounts,
  { personId }: CurrentUser,
  typed: { email: string; language: Lang; address: string },
): Promise<void> {
  const { ctx, mailer } = accounts;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countAttempt(accounts, { what: 'letter', account: email, address: typed.address });
  const { token, hash } = newToken();
  await insertLink(ctx.db, hash, { kind: 'new_email', email, personId });
  const language = (await readPerson(ctx.db, personId)).language ?? typed.language;
  await sendConfirmation(accounts, { letter: 'new_address', email, language, token });
}

/** An address that already has an account gets a letter that leads to the sign-in. */
async function sendConfirmation(
  { ctx, mailer }: Accounts,
  {
    letter,
    email,
    language,
    token,
  }: {
    letter: 'confirm_address' | 'new_address';
    email: string;
    language: Lang;
    token: string;
  },
): Promise<void> {
  const { publicUrl } = ctx.urls;
  const isKnown = await isKnownEmail(ctx.db, email);
  const link = isKnown ? `${publicUrl}/login` : `${publicUrl}/confirm-email?token=${token}`;
  mailer.send(letterOf(isKnown ? 'known_address' : letter, language, { to: email, link }));
}

/**
 * Handles the link of a letter. A new account is signed in. A new address of an existing account is
 * confirmed only by its signed-in owner: a mistyped address must not open the account to a
 * stranger.
 */
export async function confirmEmail(
  accounts: Accounts,
  { token, user }: { token: string; user: CurrentUser | undefined },
  caller: Caller,
): Promise<Started | undefined> {
  const { ctx } = accounts;
  const id = newId(ctx.clock.now().getTime());
  const userId = user?.personId ?? null;
  const confirmed = ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { token, kinds: ['sign_up', 'new_email'], userId });
    if (link === undefined) return undefined;
    return link.kind === 'sign_up' ? await addPerson(tx, id, link) : await moveAddress(tx, link);
  });
  const added = await confirmed.catch((error: unknown) => {
    if (isUniqueViolation(error, 'person_email_key')) return undefined;
    throw error;
  });
  if (added !== undefined) {
    const { personId } = added;
    return added.isNew ? await startSession(accounts, caller, { personId }) : undefined;
  }
  const isForOther = await isOpenLink(ctx.db, token, 'new_email');
  throw new Problem(isForOther && user === undefined ? 'not_signed_in' : 'link_ended');
}

type Confirmed = { personId: PersonId; isNew: boolean } | undefined;

async function addPerson(tx: Transaction, id: MessageId, link: TakenLink): Promise<Confirmed> {
  const { email, name, language, password_hash: hash } = link;
  const personId = await addByEmail(tx, {
    id,
    email,
    name: name as string,
    passwordHash: hash as string,
    language,
  });
  return personId && { personId, isNew: true };
}

async function moveAddress(tx: Transaction, link: TakenLink): Promise<Confirmed> {
  const personId = link.person_id as PersonId;
  await setEmail(tx, personId, link.email);
  await dropLinksOf(tx, personId);
  return { personId, isNew: false };
}

/** Sends a letter if the address has an account; the caller cannot tell. */
export async function forgotPassword(
  accounts: Accounts,
  typed: { email: string; language: Lang },
  address: string,
): Promise<void> {
  const { ctx, mailer } = accounts;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countAttempt(accounts, { what: 'letter', account: email, address });
  const { token, hash } = newToken();
  const known = await insertResetLink(ctx.db, hash, email);
  if (known === undefined) return;
  const link = `${ctx.urls.publicUrl}/reset-password?token=${token}`;
  mailer.send(letterOf('new_password', known.language ?? typed.language, { to: email, link }));
}

/** Ends every session and does not sign in, so that the next sign-in asks for the second factor. */
export async function resetPassword(
  { ctx, passwords }: Accounts,
  { token, password }: { token: string; password: string },
): Promise<void> {
  refuseCommon(password);
  // A hash is expensive, so the link is checked first.
  if (!(await isOpenLink(ctx.db, token, 'new_password'))) throw new Problem('link_ended');
  const hash = await passwords.hash(password);
  await ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { token, kinds: ['new_password'], userId: null });
    const personId = link?.person_id;
    if (!personId) throw new Problem('link_ended');
    await setPasswordHash(tx, personId, hash);
    await dropLinksOf(tx, personId);
    await endAllSessions(tx, personId);
  });
}
