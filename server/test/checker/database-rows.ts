/** The raw rows of the database, read in one snapshot. The checker computes all sums itself. */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { type Audit, auditIn } from '../../src/billing/invariant-store.ts';
import type { Connection } from '../../src/db/connection.ts';
import { inSnapshot } from '../../src/db/snapshot.ts';

export type AccountRow = { company_id: number; balance: number; held: number };
export type EntryRow = {
  company_id: number;
  kind: string;
  amount: number;
  messages: number;
  balance_after: number;
};
export type MessageRow = {
  company_id: number;
  id: string;
  key_id: number;
  key_company: number | null;
  kind: 'otp' | 'link' | 'group';
  recipient: string;
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: string | null;
  channel: Channel | null;
  route: string;
  hold: number;
  charged: number;
  provider_id: string | null;
  body: string | null;
  request_id: string;
  /** The time from the reservation to the first settlement. */
  settle_seconds: number | null;
};
export type AttemptRow = {
  company_id: number;
  message_id: string;
  number: number;
  channel: Channel;
  state: string;
  receipt: string | null;
};
export type CodeRow = {
  key_id: number;
  key_company: number | null;
  phone: string;
  company_id: number;
  message_id: string;
  is_verified: boolean;
  is_sealed: boolean;
};
export type LinkRow = {
  slug_key: string;
  slug: string;
  company_id: number;
  url: string;
  message_id: string | null;
};

export type DatabaseRows = {
  accounts: AccountRow[];
  /** In the order in which they were posted. */
  entries: EntryRow[];
  messages: MessageRow[];
  attempts: AttemptRow[];
  codes: CodeRow[];
  links: LinkRow[];
  /** Answers stored for repeated requests. */
  answers: { answer: string }[];
  earlyReceipts: { message_id: string }[];
  audit: Audit;
};

const QUERIES = {
  accounts: 'select company_id, balance, held from account',
  entries: `select company_id, kind, amount, messages, balance_after from entry
    order by company_id, created_at, cause`,
  messages: `select m.company_id, m.id, m.key_id, k.company_id as key_company, m.kind,
      m.recipient::text as recipient, m.state, m.receipt, m.channel, m.route, m.hold, m.charged,
      m.provider_id, m.body, m.request_id,
      extract(epoch from coalesce((select a.settled_at from attempt a where a.company_id = m.company_id
        and a.message_id = m.id and a.number = 1), m.settled_at) - m.created_at)::float8 as settle_seconds
    from message m left join api_key k on k.id = m.key_id order by m.id`,
  attempts: `select company_id, message_id, number, channel, state, receipt from attempt
    order by message_id, number`,
  codes: `select c.key_id, k.company_id as key_company, c.phone::text as phone, c.company_id,
      c.message_id, c.verified_at is not null as is_verified, c.sealed is not null as is_sealed
    from code c left join api_key k on k.id = c.key_id`,
  links: 'select slug_key, slug, company_id, url, message_id from link',
  answers: 'select answer from idempotency where answer is not null',
  earlyReceipts: 'select message_id from early_receipt',
} as const satisfies Record<Exclude<keyof DatabaseRows, 'audit'>, string>;

const BIGINT_COLUMNS = ['company_id', 'key_id', 'key_company', 'balance', 'held', 'amount'];

export async function readDatabase(connection: Connection): Promise<DatabaseRows> {
  return await inSnapshot(connection, async (sql) => {
    const read: Record<string, unknown> = { audit: await auditIn(sql) };
    for (const [name, query] of Object.entries(QUERIES)) {
      read[name] = (await sql.query<Record<string, unknown>>(query)).map(withIntegers);
    }
    return read as DatabaseRows;
  });
}

/** The connection of a snapshot returns bigint columns as text. */
function withIntegers(row: Record<string, unknown>): Record<string, unknown> {
  const integers = [...BIGINT_COLUMNS, 'balance_after']
    .filter((name) => typeof row[name] === 'string')
    .map((name) => [name, Number(row[name])]);
  return { ...row, ...Object.fromEntries(integers) };
}
