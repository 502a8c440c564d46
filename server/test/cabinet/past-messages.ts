import { type CompanyId, type KeyId, newId } from '../../src/ids.ts';
import type { RunSql } from '../harness.ts';

const COLUMNS = {
  kind: `'otp'`,
  is_test: 'false',
  recipient: '77010000000 + n',
  state: `'sent'`,
  receipt: `'delivered'`,
  channel: `'sms'`,
  charged: '0',
  attempt: '1',
  purpose: `'login'`,
  request_id: `'req_past' || n`,
  confirm_seconds: '2',
};

export type PastMessages = {
  companyId: CompanyId;
  keyId: KeyId;
  count: number;
  /** The age of the oldest message. The others are spread evenly up to the newest. */
  fromHours: number;
  toHours?: number;
  /** Ages are counted from here. */
  now?: Date;
  /** Differences from a delivered SMS, as SQL expressions of `n`, which is 1 for the oldest. */
  columns?: Partial<typeof COLUMNS>;
};

/** Small enough for the statement timeout. */
const ROWS_PER_STATEMENT = 10_000;

/** Inserts past messages and posts their cost to the ledger. */
export async function insertPastMessages(sql: RunSql, past: PastMessages): Promise<void> {
  const { companyId, keyId, count, fromHours, toHours = 0, now = new Date() } = past;
  const columns = { ...COLUMNS, ...past.columns };
  for (let from = 1; from <= count; from += ROWS_PER_STATEMENT) {
    const to = Math.min(from + ROWS_PER_STATEMENT - 1, count);
    await sql(
      `insert into message (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel, charged,
         attempt, created_at, settled_at, receipt_at, delivered_at, next_check_at, purpose, request_id)
       select $1, (substr(uuid_at(at)::text, 1, 14) || '7' || substr(md5(n::text), 1, 3) || '-8'
           || substr(md5(n::text), 4, 3) || '-' || substr(md5(n::text), 7, 12))::uuid, $2,
         (${columns.kind})::message_kind, ${columns.is_test}, ${columns.recipient},
         (${columns.state})::message_state, (${columns.receipt})::receipt, (${columns.channel})::channel,
         ${columns.charged}, ${columns.attempt}, at, at + interval '120 ms', at + interval '1 s',
         case when (${columns.receipt})::receipt >= 'delivered'
           then at + make_interval(secs => ${columns.confirm_seconds}) end,
         at + interval '31 s', ${columns.purpose}, ${columns.request_id}
       from (select n, date_trunc('milliseconds', $8::timestamptz - make_interval(secs =>
           $4::float8 * 3600 - (n - 1) * ($4::float8 - $5::float8) * 3600 / $3)) as at
         from generate_series($6::integer, $7::integer) as n) made`,
      [companyId, keyId, count, fromHours, toHours, from, to, now],
    );
  }
  await postCharges(sql, companyId);
}

/** Posts ledger entries so that the charges match the cost of the messages. */
async function postCharges(sql: RunSql, companyId: CompanyId): Promise<void> {
  const [row] = await sql<{ open: number }>(
    `select (select coalesce(sum(charged), 0) from message where company_id = $1)
       + (select coalesce(sum(amount), 0) from entry where company_id = $1
         and kind in ('charge', 'charge_moved'))::bigint as open`,
    [companyId],
  );
  const open = Number(row?.open ?? 0);
  if (open === 0) return;
  const post = 'select post_entry($1, $2, $3, $4)';
  await sql(post, [companyId, 'correction', open, newId(Date.now())]);
  await sql(post, [companyId, 'charge', -open, newId(Date.now())]);
}
