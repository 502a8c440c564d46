import type { Context } from '../context.ts';
import { pumpingGuardOf } from '../guard/guard-rounds.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { readPhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { readCode } from './code.ts';
import { type Guess, verify, wasVerifiedBy } from './verify-store.ts';

export type VerifyOtpRequest = {
  key: ApiKey;
  phone: string;
  code: string;
  purpose: string;
  /** Set when the caller may repeat this very request. */
  claim: string | null;
};

/** Returns when the code was right, and uses it up; throws the Problem for everything else. */
export async function verifyOtp(ctx: Context, request: VerifyOtpRequest): Promise<void> {
  const guess = toGuess(ctx, request);
  const result = await ctx.db.inGroup(verify, guess);
  switch (result.verdict) {
    case 'right':
      if (!request.key.isTest) tellOfVerified(ctx, request, guess);
      return;
    case 'wrong':
      throw new Problem('invalid_code', { attempts_left: result.attempts_left ?? 0 });
    case 'locked':
      throw new Problem(
        'too_many_attempts',
        result.wait_seconds === null ? {} : { retry_after: result.wait_seconds },
      );
    case 'expired':
      throw new Problem('code_expired');
    case 'already_used':
      throw new Problem('code_already_used');
    case 'not_found':
      throw new Problem('code_not_found');
  }
}

function tellOfVerified(ctx: Context, { key, code }: VerifyOtpRequest, guess: Guess): void {
  const { keyId, phone, purpose } = guess;
  pumpingGuardOf(ctx.db).countVerified(key.companyId, phone);
  ctx.onVerified?.({ keyId, phone, purpose, code: readCode(code) });
}

/**
 * For a repeated request whose first run died before it was answered: did that run use the code up?
 */
export async function wasVerified(ctx: Context, request: VerifyOtpRequest): Promise<boolean> {
  return await wasVerifiedBy(ctx.db, toGuess(ctx, request));
}

function toGuess(ctx: Context, { key, purpose, claim, ...typed }: VerifyOtpRequest): Guess {
  const facts = readPhone(typed.phone);
  if (facts === undefined) throw new Problem('invalid_phone');
  const { phone } = facts;
  const mac = ctx.secrets.macOfCode({ keyId: key.id, phone, purpose }, readCode(typed.code));
  return { keyId: key.id, phone, purpose, mac, claim };
}
