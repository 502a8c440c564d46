import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { type Phone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { findTestNumber } from '../sandbox/test-numbers.ts';
import { readCode } from './code.ts';
import { type Guess, readOtpWait, verify, wasVerifiedBy } from './verify-store.ts';

export type VerifyOtpRequest = {
  key: ApiKey;
  phone: string;
  code: string;
  purpose: string;
  /** Names this request when it has an Idempotency-Key and may be repeated. */
  claim: string | null;
};

/** Returns when the code was right, and consumes it. Throws a Problem otherwise. */
export async function verifyOtp(ctx: Context, request: VerifyOtpRequest): Promise<void> {
  const guess = toGuess(ctx, request);
  const result = await ctx.db.inGroup(verify, guess);
  switch (result.verdict) {
    case 'right':
      if (!request.key.isTest) reportVerified(ctx, request, guess);
      return;
    case 'wrong':
      throw new Problem('invalid_code', { attempts_left: result.attempts_left ?? 0 });
    case 'locked':
      throw new Problem('too_many_attempts', {
        retry_after: result.wait_seconds ?? (await readNewCodeWait(ctx, request, guess.phone)),
      });
    case 'expired':
      throw new Problem('code_expired');
    case 'already_used':
      throw new Problem('code_already_used');
    case 'not_found':
      throw new Problem('code_not_found');
  }
}

/** When a new code may be sent: these guesses at the old one are used up. */
async function readNewCodeWait(
  ctx: Context,
  { key: { companyId, isTest } }: VerifyOtpRequest,
  phone: Phone,
): Promise<number> {
  // No limit applies to test numbers.
  if (findTestNumber(phone, isTest) !== undefined) return 0;
  return await readOtpWait(ctx.db, { companyId, phone, isTest });
}

function reportVerified(ctx: Context, { key, code }: VerifyOtpRequest, guess: Guess): void {
  const { keyId, phone, purpose } = guess;
  ctx.guard.countVerified(key.companyId, phone);
  ctx.onVerified?.({ keyId, phone, purpose, code: readCode(code) });
}

/** For a repeated request whose first run died before its answer: whether it consumed the code. */
export async function wasVerified(ctx: Context, request: VerifyOtpRequest): Promise<boolean> {
  return await wasVerifiedBy(ctx.db, toGuess(ctx, request));
}

function toGuess(ctx: Context, { key, purpose, claim, ...typed }: VerifyOtpRequest): Guess {
  const facts = parsePhone(typed.phone);
  if (facts === undefined) throw new Problem('invalid_phone');
  const { phone } = facts;
  const code = readCode(typed.code);
  // Such a text cannot be a code of this key, so it does not count as a guess.
  if (!/^\d+$/.test(code) || code.length !== key.codeLength) throw new Problem('invalid_code');
  const mac = ctx.secrets.macOfCode({ keyId: key.id, phone, purpose }, code);
  return { keyId: key.id, phone, purpose, mac, claim };
}
