import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  BroadcastState,
  CONSENT_BASES,
  PauseReason,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { ChosenTemplate, Progress, RowsRead } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { BroadcastId, CompanyId, PersonId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';
import { RECIPIENT_COUNT } from '../run/broadcast-store.ts';

export type BroadcastRef = { companyId: CompanyId; id: BroadcastId };

/** What the steps of a draft set. */
export type DraftFields = {
  name: string;
  includesOtherCountries: boolean;
  text: string;
  url: string | null;
  whatsappTemplate: ChosenTemplate | null;
  channels: Channel[];
  startAt: Date | null;
  spreadMinutes: number | null;
  quietFrom: number;
  quietTo: number;
  skipsDaysOff: boolean;
  consentBasis: (typeof CONSENT_BASES)[number] | null;
  consentNote: string | null;
};

const FIELDS = `b.name, b.includes_other_countries as "includesOtherCountries", b.text, b.url,
  b.whatsapp_template as "whatsappTemplate", b.channels::text[] as channels, b.start_at as "startAt",
  b.spread_minutes as "spreadMinutes", b.quiet_from as "quietFrom", b.quiet_to as "quietTo",
  b.skips_days_off as "skipsDaysOff", b.consent_basis as "consentBasis", b.consent_note as "consentNote"`;

/** A broadcast as lists show it. */
export type ListedBroadcast = {
  id: BroadcastId;
  name: string;
  state: BroadcastState;
  pauseReason: PauseReason | null;
  createdBy: PersonId | null;
  approvalAskedBy: PersonId | null;
  /** Of a draft the rows that would be sent, otherwise its recipients. */
  recipients: number;
  progress: Progress | null;
  held: number;
  createdAt: Date;
  startAt: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  author: string | null;
};

const LISTED = `b.id, b.name, b.state, b.pause_reason as "pauseReason", b.created_by as "createdBy",
  b.approval_asked_by as "approvalAskedBy",
  ${RECIPIENT_COUNT}, b.counts as progress, b.held, b.created_at as "createdAt", b.start_at as "startAt",
  b.started_at as "startedAt", b.ended_at as "endedAt", p.name as author`;

/** Newest first. */
export async function findBroadcasts(
  sql: Sql,
  filter: {
    companyId: CompanyId;
    states: readonly string[] | undefined;
    before: BroadcastId | undefined;
    limit: number;
  },
): Promise<ListedBroadcast[]> {
  return await sql.query<ListedBroadcast>(
    `select ${LISTED} from broadcast b left join person p on p.id = b.created_by
     where b.company_id = $1 and ($2::text[] is null or b.state::text = any ($2))
       and ($3::uuid is null or b.id < $3)
     order by b.id desc limit $4`,
    [filter.companyId, filter.states ?? null, filter.before ?? null, filter.limit],
  );
}

export type StoredDraft = ListedBroadcast &
  DraftFields & {
    version: number;
    columns: string[];
    phoneColumn: number | null;
    rowsState: RowsRead['state'];
    pauseDetail: string | null;
    pausedAt: Date | null;
    resumeAt: Date | null;
    approvedBy: string | null;
  };

export async function findDraft(
  sql: Sql,
  { companyId, id }: BroadcastRef,
): Promise<StoredDraft | undefined> {
  const rows = await sql.query<StoredDraft>(
    `select ${LISTED}, ${FIELDS}, b.version, b.columns, b.phone_column as "phoneColumn",
       b.rows_state as "rowsState", b.pause_detail as "pauseDetail", b.paused_at as "pausedAt",
       b.resume_at as "resumeAt", a.name as "approvedBy"
     from broadcast b left join person p on p.id = b.created_by left join person a on a.id = b.approved_by
     where b.company_id = $1 and b.id = $2`,
    [companyId, id],
  );
  return rows[0];
}

/** Undefined when the company has `draftsMax` drafts already. */
export async function insertDraft(
  tx: Transaction,
  draft: BroadcastRef & { name: string; createdBy: PersonId; draftsMax: number },
): Promise<BroadcastId | undefined> {
  const rows = await tx.query<{ id: BroadcastId }>(
    `insert into broadcast (id, company_id, name, created_by)
     select $1, $2, $3, $4
     where (select count(*) from broadcast where company_id = $2 and state = 'draft') < $5
     returning id`,
    [draft.id, draft.companyId, draft.name, draft.createdBy, draft.draftsMax],
  );
  return rows[0]?.id;
}

export type LockedDraft = DraftFields & {
  state: BroadcastState;
  version: number;
  approvalAskedBy: PersonId | null;
};

/** Locks a broadcast until the transaction ends. Undefined when the company has no such one. */
export async function lockDraft(
  tx: Transaction,
  { companyId, id }: BroadcastRef,
): Promise<LockedDraft | undefined> {
  const rows = await tx.query<LockedDraft>(
    `select ${FIELDS}, b.state, b.version, b.approval_asked_by as "approvalAskedBy"
     from broadcast b where b.company_id = $1 and b.id = $2 for update`,
    [companyId, id],
  );
  return rows[0];
}

/** Returns the new version. Rows that were checked by another rule have to be checked again. */
export async function updateDraft(
  tx: Transaction,
  { companyId, id }: BroadcastRef,
  fields: DraftFields,
): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    `update broadcast set name = $3, includes_other_countries = $4, text = $5, url = $6,
       whatsapp_template = $7, channels = $8::text[]::channel[], start_at = $9, spread_minutes = $10,
       quiet_from = $11, quiet_to = $12, skips_days_off = $13, consent_basis = $14, consent_note = $15,
       rows_state = case when rows_state = 'checked' and includes_other_countries <> $4
         then 'read' else rows_state end,
       version = version + 1, updated_at = clock_timestamp()
     where company_id = $1 and id = $2 returning version`,
    [
      companyId,
      id,
      fields.name,
      fields.includesOtherCountries,
      fields.text,
      fields.url,
      fields.whatsappTemplate && JSON.stringify(fields.whatsappTemplate),
      fields.channels,
      fields.startAt,
      fields.spreadMinutes,
      fields.quietFrom,
      fields.quietTo,
      fields.skipsDaysOff,
      fields.consentBasis,
      fields.consentNote,
    ],
  );
  return (rows[0] as { version: number }).version;
}

/** From here on the draft has no recipients, and pages that show it are out of date. */
export async function forgetRows(tx: Transaction, { companyId, id }: BroadcastRef): Promise<void> {
  await tx.query(
    `update broadcast set rows_state = 'none', rows_count = 0, version = version + 1
     where company_id = $1 and id = $2`,
    [companyId, id],
  );
}

/** Removes a part of the rows: 100,000 at once would take longer than a statement may. */
export async function removeRows(sql: Sql, id: BroadcastId, limit: number): Promise<number> {
  const rows = await sql.query<{ removed: number }>(
    `with removed as (delete from broadcast_row where broadcast_id = $1 and number in
       (select number from broadcast_row where broadcast_id = $1 order by number limit $2) returning 1)
     select count(*)::integer as removed from removed`,
    [id, limit],
  );
  return (rows[0] as { removed: number }).removed;
}

export async function removeDraft(tx: Transaction, { companyId, id }: BroadcastRef): Promise<void> {
  await tx.query('delete from broadcast where company_id = $1 and id = $2', [companyId, id]);
}

/** A row that will be sent. */
export type SendRow = { number: number; phone: Phone; cells: string[] };

/**
 * The next rows that will be sent, in the order of the file. As JSON the cells are read six times as
 * fast as in the form of an array.
 */
export async function listSendRows(
  sql: Sql,
  id: BroadcastId,
  { after, limit }: { after: number; limit: number },
): Promise<SendRow[]> {
  return await sql.query<SendRow>(
    `select number, phone::text as phone, to_json(cells) as cells from broadcast_row
     where broadcast_id = $1 and verdict = 'send' and number > $2 order by number limit $3`,
    [id, after, limit],
  );
}

export type CarriedByChannel = Record<Channel, number>;

/** What all customers of the installation sent since a day of Almaty, by the counted days. */
export async function sumCarried(sql: Sql, fromDay: string): Promise<CarriedByChannel> {
  const rows = await sql.query<{ channel: Channel; carried: number }>(
    `select item as channel, sum(carried)::bigint as carried from figure_day
     where day >= $1 and item = any ($2) group by item`,
    [fromDay, CHANNELS],
  );
  const found = new Map(rows.map(({ channel, carried }) => [channel, carried]));
  return Object.fromEntries(
    CHANNELS.map((channel) => [channel, found.get(channel) ?? 0]),
  ) as CarriedByChannel;
}
