import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { systemKey } from '../company/system-company.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { sendOtp } from '../otp/send-otp.ts';
import { verifyOtp } from '../otp/verify-otp.ts';
import { type Phone, readPhone } from '../phone.ts';
import { Problem } from '../problem.ts';

/** What a code is for; one that was sent for one thing does nothing for another. */
export type CodeUse = 'cabinet' | 'cabinet-confirm' | 'cabinet-phone';

export type PhoneCode = {
  phone: string;
  use: CodeUse;
  requestId: string;
  channel?: 'auto' | 'sms' | undefined;
};

/** Sends a code to a phone, by the same way and under the same limits as a customer's would be. */
export async function sendPhoneCode(
  ctx: Context,
  { phone, use, requestId, channel = 'auto' }: PhoneCode,
): Promise<{ expiresIn: number; resendAfter: number }> {
  const key = await systemKey(ctx);
  const messageId = newId(ctx.clock.now().getTime());
  const sent = await sendOtp(ctx, { key, messageId, requestId, phone, purpose: use, channel });
  return { expiresIn: sent.expiresInSeconds, resendAfter: SEND_INTERVAL_SECONDS };
}

/** Returns the phone when the code was right, and uses it up; throws what the API would answer. */
export async function checkPhoneCode(
  ctx: Context,
  { phone, code, use }: { phone: string; code: string; use: CodeUse },
): Promise<Phone> {
  const key = await systemKey(ctx);
  await verifyOtp(ctx, { key, phone, code, purpose: use, claim: null });
  const facts = readPhone(phone);
  if (facts === undefined) throw new Problem('invalid_phone');
  return facts.phone;
}
