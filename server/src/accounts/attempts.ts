import { networksOf } from '../abuse/network.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { letterOf } from '../mail/letters.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';
import { type Allowance, forgetAttempts, takeAttempt } from './attempt-store.ts';
import { findByAccount } from './person-store.ts';

const QUARTER = 15 * 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Rate limits. Guesses at an account have a low limit per IP address and a high one over all
 * addresses, so that an attacker elsewhere cannot lock the owner out. All limits pass with time.
 * The owner of the account gets a warning.
 */
const LIMITS = {
  password: {
    together: { max: 10, seconds: QUARTER },
    account: { max: 100, seconds: HOUR },
    address: { max: 200, seconds: HOUR },
  },
  second_factor: { together: { max: 5, seconds: QUARTER }, account: { max: 20, seconds: HOUR } },
  /** Guesses at the codes that a browser has asked for. */
  phone_guess: { together: { max: 15, seconds: QUARTER }, address: { max: 60, seconds: HOUR } },
  /** A passkey cannot be guessed. The limits are for the rows and the signatures they cost. */
  passkey: { address: { max: 200, seconds: HOUR } },
  passkey_challenge: { address: { max: 300, seconds: HOUR } },
  /**
   * Limited because of their cost, not as guesses: each sends a message or a letter. An office
   * shares an address. One network cannot use up what a phone may get in an hour.
   */
  phone_code: { together: { max: 4, seconds: HOUR }, address: { max: 30, seconds: HOUR } },
  letter: { address: { max: 20, seconds: HOUR }, account: { max: 5, seconds: HOUR } },
  /** Letters with a text of a company, to people who did not ask for them. */
  invitation: {
    address: { max: 20, seconds: HOUR },
    account: { max: 3, seconds: DAY },
    company: { max: 50, seconds: DAY },
  },
  /** Letters with a paper of a company; the account is the person who sends it. */
  paper: { account: { max: 20, seconds: HOUR }, company: { max: 100, seconds: DAY } },
} as const satisfies Record<string, Partial<Record<By, { max: number; seconds: number }>>>;

type Attempts = {
  what: keyof typeof LIMITS;
  /** A person id, the e-mail address they sign in with, or the phone or mailbox written to. */
  account?: string;
  address: string;
  company?: CompanyId;
};

type Ctx = Pick<Context, 'db' | 'secrets'>;

/** Counts an attempt before it is made. Past the limits, throws `sign_in_limited`. */
export async function countAttempt(
  accounts: Pick<Accounts, 'ctx' | 'mailer'>,
  attempts: Attempts,
): Promise<void> {
  const { ctx } = accounts;
  for (const { by, subject, max, seconds } of allowancesOf(ctx, attempts)) {
    const { waitSeconds } = await takeAttempt(ctx.db, { subject, max, seconds });
    if (waitSeconds === 0) continue;
    const { what, account } = attempts;
    const isGuess = what === 'password' || what === 'second_factor';
    // An attacker who tries many accounts from one address must not trigger letters to all of them.
    if (isGuess && by !== 'address' && account !== undefined)
      await warnOfAttempts(accounts, account);
    throw new Problem('sign_in_limited', { retry_after: waitSeconds });
  }
}

/** A success resets the count of this account at this address, and no other. */
export async function endAttempts(ctx: Ctx, attempts: Attempts): Promise<void> {
  for (const { by, subject } of allowancesOf(ctx, attempts)) {
    if (by === 'together') await forgetAttempts(ctx.db, subject);
  }
}

/** An account at an address, an account anywhere, an address, or a company. */
type By = 'together' | 'account' | 'address' | 'company';

/** Each limit that applies. An address counts for every network that it is in. */
function allowancesOf(
  { secrets }: Ctx,
  { what, account, address, company }: Attempts,
): (Allowance & { by: By })[] {
  const limits: Partial<Record<By, { max: number; seconds: number }>> = LIMITS[what];
  const nameOf = (by: By, parts: unknown[]) =>
    secrets.macOfProof('attempt to sign in', JSON.stringify([what, by, ...parts]));
  const networks = networksOf(address);
  const subjectsOf: Record<By, () => { parts: unknown[]; size: number }[]> = {
    account: () => [{ parts: [account], size: 1 }],
    company: () => [{ parts: [company], size: 1 }],
    address: () => networks.map(({ name, size }) => ({ parts: [name], size })),
    together: () => networks.map(({ name, size }) => ({ parts: [account, name], size })),
  };
  return (Object.keys(limits) as By[]).flatMap((by) => {
    const { max, seconds } = limits[by] as { max: number; seconds: number };
    return subjectsOf[by]().map(({ parts, size }) => {
      return { by, subject: nameOf(by, parts), max: max * size, seconds };
    });
  });
}

/** Warns the owner of an account by letter, once a day. An unknown account costs the same work. */
async function warnOfAttempts(
  { ctx, mailer }: Pick<Accounts, 'ctx' | 'mailer'>,
  account: string,
): Promise<void> {
  const subject = ctx.secrets.macOfProof('warning of attempts', account);
  const { waitSeconds } = await takeAttempt(ctx.db, { subject, max: 1, seconds: DAY });
  const person = await findByAccount(ctx.db, account);
  if (waitSeconds > 0 || person === undefined || !mailer.isOn) return;
  const link = `${ctx.urls.publicUrl}/app/profile`;
  mailer.send(letterOf('attempts', person.language ?? 'ru', { to: person.email, link }));
}
