import type { Channel } from '@zhiber/contract/api/channel.ts';
import { type CompanyId, type KeyId, newId } from '../../src/ids.ts';
import type { RunSql } from '../harness.ts';

/** One recipient, as the engine and the receipts leave it. Without a `state` it has no message. */
export type SeedRecipient = {
  state?: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt?: 'unconfirmed' | 'failed' | 'delivered' | 'read';
  channel?: Channel;
  charged?: number;
  reason?: string;
  /** Channels that are left. */
  route?: string;
  /** How the second attempt stands, after the first was reported as failed. */
  second?: { state: 'sending' | 'accepted' | 'refused' | 'unknown'; reason?: string };
  skipped?: string;
  /** Who opened the link, each so many seconds after the start. */
  clicks?: { by: 'person' | 'robot'; after: number }[];
  /** When its message was made, in seconds after the start. */
  after?: number;
  name?: string;
};

/** Fourteen recipients: every way in which a message can stand, and both ways of having none. */
export const EVERY_OUTCOME: readonly SeedRecipient[] = [
  {},
  {},
  { skipped: 'unsubscribed' },
  { state: 'sending', channel: 'telegram' },
  // The failure was reported, and another channel is left or under way.
  { state: 'sent', receipt: 'failed', channel: 'telegram', charged: 3, route: 'sms' },
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    second: { state: 'sending' },
  },
  { state: 'sent', channel: 'telegram', charged: 3, clicks: [{ by: 'robot', after: 60 }] },
  { state: 'sent', receipt: 'unconfirmed', channel: 'sms', charged: 8 },
  {
    state: 'sent',
    receipt: 'delivered',
    channel: 'sms',
    charged: 8,
    clicks: [
      { by: 'robot', after: 50 },
      { by: 'person', after: 90 },
      { by: 'person', after: 95 },
    ],
  },
  {
    state: 'sent',
    receipt: 'read',
    channel: 'telegram',
    charged: 3,
    clicks: [{ by: 'person', after: 200 }],
  },
  { state: 'failed', channel: 'sms', reason: 'Абонент заблокирован' },
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    reason: 'Бот остановлен',
    second: { state: 'refused', reason: 'Абонент заблокирован' },
  },
  // The second channel may have it.
  {
    state: 'sent',
    receipt: 'failed',
    channel: 'telegram',
    charged: 3,
    second: { state: 'unknown' },
  },
  { state: 'unknown', channel: 'sms', reason: 'Оператор не ответил' },
];

export type SeededRun = { id: string; phones: string[]; messageIds: (string | null)[] };

/** A broadcast that was started an hour ago, with these recipients. Row 1 holds the headings. */
export async function seedRun(
  sql: RunSql,
  { companyId, keyId }: { companyId: CompanyId; keyId: KeyId },
  recipients: readonly SeedRecipient[],
  { state = 'done', startedSecondsAgo = 3_600 } = {},
): Promise<SeededRun> {
  const startedMs = Date.now() - startedSecondsAgo * 1_000;
  const id = newId(startedMs - 60_000);
  await sql(
    `insert into broadcast (id, company_id, name, state, pause_reason, source, columns, phone_column, rows_state,
       rows_count, text, url, channels, quiet_from, quiet_to, consent_basis, recipients, started_at, ended_at)
     values ($1, $2, 'Скидки недели', $3::broadcast_state, case when $3 = 'paused' then 'person'::pause_reason end,
       'file', '{Телефон,Имя}', 1, 'checked', $4, 'Здравствуйте, {{Имя|друг}}! :link', 'https://shop.kz/sale',
       '{telegram,sms}', 22, 8, 'form', $4, $5,
       case when $3 in ('done', 'cancelled') then $5::timestamptz + interval '30 minutes' end)`,
    [id, companyId, state, recipients.length, new Date(startedMs)],
  );
  const phones: string[] = [];
  const messageIds: (string | null)[] = [];
  for (const [place, recipient] of recipients.entries()) {
    const phone = `7701${String(5_000_000 + place)}`;
    const messageId =
      recipient.state === undefined ? null : newId(startedMs + (recipient.after ?? place) * 1_000);
    const at = new Date(startedMs + (recipient.after ?? place) * 1_000);
    if (messageId !== null) {
      await insertMessage(
        sql,
        { companyId, keyId, id, messageId, phone, at, slug: `${id.slice(-6)}x${place}` },
        recipient,
      );
    }
    for (const { by, after } of recipient.clicks ?? []) {
      await sql('insert into click (slug_key, company_id, at, is_robot) values ($1, $2, $3, $4)', [
        `${id.slice(-6)}x${place}`,
        companyId,
        new Date(startedMs + after * 1_000),
        by === 'robot',
      ]);
    }
    await sql(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, message_id, skipped)
       values ($1, $2, $3, $4, $5, 'send', $6, $7)`,
      [
        id,
        place + 2,
        companyId,
        [`+${phone}`, recipient.name ?? `Имя ${place}`],
        phone,
        messageId,
        recipient.skipped ?? null,
      ],
    );
    phones.push(phone);
    messageIds.push(messageId);
  }
  await postCharge(
    sql,
    companyId,
    recipients.reduce((sum, { charged = 0 }) => sum + charged, 0),
  );
  return { id, phones, messageIds };
}

async function insertMessage(
  sql: RunSql,
  row: {
    companyId: CompanyId;
    keyId: KeyId;
    id: string;
    messageId: string;
    phone: string;
    at: Date;
    slug: string;
  },
  { state, receipt, channel = 'sms', charged = 0, reason, route = '', second }: SeedRecipient,
): Promise<void> {
  await sql(
    `insert into message (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel, route, attempt,
       charged, created_at, settled_at, receipt_at, delivered_at, next_check_at, reason, slug, body, request_id)
     values ($1, $2, $3, 'broadcast', false, $4, $5::message_state, $6::receipt, $7, $8, $9, $10, $11,
       case when $5 <> 'sending' then $11::timestamptz + interval '1 second' end,
       case when $6 is not null then $11::timestamptz + interval '2 seconds' end,
       case when $6 in ('delivered', 'read') then $11::timestamptz + interval '2 seconds' end, 'infinity', $12, $13,
       'Здравствуйте!', $14)`,
    [
      row.companyId,
      row.messageId,
      row.keyId,
      row.phone,
      state,
      receipt ?? null,
      channel,
      route,
      second === undefined ? 1 : 2,
      charged,
      row.at,
      reason ?? null,
      row.slug,
      row.id,
    ],
  );
  if (second === undefined) return;
  await sql(
    `insert into attempt (company_id, message_id, number, channel, state, price, reason, receipt, started_at)
     values ($1, $2, 1, $3, 'accepted', 3, $4, 'failed', $5), ($1, $2, 2, 'sms', $6, 8, $7, null, $5)`,
    [
      row.companyId,
      row.messageId,
      channel,
      reason ?? null,
      row.at,
      second.state,
      second.reason ?? null,
    ],
  );
}

/** Keeps the ledger in balance with what the messages have cost. */
async function postCharge(sql: RunSql, companyId: CompanyId, amount: number): Promise<void> {
  if (amount === 0) return;
  const post = 'select post_entry($1, $2, $3, $4)';
  await sql(post, [companyId, 'correction', amount, newId(Date.now())]);
  await sql(post, [companyId, 'charge', -amount, newId(Date.now())]);
}
