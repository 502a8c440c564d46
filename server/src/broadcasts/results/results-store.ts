import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { RecipientOutcome, SkipReason } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { MessageId, PersonId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';
import {
  CARRIED,
  CLICKS,
  FACTS,
  MESSAGE,
  OUTCOME,
  ofRun,
  RECIPIENTS,
  type Run,
  withMessages,
} from './run-store.ts';

export type TimeBucket = { at: Date; sent: number; delivered: number; failed: number };

/** What happened when: accepted, delivered and failed messages, by buckets that are not empty. */
export async function countByTime(
  sql: Sql,
  run: Run,
  step: 'minute' | 'hour',
): Promise<TimeBucket[]> {
  return await sql.query<TimeBucket>(
    `with groups as materialized (
       select sent_at, delivered_at, case when ${OUTCOME} = 'failed' then coalesce(receipt_at, settled_at) end as failed_at,
         sum(messages) as messages
       from (select ${FACTS}, count(*) as messages, date_bin($4, m.receipt_at, 'epoch') as receipt_at,
           date_bin($4, m.settled_at, 'epoch') as settled_at, date_bin($4, m.delivered_at, 'epoch') as delivered_at,
           case when m.state = 'sent' then date_bin($4, m.settled_at, 'epoch') end as sent_at
         from ${RECIPIENTS} and m.state is not null group by 1, 2, 3, 4, 5, 6, 8, 9, 10, 11) as facts
       group by 1, 2, 3)
     select at, sum(sent)::integer as sent, sum(delivered)::integer as delivered, sum(failed)::integer as failed
     from (select sent_at as at, messages as sent, 0 as delivered, 0 as failed from groups
       union all select delivered_at, 0, messages, 0 from groups
       union all select failed_at, 0, 0, messages from groups) as events
     where at is not null group by 1 order by 1`,
    [...ofRun(run), `1 ${step}`],
  );
}

export type ClickBucket = { at: Date; clicked: number };

/** When people opened their link for the first time, by buckets that are not empty. */
export async function countClicksByTime(
  sql: Sql,
  run: Run,
  step: 'minute' | 'hour',
): Promise<ClickBucket[]> {
  return await sql.query<ClickBucket>(
    `select date_bin($5::interval, first_at, 'epoch') as at, count(*)::integer as clicked
     from (select min(c.at) as first_at
       from broadcast_row r join ${MESSAGE}
       join lateral (select c.at from ${CLICKS}) as c on true
       where r.broadcast_id = $1 and r.message_id is not null group by m.id) as people
     group by 1 order by 1`,
    [...ofRun(run), run.started_at, `1 ${step}`],
  );
}

export type ReasonCount = { reason: string; channel: Channel | null; count: number };

/** Why recipients were not reached, the most frequent first. A skipped one has a word as its reason. */
export async function countReasons(sql: Sql, run: Run, rowsMax: number): Promise<ReasonCount[]> {
  return await sql.query<ReasonCount>(
    `select coalesce(reason, '') as reason, channel, sum(recipients)::integer as count
     from (select ${OUTCOME} as outcome, reason, channel, recipients
       from (select ${FACTS}, coalesce(r.skipped, a.reason, m.reason) as reason,
           coalesce(a.channel, m.channel) as channel, count(*) as recipients
         from ${RECIPIENTS} and (r.skipped is not null or m.state in ('failed', 'unknown') or m.receipt = 'failed')
         group by 1, 2, 3, 4, 5, 6, 7, 8) as groups) as reasons
     where outcome in ('failed', 'unknown', 'skipped')
     group by 1, 2 order by 3 desc, 1, 2 limit $4`,
    [...ofRun(run), rowsMax],
  );
}

export type Recipient = {
  number: number;
  phone: Phone;
  cells: string[];
  outcome: RecipientOutcome;
  channel: Channel | null;
  reason: string | SkipReason | null;
  charged: number;
  sent_at: Date | null;
  clicked_at: Date | null;
  message_id: MessageId | null;
};

export type RecipientFilter = {
  outcome?: RecipientOutcome | undefined;
  /** False: those who have a message and have not opened its link. */
  clicked?: boolean | undefined;
};

/**
 * Matching recipients in the order of their numbers. Of those after `after` at most `windowRows` are
 * looked at, however rare the matches; `reached` is where to go on, when there may be more.
 */
export async function scanRecipients(
  sql: Sql,
  run: Run,
  filter: RecipientFilter,
  page: { after: number; rowsMax: number; windowRows: number },
): Promise<{ rows: Recipient[]; reached: number | undefined }> {
  const { outcome, clicked } = filter;
  const hasClicked = `exists (select from ${CLICKS})`;
  const clickCondition =
    clicked === undefined ? 'true' : clicked ? hasClicked : `${CARRIED} and not ${hasClicked}`;
  const rows = await sql.query<Recipient & { last: number | null; size: number }>(
    `with page as materialized (
       select * from broadcast_row where broadcast_id = $1 and verdict = 'send' and number > $5
       order by number limit $6)
     select w.last, w.size, f.*
     from (select max(number) as last, count(*)::integer as size from page) as w
     left join lateral (
       select number, phone, cells, outcome, channel, reason, charged, sent_at, message_id,
         (select min(c.at) from ${CLICKS}) as clicked_at
       from (select *, ${OUTCOME} as outcome
         from (select ${FACTS}, r.number, r.phone::text as phone, r.cells, coalesce(a.channel, m.channel) as channel,
             coalesce(r.skipped, a.reason, m.reason) as reason, coalesce(m.charged, 0) as charged,
             m.created_at as sent_at, r.message_id, m.slug
           from ${withMessages('page')}) as facts) as m
       where ($8::text is null or outcome = $8) and ${clickCondition}
       order by number limit $7) as f on true
     order by f.number`,
    [...ofRun(run), run.started_at, page.after, page.windowRows, page.rowsMax, outcome ?? null],
  );
  const { last, size } = rows[0] as { last: number | null; size: number };
  const found = rows.filter(({ number }) => number !== null);
  const isFull = found.length === page.rowsMax;
  const windowEnd = size === page.windowRows ? (last ?? undefined) : undefined;
  return {
    rows: found.map(({ last: _, size: __, ...recipient }) => recipient),
    reached: isFull ? found.at(-1)?.number : windowEnd,
  };
}

export type LastFailure = Pick<Recipient, 'number' | 'phone' | 'channel' | 'reason'> & {
  message_id: MessageId;
  at: Date;
};

/** The newest failures among the last messages, as far as they are looked at. */
export async function findLastFailures(
  sql: Sql,
  run: Run,
  { rowsMax, windowRows }: { rowsMax: number; windowRows: number },
): Promise<LastFailure[]> {
  return await sql.query<LastFailure>(
    `with newest as materialized (
       select * from broadcast_row where broadcast_id = $1 and message_id is not null
       order by message_id desc limit $4)
     select number, phone, channel, reason, message_id, at
     from (select ${FACTS}, r.number, r.phone::text as phone, coalesce(a.channel, m.channel) as channel,
         coalesce(a.reason, m.reason) as reason, r.message_id, coalesce(m.receipt_at, m.settled_at) as at
       from ${withMessages('newest')} where m.state = 'failed' or m.receipt = 'failed') as facts
     where ${OUTCOME} = 'failed' order by message_id desc limit $5`,
    [...ofRun(run), windowRows, rowsMax],
  );
}

/** Adds a draft with the columns, the text and the settings of a broadcast, and no rows yet. */
export async function insertCopy(
  tx: Transaction,
  run: Run,
  copy: { id: string; name: string; personId: PersonId },
): Promise<void> {
  await tx.query(
    `insert into broadcast (id, company_id, name, created_by, source, source_name, columns, phone_column,
       consent_column, includes_other_countries, text, url, whatsapp_template, channels, quiet_from, quiet_to,
       skips_days_off, consent_basis, consent_note)
     select $3, company_id, $4, $5, 'failed', name, columns, phone_column, consent_column, includes_other_countries,
       text, url, whatsapp_template, channels, quiet_from, quiet_to, skips_days_off, consent_basis, consent_note
     from broadcast where id = $1 and company_id = $2`,
    [run.id, run.company_id, copy.id, copy.name, copy.personId],
  );
}

/**
 * Copies the recipients that failed into a draft, and returns how many of them can be sent to. Those
 * who have unsubscribed since are kept out of it by their verdict. An unknown outcome is no failure:
 * the person may have got the message.
 */
export async function copyFailed(tx: Transaction, run: Run, copyId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with copied as (
       insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       select $4, row_number() over (order by number), $2, cells, phone,
         case when exists (select from unsubscribed u where u.phone = f.phone
           and (u.company_id = $2 or u.company_id is null)) then 'unsubscribed' else 'send' end::row_verdict
       from (select ${FACTS}, r.number, r.cells, r.phone from ${RECIPIENTS}) as f
       where ${OUTCOME} = 'failed'
       returning verdict),
     checked as (
       update broadcast set rows_state = 'checked', rows_count = (select count(*) from copied) where id = $4)
     select count(*) filter (where verdict = 'send')::integer as count from copied`,
    [...ofRun(run), copyId],
  );
  return rows[0]?.count ?? 0;
}
