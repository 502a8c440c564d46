import {
  OTP_PER_DAY_MAX,
  OTP_PER_HOUR_MAX,
  PHONE_OTHERS_MAX,
  PHONE_OTHERS_PER_DAY_MAX,
  PHONE_OTHERS_SECONDS,
  SEND_INTERVAL_SECONDS,
  WRONG_IN_ROW_MAX,
  WRONG_PER_CODE_MAX,
  WRONG_PER_HOUR_MAX,
} from '@zhiber/contract/api/limits.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import type { Phone } from '../phone.ts';

export type Guess = {
  keyId: KeyId;
  phone: Phone;
  purpose: string;
  mac: Buffer;
  /** Stored with the code that this request consumes, so that it can be repeated after a crash. */
  claim: string | null;
};

export type GuessVerdict = {
  verdict: 'right' | 'wrong' | 'locked' | 'expired' | 'already_used' | 'not_found';
  attempts_left: number | null;
  /** With `locked`: until a guess is possible again; null when only a new code makes it possible. */
  wait_seconds: number | null;
};

const VERIFY = { name: 'verify', columns: 'verdict, attempts_left, wait_seconds' };

/** Compares a batch of guesses in one statement. Each of them counts against the limits. */
export const verify: GroupStatement<Guess, GuessVerdict> = {
  name: 'verify',
  itemsMax: 512,
  waitingMax: 8_192,
  run: (sql, items) =>
    callFunction<GuessVerdict>(sql, VERIFY, {
      p_key: items.map((item) => item.keyId),
      p_phone: items.map((item) => item.phone),
      p_purpose: items.map((item) => item.purpose),
      p_mac: items.map((item) => item.mac),
      p_claim: items.map((item) => item.claim),
      p_per_code: WRONG_PER_CODE_MAX,
      p_per_hour: WRONG_PER_HOUR_MAX,
      p_in_row: WRONG_IN_ROW_MAX,
    }),
};

const OTP_WAIT = {
  name: 'otp_free_at',
  columns: `greatest(ceil(extract(epoch from otp_free_at - clock_timestamp())), 0)::integer as seconds`,
};

/** In how many seconds the company may send a new code to this phone; 0 when it may now. */
export async function readOtpWait(
  sql: Sql,
  { companyId, phone, isTest }: { companyId: CompanyId; phone: Phone; isTest: boolean },
): Promise<number> {
  const rows = await callFunction<{ seconds: number | null }>(sql, OTP_WAIT, {
    p_company: companyId,
    p_phone: phone,
    p_is_test: isTest,
    p_gap_seconds: SEND_INTERVAL_SECONDS,
    p_hour_max: OTP_PER_HOUR_MAX,
    p_day_max: OTP_PER_DAY_MAX,
    p_others_seconds: PHONE_OTHERS_SECONDS,
    p_others_max: PHONE_OTHERS_MAX,
    p_others_day_max: PHONE_OTHERS_PER_DAY_MAX,
  });
  return rows[0]?.seconds ?? 0;
}

/** Whether this very request consumed the code. */
export async function wasVerifiedBy(sql: Sql, guess: Guess): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from code where key_id = $1 and phone = $2 and purpose = $3 and verified_by = $4`,
    [guess.keyId, guess.phone, guess.purpose, guess.claim],
  );
  return rows.length > 0;
}

/** The provider and its id of the message that last carried a verified code, as `provider:id`. */
export async function findProviderMessageId(
  sql: Sql,
  { keyId, phone, purpose }: Pick<Guess, 'keyId' | 'phone' | 'purpose'>,
): Promise<string | undefined> {
  const rows = await sql.query<{ provider_id: string | null }>(
    `select m.provider_id from code c
     join message m on m.company_id = c.company_id and m.id = c.message_id
     where c.key_id = $1 and c.phone = $2 and c.purpose = $3 and c.verified_at is not null`,
    [keyId, phone, purpose],
    'find-provider-message-id',
  );
  return rows[0]?.provider_id ?? undefined;
}
