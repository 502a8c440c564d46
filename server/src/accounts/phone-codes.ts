import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { prefixOf } from '../abuse/number-prefix.ts';
import { newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { sendOtp } from '../otp/send-otp.ts';
import { verifyOtp } from '../otp/verify-otp.ts';
import { type Phone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Accounts } from './accounts.ts';
import { returnAttempt, takeAttempt } from './attempt-store.ts';
import { countAttempt } from './attempts.ts';
import { browserHash } from './browser-hash.ts';
import { wasSentByMessenger } from './phone-code-store.ts';

/** The purpose of a code. A code sent for one purpose is not valid for another. */
export type CodeUse = 'cabinet' | 'cabinet-confirm' | 'cabinet-phone';

export type PhoneCode = {
  phone: string;
  use: CodeUse;
  requestId: string;
  address: string;
  /**
   * The browser that asks, by a secret that it alone has: a token given to it, or its session. The
   * code can be entered only there, so that wrong guesses of a stranger do not use up the owner's.
   */
  browser: string;
  /** SMS is sent only after a messenger was tried. */
  channel?: 'auto' | 'sms' | undefined;
  /** Of the pages; messages are written in Russian and Kazakh. */
  language: Lang;
};

/** Sends a code to a phone at the operator's cost, in the same way as a code of a customer. */
export async function sendPhoneCode(
  accounts: Accounts,
  { use, requestId, address, browser, language, ...typed }: PhoneCode,
): Promise<{ expiresIn: number; resendAfter: number }> {
  const { ctx } = accounts;
  const phone = readPhone(typed.phone);
  await countAttempt(accounts, { what: 'phone_code', account: phone, address });
  const paid = await countPaidCode(accounts, phone);
  const systemKey = await accounts.systemKey();
  const key: ApiKey = { ...systemKey, language: language === 'kk' ? 'kk' : 'ru' };
  const purpose = purposeOf(use, browser);
  const isSmsDue =
    typed.channel === 'sms' && (await wasSentByMessenger(ctx.db, { key, phone, purpose }));
  const channel = isSmsDue ? 'sms' : 'auto';
  const messageId = newId(ctx.clock.now().getTime());
  const sent = await sendOtp(ctx, {
    key,
    messageId,
    requestId,
    phone: `+${phone}`,
    purpose,
    channel,
  }).catch(async (error: unknown) => {
    if (isRefusedUnsent(error)) await paid.giveBack();
    throw error;
  });
  return { expiresIn: sent.expiresInSeconds, resendAfter: SEND_INTERVAL_SECONDS };
}

/** Returns the phone when the code was right, and consumes it. Throws what the API would answer. */
export async function checkPhoneCode(
  { ctx, systemKey }: Accounts,
  typed: Pick<PhoneCode, 'phone' | 'use' | 'browser'> & { code: string },
): Promise<Phone> {
  const phone = readPhone(typed.phone);
  const key = await systemKey();
  const purpose = purposeOf(typed.use, typed.browser);
  await verifyOtp(ctx, { key, phone: `+${phone}`, code: typed.code, purpose, claim: null });
  return phone;
}

/** Throws unless it is a phone, however it is written. */
export function readPhone(raw: string): Phone {
  const facts = parsePhone(raw);
  if (facts === undefined) throw new Problem('invalid_phone');
  return facts.phone;
}

export function purposeOf(use: CodeUse, browser: string): string {
  return `${use}:${browserHash(browser)}`;
}

const HOUR_SECONDS = 3_600;
/** The numbers of one operator get at most this part of all codes: one attack is one operator. */
const PREFIX_SHARE = 1 / 4;

/**
 * The operator pays for these codes, so there is a limit for all of them together. A code that is
 * given back does not count: otherwise strangers could use the hour up without a single message.
 */
async function countPaidCode(
  { ctx }: Accounts,
  phone: Phone,
): Promise<{ giveBack(): Promise<void> }> {
  const max = ctx.config.signInCodesPerHour;
  const limits = { [`prefix ${prefixOf(phone)}`]: Math.ceil(max * PREFIX_SHARE), all: max };
  const taken: Buffer[] = [];
  const giveBack = async () => {
    for (const subject of taken) await returnAttempt(ctx.db, subject);
  };
  for (const [name, limit] of Object.entries(limits)) {
    const subject = ctx.secrets.macOfProof('codes to sign in', name);
    const { waitSeconds } = await takeAttempt(ctx.db, {
      subject,
      max: limit,
      seconds: HOUR_SECONDS,
    });
    if (waitSeconds === 0) {
      taken.push(subject);
      continue;
    }
    await giveBack();
    ctx.log.warn({ limit: name }, 'too many codes to sign in: see SIGN_IN_CODES_PER_HOUR');
    throw new Problem('sign_in_limited', { retry_after: waitSeconds });
  }
  return { giveBack };
}

/** A problem without a message: nothing was reserved, so nothing was sent. */
function isRefusedUnsent(error: unknown): boolean {
  return error instanceof Problem && error.facts.message_id === undefined;
}
