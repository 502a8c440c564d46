import type { Lang } from '@zhiber/contract/languages.ts';
import { mailboxOf } from '@zhiber/contract/mail-address.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type CompanyId, newId } from '../ids.ts';
import { letterOf } from '../mail/letters.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import type { Accounts } from './accounts.ts';
import { countAttempt } from './attempts.ts';
import { browserHash } from './browser-hash.ts';
import type { CurrentUser } from './current-user.ts';
import {
  dropLinksOf,
  findLinkOwner,
  insertLink,
  insertResetLink,
  takeLink,
} from './letter-link-store.ts';
import { type EventOrigin, maskContact, recordChange } from './notices.ts';
import { addByEmail, isKnownEmail, readPerson, setEmail, setPasswordHash } from './person-store.ts';
import { endAllSessions } from './session-store.ts';
import { type Caller, type Started, startSession } from './sessions.ts';

export type SignUp = AskedLetter & { name: string };

/** A letter to whoever owns the address, and the secret of the browser that asks for it. */
type AskedLetter = { email: string; language: Lang; browser?: string | undefined };

/**
 * Only sends a letter. The account is created when its link is opened, with a password that is
 * chosen there: whoever typed the address may not be its owner. An address that already has an
 * account gets a different letter, and the caller cannot tell.
 */
export async function signUpByEmail(
  accounts: Accounts,
  typed: SignUp,
  address: string,
): Promise<void> {
  const { ctx, mailer } = accounts;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countLetter(accounts, { email, address });
  const { token, hash } = newToken();
  const { name, language } = typed;
  await insertLink(ctx.db, hash, { kind: 'sign_up', email, name, language });
  await sendConfirmation(accounts, {
    letter: 'confirm_address',
    page: 'finish-sign-up',
    email,
    language,
    token,
    browser: typed.browser,
  });
}

/** Creates the account of a letter and signs in. A link works once. */
export async function finishSignUp(
  accounts: Accounts,
  { token, password }: { token: string; password: string },
  caller: Caller,
): Promise<Started> {
  const { ctx, passwords } = accounts;
  // A hash is expensive, so the link is checked first.
  const person = await findLinkOwner(ctx.db, token, 'sign_up');
  if (person === undefined) throw new Problem('link_ended');
  await passwords.refuseGuessable({ password, person, address: caller.address });
  const passwordHash = await passwords.hash({ password, address: caller.address });
  const id = newId(ctx.clock.now().getTime());
  const personId = await ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { token, kind: 'sign_up', userId: null });
    if (link === undefined) return undefined;
    const { email, name, language } = link;
    return await addByEmail(tx, { id, email, name: name as string, passwordHash, language });
  });
  if (personId === undefined) throw new Problem('link_ended');
  return await startSession(accounts, caller, { personId });
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
  await countLetter(accounts, { email, address: typed.address });
  const { token, hash } = newToken();
  await insertLink(ctx.db, hash, { kind: 'new_email', email, personId });
  const language = (await readPerson(ctx.db, personId)).language ?? typed.language;
  const page = 'confirm-email';
  await sendConfirmation(accounts, { letter: 'new_address', page, email, language, token });
}

/** Limits letters to a mailbox, however its address is spelled, and from a network. */
async function countLetter(
  accounts: Accounts,
  { email, address }: { email: string; address: string },
): Promise<void> {
  await countAttempt(accounts, { what: 'letter', account: mailboxOf(email), address });
}

/** An address that already has an account gets a letter that leads to the sign-in. */
async function sendConfirmation(
  { ctx, mailer }: Accounts,
  {
    letter,
    page,
    email,
    language,
    token,
    browser,
  }: {
    letter: 'confirm_address' | 'new_address';
    page: 'finish-sign-up' | 'confirm-email';
    email: string;
    language: Lang;
    token: string;
    browser?: string | undefined;
  },
): Promise<void> {
  const { publicUrl } = ctx.urls;
  const isKnown = await isKnownEmail(ctx.db, email);
  const link = isKnown ? `${publicUrl}/login` : `${publicUrl}/${page}?token=${token}`;
  const askedBy = browser && browserHash(browser);
  const kind = isKnown ? 'known_address' : letter;
  mailer.send({ ...letterOf(kind, language, { to: email, link }), askedBy });
}

/**
 * Takes over the new address of an account. Only its signed-in owner can: a mistyped address must
 * not open the account to a stranger.
 */
export async function confirmNewEmail(
  accounts: Accounts,
  { personId }: CurrentUser,
  { token, origin }: { token: string; origin: EventOrigin },
): Promise<void> {
  const { ctx } = accounts;
  const old = await readPerson(ctx.db, personId);
  const email = await ctx.db
    .transaction(async (tx) => {
      const link = await takeLink(tx, { token, kind: 'new_email', userId: personId });
      if (link === undefined) return undefined;
      await setEmail(tx, personId, link.email);
      await dropLinksOf(tx, personId);
      return link.email;
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'person_email_key')) return undefined;
      throw error;
    });
  if (email === undefined) throw new Problem('link_ended');
  const detail = maskContact({ email });
  await recordChange(accounts, { personId, kind: 'email_changed', detail, old, origin });
}

/** Limits letters to people who did not ask for them. */
export async function countInvitation(
  accounts: Accounts,
  { email, companyId }: { email: string; companyId: CompanyId },
  address: string,
): Promise<void> {
  const account = mailboxOf(email);
  await countAttempt(accounts, { what: 'invitation', account, address, company: companyId });
}

/** The letter has the name of a company in it. */
export function sendInvitation(
  { mailer }: Accounts,
  letter: { email: string; link: string; company: string; language: Lang },
): void {
  const { email, link, company, language } = letter;
  mailer.send(letterOf('invitation', language, { to: email, link, company }));
}

/** Sends a letter if the address has an account; the caller cannot tell. */
export async function forgotPassword(
  accounts: Accounts,
  typed: AskedLetter,
  address: string,
): Promise<void> {
  const { ctx, mailer } = accounts;
  if (!mailer.isOn) throw new Problem('not_found');
  const email = typed.email.toLowerCase();
  await countLetter(accounts, { email, address });
  const { token, hash } = newToken();
  const known = await insertResetLink(ctx.db, hash, email);
  if (known === undefined) return;
  const link = `${ctx.urls.publicUrl}/reset-password?token=${token}`;
  const askedBy = typed.browser && browserHash(typed.browser);
  const language = known.language ?? typed.language;
  mailer.send({ ...letterOf('new_password', language, { to: email, link }), askedBy });
}

/** Ends every session and does not sign in, so that the next sign-in asks for the second factor. */
export async function resetPassword(
  accounts: Accounts,
  { token, password, origin }: { token: string; password: string; origin: EventOrigin },
): Promise<void> {
  const { ctx, passwords } = accounts;
  // A hash is expensive, so the link is checked first.
  const person = await findLinkOwner(ctx.db, token, 'new_password');
  if (person === undefined) throw new Problem('link_ended');
  await passwords.refuseGuessable({ password, person, address: origin.address });
  const hash = await passwords.hash({ password, address: origin.address });
  const personId = await ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { token, kind: 'new_password', userId: null });
    const personId = link?.person_id;
    if (!personId) throw new Problem('link_ended');
    await setPasswordHash(tx, personId, hash);
    await dropLinksOf(tx, personId);
    await endAllSessions(tx, personId);
    return personId;
  });
  const old = await readPerson(ctx.db, personId);
  await recordChange(accounts, { personId, kind: 'password_reset', old, origin });
}
