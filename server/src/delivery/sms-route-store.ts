import type { SmsRouteReason } from '@zhiber/contract/message/sms-route-text.ts';
import type { AcceptedSms } from '../channels/sms/sms-routing.ts';
import type { Transaction } from '../db/database.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import { isOperatorId, type OperatorId } from '../numbering-plan.ts';
import type { Phone } from '../phone.ts';

/** The operators that numbers were ported to. */
export const findPorted: GroupStatement<Phone, OperatorId | undefined> = {
  name: 'find ported numbers',
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, phones) {
    const rows = await sql.query<{ phone: string; operator: string }>(
      'select phone::text as phone, operator from ported_number where phone = any ($1::bigint[])',
      [phones],
      'find-ported-numbers',
    );
    const operators = new Map(rows.map(({ phone, operator }) => [phone, operator]));
    return phones.map((phone) => {
      const operator = operators.get(phone);
      return operator !== undefined && isOperatorId(operator) ? operator : undefined;
    });
  },
};

export async function hasPortedNumbers(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ has: boolean }>(
    'select exists (select from ported_number) as has',
  );
  return row?.has ?? false;
}

export type PortedNumber = { phone: Phone; operator: OperatorId };

export async function clearPorted(tx: Transaction): Promise<void> {
  await tx.query('delete from ported_number');
}

/** In place of what was stored of the same numbers; each number comes once. */
export async function storePorted(
  tx: Transaction,
  numbers: readonly PortedNumber[],
): Promise<void> {
  await tx.query(
    `insert into ported_number (phone, operator) select * from unnest($1::bigint[], $2::text[])
     on conflict (phone) do update set operator = excluded.operator`,
    [numbers.map(({ phone }) => phone), numbers.map(({ operator }) => operator)],
  );
}

/** Records accepted SMS; a repetition is harmless. */
export const recordSms: GroupStatement<AcceptedSms, undefined> = {
  name: 'record sms',
  itemsMax: 512,
  waitingMax: 8_192,
  gatherMs: 25,
  async run(sql, items) {
    const column = <T>(read: (item: AcceptedSms) => T) => items.map(read);
    await sql.query(
      `insert into sms_attempt (company_id, message_id, number, parts, why, operator)
       select * from unnest($1::bigint[], $2::uuid[], $3::smallint[], $4::smallint[], $5::text[], $6::text[])
       on conflict do nothing`,
      [
        column(({ ref }) => ref.companyId),
        column(({ ref }) => ref.messageId),
        column(({ ref }) => ref.attempt),
        column(({ parts }) => parts),
        column(({ why }) => why ?? null),
        column(({ operator }) => operator ?? null),
      ],
      'record-sms',
    );
    return items.map(() => undefined);
  },
};

export type StoredSms = {
  number: number;
  parts: number;
  why: SmsRouteReason | null;
  operator: OperatorId | null;
};

/** Of the attempts of a message, those by SMS that have more to say than their attempt. */
export async function listSms(
  sql: Sql,
  companyId: CompanyId,
  messageId: MessageId,
): Promise<StoredSms[]> {
  return await sql.query<StoredSms>(
    'select number, parts, why, operator from sms_attempt where company_id = $1 and message_id = $2 order by number',
    [companyId, messageId],
    'list-sms',
  );
}
