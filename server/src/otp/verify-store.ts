import {
  WRONG_IN_ROW_MAX,
  WRONG_PER_CODE_MAX,
  WRONG_PER_HOUR_MAX,
} from '@zhiber/contract/api/limits.ts';
import type { GroupStatement, Sql } from '../db/group-commit.ts';
import type { KeyId } from '../ids.ts';
import type { Phone } from '../phone.ts';

export type Guess = {
  keyId: KeyId;
  phone: Phone;
  purpose: string;
  mac: Buffer;
  /** Remembers which request used the code up, for one that is repeated after a crash. */
  claim: string | null;
};

export type GuessVerdict = {
  verdict: 'right' | 'wrong' | 'locked' | 'expired' | 'already_used' | 'not_found';
  attempts_left: number | null;
  wait_seconds: number | null;
};

/** Compares many guesses in one statement, counted one by one. */
export const verify: GroupStatement<Guess, GuessVerdict> = {
  name: 'verify',
  itemsMax: 512,
  waitingMax: 8_192,
  run: (sql, items) =>
    sql.query<GuessVerdict>(
      'select verdict, attempts_left, wait_seconds from verify($1, $2, $3, $4, $5, $6, $7, $8)',
      [
        items.map((item) => item.keyId),
        items.map((item) => item.phone),
        items.map((item) => item.purpose),
        items.map((item) => item.mac),
        items.map((item) => item.claim),
        WRONG_PER_CODE_MAX,
        WRONG_PER_HOUR_MAX,
        WRONG_IN_ROW_MAX,
      ],
      'verify',
    ),
};

/** Whether the code of an identity was used up by this very request. */
export async function wasVerifiedBy(sql: Sql, guess: Guess): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from code where key_id = $1 and phone = $2 and purpose = $3 and verified_by = $4`,
    [guess.keyId, guess.phone, guess.purpose, guess.claim],
  );
  return rows.length > 0;
}

/** Who carried the verified code of an identity at last: a provider, with its id of the message. */
export async function findCarrier(
  sql: Sql,
  { keyId, phone, purpose }: Pick<Guess, 'keyId' | 'phone' | 'purpose'>,
): Promise<string | undefined> {
  const rows = await sql.query<{ provider_id: string | null }>(
    `select m.provider_id from code c
     join message m on m.company_id = c.company_id and m.id = c.message_id
     where c.key_id = $1 and c.phone = $2 and c.purpose = $3 and c.verified_at is not null`,
    [keyId, phone, purpose],
    'find-carrier',
  );
  return rows[0]?.provider_id ?? undefined;
}
