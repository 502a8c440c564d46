import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Transaction } from '../../db/database.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import type { DemoOutcome } from './demo-samples.ts';

export type PastBroadcast = {
  id: string;
  companyId: CompanyId;
  name: string;
  text: string;
  url: string;
  channels: readonly Channel[];
  recipients: number;
  startedAt: Date;
  endedAt: Date;
};

export async function insertPastBroadcast(tx: Transaction, past: PastBroadcast): Promise<void> {
  await tx.query(
    `insert into broadcast (id, company_id, name, state, created_at, source, source_name, columns, phone_column,
       rows_state, rows_count, text, url, channels, consent_basis, recipients, started_at, ended_at)
     values ($1, $2, $3, 'done', $4::timestamptz - interval '20 minutes', 'file', 'Клиенты.xlsx', '{Телефон,Имя}', 1,
       'checked', $5, $6, $7, $8::text[]::channel[], 'form', $5, $4, $9)`,
    [
      past.id,
      past.companyId,
      past.name,
      past.startedAt,
      past.recipients,
      past.text,
      past.url,
      past.channels,
      past.endedAt,
    ],
  );
}

export type PastRecipient = DemoOutcome & {
  number: number;
  phone: string;
  cells: readonly string[];
  messageId: string | null;
  slug: string;
  body: string;
  charged: number;
  sentAt: Date;
};

/** A recipient with its message, link and clicks, as a real run leaves them. */
export async function insertPastRecipient(
  tx: Transaction,
  run: {
    id: string;
    companyId: CompanyId;
    keyId: KeyId;
    url: string;
    prices: Record<Channel, number>;
  },
  recipient: PastRecipient,
): Promise<void> {
  const { messageId, phone, sentAt, slug } = recipient;
  await tx.query(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, message_id, skipped)
     values ($1, $2, $3, $4, $5, 'send', $6, $7)`,
    [
      run.id,
      recipient.number,
      run.companyId,
      recipient.cells,
      phone,
      messageId,
      recipient.skipped ?? null,
    ],
  );
  if (messageId === null) return;
  await tx.query(
    `insert into message (company_id, id, key_id, kind, is_test, recipient, state, receipt, channel, attempt, charged,
       created_at, settled_at, receipt_at, delivered_at, next_check_at, reason, slug, body, request_id)
     values ($1, $2, $3, 'broadcast', false, $4, $5::message_state, $6::receipt, $7, $8, $9, $10,
       $10::timestamptz + interval '1 second', case when $6 is not null then $10::timestamptz + interval '6 seconds' end,
       case when $6 in ('delivered', 'read') then $10::timestamptz + interval '6 seconds' end, 'infinity', $11, $12, $13,
       $14)`,
    [
      run.companyId,
      messageId,
      run.keyId,
      phone,
      recipient.state,
      recipient.receipt ?? null,
      recipient.channel,
      recipient.isByFallback ? 2 : 1,
      recipient.charged,
      sentAt,
      recipient.reason ?? null,
      slug,
      recipient.body,
      run.id,
    ],
  );
  if (recipient.isByFallback) {
    await tx.query(
      `insert into attempt (company_id, message_id, number, channel, state, reason, receipt, price, started_at,
         settled_at, receipt_at, delivered_at)
       values ($1, $2, 1, 'telegram', 'accepted', 'Бот остановлен получателем', 'failed', $3, $5, $5, $5, null),
         ($1, $2, 2, 'sms', 'accepted', null, 'delivered', $4, $5, $5, $6, $6)`,
      [
        run.companyId,
        messageId,
        run.prices.telegram,
        run.prices.sms,
        sentAt,
        new Date(sentAt.getTime() + 6_000),
      ],
    );
  }
  await tx.query(
    `insert into link (slug_key, slug, company_id, url, message_id, recipient, created_at, expires_at)
     values (lower($1), $1, $2, $3, $4, $5, $6, $6::timestamptz + interval '90 days')`,
    [slug, run.companyId, run.url, messageId, phone, sentAt],
  );
}

export async function insertPastClick(
  tx: Transaction,
  click: {
    companyId: CompanyId;
    slug: string;
    messageId: string;
    phone: string;
    at: Date;
    isRobot: boolean;
  },
): Promise<void> {
  await tx.query(
    `insert into click (slug_key, company_id, message_id, recipient, at, is_robot)
     values (lower($1), $2, $3, $4, $5, $6)`,
    [click.slug, click.companyId, click.messageId, click.phone, click.at, click.isRobot],
  );
}

export async function insertUnsubscribed(
  tx: Transaction,
  row: { phone: string; companyId: CompanyId; broadcastId: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `insert into unsubscribed (phone, company_id, source, broadcast_id, at) values ($1, $2, 'link', $3, $4)
     on conflict do nothing`,
    [row.phone, row.companyId, row.broadcastId, row.at],
  );
}

export async function insertDemoDraft(
  tx: Transaction,
  draft: {
    id: string;
    companyId: CompanyId;
    name: string;
    text: string;
    sourceName: string;
    channels: readonly Channel[];
    rows: readonly {
      number: number;
      cells: readonly string[];
      phone: string | null;
      verdict: RowVerdict;
      reason: string | null;
    }[];
  },
): Promise<void> {
  await tx.query(
    `insert into broadcast (id, company_id, name, source, source_name, columns, phone_column, rows_state, rows_count,
       text, channels, consent_basis)
     values ($1, $2, $3, 'file', $4, '{Телефон,Имя}', 1, 'checked', $5, $6, $7::text[]::channel[], 'form')`,
    [
      draft.id,
      draft.companyId,
      draft.name,
      draft.sourceName,
      draft.rows.length,
      draft.text,
      draft.channels,
    ],
  );
  for (const row of draft.rows) {
    await tx.query(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, reason)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [draft.id, row.number, draft.companyId, row.cells, row.phone, row.verdict, row.reason],
    );
  }
}
