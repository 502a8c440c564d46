import type { Sql } from '../db/sql.ts';
import type { PaymentNotice } from '../payments/payment.ts';

/** What is kept of a notice. The answer has been given. */
export type NoticeContent = Omit<PaymentNotice, 'answers'>;

export type StoredNotice = { id: string; provider: string; content: NoticeContent; tries: number };

export async function insertNotice(
  sql: Sql,
  notice: {
    id: string;
    provider: string;
    content: NoticeContent;
    body: string;
    leaseSeconds: number;
  },
): Promise<void> {
  const { id, provider, content } = notice;
  await sql.query(
    `insert into payment_notice (id, provider, received_at, body, reference, content, next_try_at)
     values ($1, $2, clock_timestamp(), $3, $4, $5, clock_timestamp() + make_interval(secs => $6))`,
    [
      id,
      provider,
      withoutNul(notice.body),
      withoutNul(content.reference),
      withoutNul(JSON.stringify(content).replaceAll('\\u0000', '')),
      notice.leaseSeconds,
    ],
    'store-notice',
  );
}

/** The database stores every character except this one. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** Leases the notices that nobody has finished to this node. */
export async function takeDueNotices(
  sql: Sql,
  take: { provider: string; limit: number; leaseSeconds: number },
): Promise<StoredNotice[]> {
  const rows = await sql.query<StoredNotice>(
    `update payment_notice set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $3)
     where id in (select id from payment_notice where provider = $1 and next_try_at <= clock_timestamp()
       order by next_try_at limit $2 for update skip locked)
     returning id, provider, content, tries`,
    [take.provider, take.limit, take.leaseSeconds],
    'take-due-notices',
  );
  return rows.map((row) => ({ ...row, content: withDate(row.content) }));
}

/** JSON has no dates. */
function withDate(content: NoticeContent): NoticeContent {
  const { paidAt } = content.payment;
  return {
    ...content,
    payment: { ...content.payment, paidAt: paidAt === undefined ? undefined : new Date(paidAt) },
  };
}

export async function closeNotice(sql: Sql, id: string, outcome: string): Promise<void> {
  await sql.query(
    `update payment_notice set handled_at = clock_timestamp(), outcome = $2, next_try_at = null
     where id = $1 and handled_at is null`,
    [id, outcome],
    'close-notice',
  );
}

export async function setNextNoticeTry(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.query(
    'update payment_notice set next_try_at = $2 where id = $1 and handled_at is null',
    [id, at],
  );
}
