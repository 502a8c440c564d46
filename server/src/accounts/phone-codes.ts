import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { newId } from '../ids.ts';
import { sendOtp } from '../otp/send-otp.ts';
import { verifyOtp } from '../otp/verify-otp.ts';
import { type Phone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';

/** The purpose of a code. A code sent for one purpose is not valid for another. */
export type CodeUse = 'cabinet' | 'cabinet-confirm' | 'cabinet-phone';

export type PhoneCode = {
  phone: string;
  use: CodeUse;
  requestId: string;
  channel?: 'auto' | 'sms' | undefined;
};

/** Sends a code to a phone, in the same way and under the same limits as a code of a customer. */
export async function sendPhoneCode(
  { ctx, systemKey }: Accounts,
  { phone, use, requestId, channel = 'auto' }: PhoneCode,
): Promise<{ expiresIn: number; resendAfter: number }> {
  const key = await systemKey();
  const messageId = newId(ctx.clock.now().getTime());
  const sent = await sendOtp(ctx, { key, messageId, requestId, phone, purpose: use, channel });
  return { expiresIn: sent.expiresInSeconds, resendAfter: SEND_INTERVAL_SECONDS };
}

/** Returns the phone when the code was right, and consumes it. Throws what the API would answer. */
export async function checkPhoneCode(
  { ctx, systemKey }: Accounts,
  { phone, code, use }: { phone: string; code: string; use: CodeUse },
): Promise<Phone> {
  const key = await systemKey();
  await verifyOtp(ctx, { key, phone, code, purpose: use, claim: null });
  const facts = parsePhone(phone);
  if (facts === undefined) throw new Problem('invalid_phone');
  return facts.phone;
}
