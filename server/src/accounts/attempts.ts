import type { Context } from '../context.ts';
import { letterOf } from '../mail/letters.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';
import { forgetAttempts, takeAttempt } from './attempt-store.ts';
import { findByAccount } from './person-store.ts';

const QUARTER = 15 * 60;
const HOUR = 3600;

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
  /**
   * Limited because of their cost, not as guesses: each sends a message or a letter. An office
   * shares an address.
   */
  phone_code: { address: { max: 30, seconds: HOUR } },
  letter: { address: { max: 20, seconds: HOUR }, account: { max: 5, seconds: HOUR } },
} as const;

type Attempts = {
  what: keyof typeof LIMITS;
  /** A person id, or the e-mail address they sign in with. */
  account: string;
  address: string;
};

type Ctx = Pick<Context, 'db' | 'secrets'>;

/** Counts an attempt before it is made. Past the limits, throws `sign_in_limited`. */
export async function countAttempt(
  accounts: Pick<Accounts, 'ctx' | 'mailer'>,
  attempts: Attempts,
): Promise<void> {
  const { ctx } = accounts;
  for (const [by, limit] of Object.entries(LIMITS[attempts.what])) {
    const subject = subjectOf(ctx, attempts, by as By);
    const { waitSeconds } = await takeAttempt(ctx.db, { subject, ...limit });
    if (waitSeconds === 0) continue;
    const isGuess = attempts.what === 'password' || attempts.what === 'second_factor';
    // An attacker who tries many accounts from one address must not trigger letters to all of them.
    if (isGuess && by !== 'address') await warnOfAttempts(accounts, attempts.account);
    throw new Problem('sign_in_limited', { retry_after: waitSeconds });
  }
}

/** A success resets the count of this account at this address, and no other. */
export async function endAttempts(ctx: Ctx, attempts: Attempts): Promise<void> {
  await forgetAttempts(ctx.db, subjectOf(ctx, attempts, 'together'));
}

type By = 'together' | 'account' | 'address';

function subjectOf({ secrets }: Ctx, { what, account, address }: Attempts, by: By): Buffer {
  const parts = { together: [account, address], account: [account], address: [address] }[by];
  return secrets.macOfProof('attempt to sign in', JSON.stringify([what, by, ...parts]));
}

const DAY = 24 * 3600;

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
