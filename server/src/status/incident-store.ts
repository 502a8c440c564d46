import type {
  Component,
  INCIDENT_IMPACTS,
  INCIDENT_STATES,
} from '@zhiber/contract/admin/incidents.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

export type IncidentState = (typeof INCIDENT_STATES)[number];
export type IncidentImpact = (typeof INCIDENT_IMPACTS)[number];
/** Null where there is no translation. */
export type Translated = { ru: string; kk: string | null; en: string | null };

export type IncidentFacts = {
  title: Translated;
  impact: IncidentImpact;
  components: readonly Component[];
  /** Of maintenance, its planned times; null for an incident. */
  planned: { from: Date; until: Date } | null;
};
export type StoredIncident = IncidentFacts & {
  id: number;
  state: IncidentState;
  startedAt: Date;
  publishedAt: Date | null;
  resolvedAt: Date | null;
};
export type StoredUpdate = {
  number: number;
  at: Date;
  state: IncidentState;
  text: Translated;
  writtenBy: string | null;
};

const COLUMNS = `id, json_build_object('ru', title_ru, 'kk', title_kk, 'en', title_en) as title, impact, components,
  state, started_at as "startedAt", published_at as "publishedAt", resolved_at as "resolvedAt",
  planned_from as "plannedFrom", planned_until as "plannedUntil"`;

type Row = Omit<StoredIncident, 'planned'> & {
  plannedFrom: Date | null;
  plannedUntil: Date | null;
};

function toIncident({ plannedFrom: from, plannedUntil: until, ...rest }: Row): StoredIncident {
  return { ...rest, planned: from === null || until === null ? null : { from, until } };
}

/** Newest first, drafts too. */
export async function findIncidents(
  sql: Sql,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<StoredIncident[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from incident where $1::bigint is null or id < $1 order by id desc limit $2`,
    [before ?? null, limit],
  );
  return rows.map(toIncident);
}

export async function findIncident(sql: Sql, id: number): Promise<StoredIncident | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from incident where id = $1`, [id]);
  return rows.map(toIncident)[0];
}

/** As `findIncident`; until the transaction ends, nobody else changes it. */
export async function lockIncident(
  tx: Transaction,
  id: number,
): Promise<StoredIncident | undefined> {
  const rows = await tx.query<Row>(`select ${COLUMNS} from incident where id = $1 for update`, [
    id,
  ]);
  return rows.map(toIncident)[0];
}

/** Newest first. */
export async function findUpdates(sql: Sql, incidentId: number): Promise<StoredUpdate[]> {
  return await sql.query<StoredUpdate>(
    `select number, at, state, json_build_object('ru', text_ru, 'kk', text_kk, 'en', text_en) as text,
       written_by as "writtenBy"
     from incident_update where incident_id = $1 order by number desc`,
    [incidentId],
  );
}

/** Of several incidents, the newest first. */
export async function findUpdatesOf(
  sql: Sql,
  incidentIds: readonly number[],
): Promise<(StoredUpdate & { incidentId: number })[]> {
  return await sql.query<StoredUpdate & { incidentId: number }>(
    `select incident_id as "incidentId", number, at, state,
       json_build_object('ru', text_ru, 'kk', text_kk, 'en', text_en) as text, written_by as "writtenBy"
     from incident_update where incident_id = any ($1::bigint[]) order by incident_id, number desc`,
    [incidentIds],
  );
}

/** The incidents that everybody may see and that were open after a time, newest first. */
export async function findPublicIncidents(sql: Sql, since: Date): Promise<StoredIncident[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from incident
     where published_at is not null and (resolved_at is null or resolved_at >= $1) order by id desc`,
    [since],
  );
  return rows.map(toIncident);
}

export async function insertIncident(
  tx: Transaction,
  { title, impact, components, planned, state }: IncidentFacts & { state: IncidentState },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(
    `insert into incident (title_ru, title_kk, title_en, impact, components, state, started_at, resolved_at,
       planned_from, planned_until)
     values ($1, $2, $3, $4, $5, $6::incident_state, clock_timestamp(),
       case when $6::incident_state = 'resolved' then clock_timestamp() end, $7, $8)
     returning id`,
    [
      title.ru,
      title.kk,
      title.en,
      impact,
      components,
      state,
      planned?.from ?? null,
      planned?.until ?? null,
    ],
  );
  return (rows[0] as { id: number }).id;
}

export async function setFacts(
  tx: Transaction,
  id: number,
  { title, impact, components, planned }: IncidentFacts,
): Promise<void> {
  await tx.query(
    `update incident set title_ru = $2, title_kk = $3, title_en = $4, impact = $5, components = $6,
       planned_from = $7, planned_until = $8
     where id = $1`,
    [
      id,
      title.ru,
      title.kk,
      title.en,
      impact,
      components,
      planned?.from ?? null,
      planned?.until ?? null,
    ],
  );
}

/** A resolved incident keeps the time when it was resolved first, until it is reopened. */
export async function setState(tx: Transaction, id: number, state: IncidentState): Promise<void> {
  await tx.query(
    `update incident set state = $2::incident_state,
       resolved_at = case when $2::incident_state = 'resolved' then coalesce(resolved_at, clock_timestamp()) end
     where id = $1`,
    [id, state],
  );
}

/** False when it is public already. */
export async function setPublished(tx: Transaction, id: number): Promise<boolean> {
  const rows = await tx.query(
    `update incident set published_at = clock_timestamp() where id = $1 and published_at is null returning 1`,
    [id],
  );
  return rows.length === 1;
}

/** Only of a draft. */
export async function deleteDraft(tx: Transaction, id: number): Promise<boolean> {
  const rows = await tx.query(
    'delete from incident where id = $1 and published_at is null returning 1',
    [id],
  );
  return rows.length === 1;
}

/** The incident must be locked, or new. */
export async function insertUpdate(
  tx: Transaction,
  update: { incidentId: number; state: IncidentState; text: Translated; by: string | undefined },
): Promise<number> {
  const { incidentId, state, text, by } = update;
  const rows = await tx.query<{ number: number }>(
    `insert into incident_update (incident_id, number, at, state, text_ru, text_kk, text_en, written_by)
     select $1, coalesce(max(number), 0) + 1, clock_timestamp(), $2, $3, $4, $5, $6
     from incident_update where incident_id = $1 returning number`,
    [incidentId, state, text.ru, text.kk, text.en, by ?? null],
  );
  return (rows[0] as { number: number }).number;
}
