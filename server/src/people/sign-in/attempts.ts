import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { forgetAttempts, takeAttempt } from './attempt-store.ts';
import { warnOfAttempts } from './warn-of-attempts.ts';

const QUARTER = 15 * 60;
const HOUR = 3600;

/**
 * How often something may be tried. What guesses at an account is narrow from one address, and wide
 * from all of them together, so that nobody is kept out of their own account by somebody elsewhere.
 * All of it passes with time. Whose account is guessed at is told.
 */
const LIMITS = {
  password: {
    together: { max: 10, seconds: QUARTER },
    account: { max: 100, seconds: HOUR },
    address: { max: 200, seconds: HOUR },
  },
  second_factor: { together: { max: 5, seconds: QUARTER }, account: { max: 20, seconds: HOUR } },
  /**
   * Not guesses but what they cost: a message of ours, or a letter to somebody. An office shares an
   * address.
   */
  phone_code: { address: { max: 30, seconds: HOUR } },
  letter: { address: { max: 20, seconds: HOUR }, account: { max: 5, seconds: HOUR } },
} as const;

type Attempts = {
  what: keyof typeof LIMITS;
  /** A person, or the address they sign in with. */
  account: string;
  address: string;
};

type Ctx = Pick<Context, 'db' | 'secrets'>;

/** Counts an attempt before it is made; past the limits, `sign_in_limited`. */
export async function countAttempt(
  people: Pick<People, 'ctx' | 'mailer'>,
  attempts: Attempts,
): Promise<void> {
  const { ctx } = people;
  for (const [by, limit] of Object.entries(LIMITS[attempts.what])) {
    const subject = subjectOf(ctx, attempts, by as By);
    const { waitSeconds } = await takeAttempt(ctx.db, { subject, ...limit });
    if (waitSeconds === 0) continue;
    const isGuess = attempts.what === 'password' || attempts.what === 'second_factor';
    // Whoever tries many accounts from one address must not have letters sent to all of them.
    if (isGuess && by !== 'address') await warnOfAttempts(people, attempts.account);
    throw new Problem('sign_in_limited', { retry_after: waitSeconds });
  }
}

/** The right one ends the count of this browser, and of nobody else. */
export async function endAttempts(ctx: Ctx, attempts: Attempts): Promise<void> {
  await forgetAttempts(ctx.db, subjectOf(ctx, attempts, 'together'));
}

type By = 'together' | 'account' | 'address';

function subjectOf({ secrets }: Ctx, { what, account, address }: Attempts, by: By): Buffer {
  const parts = { together: [account, address], account: [account], address: [address] }[by];
  return secrets.macOfProof('attempt to sign in', JSON.stringify([what, by, ...parts]));
}
