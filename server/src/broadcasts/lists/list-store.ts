import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompanyId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';
import { arrayText } from '../rows/array-text.ts';

export type StoredList = {
  id: number;
  name: string;
  columns: string[];
  members: number;
  tags: Record<string, number>;
  updated_at: Date;
};

const FIELDS = 'id, name, columns, members, tags, updated_at';

export async function listLists(sql: Sql, companyId: CompanyId): Promise<StoredList[]> {
  return await sql.query<StoredList>(
    `select ${FIELDS} from recipient_list where company_id = $1 order by lower(name)`,
    [companyId],
  );
}

type Place = { companyId: CompanyId; listId: number };

export async function findList(
  sql: Sql,
  { companyId, listId }: Place,
): Promise<StoredList | undefined> {
  const rows = await sql.query<StoredList>(
    `select ${FIELDS} from recipient_list where company_id = $1 and id = $2`,
    [companyId, listId],
  );
  return rows[0];
}

export async function lockList(
  tx: Transaction,
  { companyId, listId }: Place,
): Promise<StoredList | undefined> {
  const rows = await tx.query<StoredList>(
    `select ${FIELDS} from recipient_list where company_id = $1 and id = $2 for update`,
    [companyId, listId],
  );
  return rows[0];
}

/** Undefined when the company has so many already. */
export async function insertList(
  tx: Transaction,
  { companyId, name, countMax }: { companyId: CompanyId; name: string; countMax: number },
): Promise<number | undefined> {
  const rows = await tx.query<{ id: number }>(
    `insert into recipient_list (company_id, name)
     select $1, $2 where (select count(*) from recipient_list where company_id = $1) < $3 returning id`,
    [companyId, name, countMax],
  );
  return rows[0]?.id;
}

export async function setListName(tx: Transaction, listId: number, name: string): Promise<void> {
  await tx.query(
    'update recipient_list set name = $2, updated_at = clock_timestamp() where id = $1',
    [listId, name],
  );
}

export async function setListColumns(
  tx: Transaction,
  listId: number,
  columns: readonly string[],
): Promise<void> {
  await tx.query('update recipient_list set columns = $2 where id = $1', [listId, columns]);
}

/** Counts the members and their tags again. */
export async function recountList(tx: Transaction, listId: number): Promise<void> {
  await tx.query(
    `update recipient_list set updated_at = clock_timestamp(),
       members = (select count(*) from list_member where list_id = $1),
       tags = (select coalesce(jsonb_object_agg(tag, count), '{}') from (
         select tag, count(*) as count from list_member, unnest(tags) as tag where list_id = $1 group by tag) as counted)
     where id = $1`,
    [listId],
  );
}

/** Removes some members; returns how many. */
export async function deleteSomeMembers(sql: Sql, listId: number): Promise<number> {
  const rows = await sql.query(
    `delete from list_member where list_id = $1 and phone in (
       select phone from list_member where list_id = $1 limit 5000) returning 1`,
    [listId],
  );
  return rows.length;
}

export async function deleteList(tx: Transaction, listId: number): Promise<void> {
  await tx.query('delete from recipient_list where id = $1', [listId]);
}

export type StoredMember = {
  id: number;
  phone: number;
  cells: string[];
  tags: string[];
  has_consent: boolean | null;
  is_unsubscribed: boolean;
};

/** In the order in which they were added. */
export async function listMembers(
  sql: Sql,
  filter: Place & { tag?: string | undefined; after: number; limit: number },
): Promise<StoredMember[]> {
  const { companyId, listId, tag, after, limit } = filter;
  return await sql.query<StoredMember>(
    `select id, phone, cells, tags, has_consent, exists (
       select from unsubscribed u where u.phone = m.phone and (u.company_id = $1 or u.company_id is null)) as is_unsubscribed
     from list_member m
     where list_id = $2 and id > $4 and ($3::text is null or tags @> array[$3::text])
     order by id limit $5`,
    [companyId, listId, tag ?? null, after, limit],
  );
}

/** Whether there was such a member. */
export async function deleteMember(
  tx: Transaction,
  listId: number,
  phone: Phone,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from list_member where list_id = $1 and phone = $2 returning 1',
    [listId, phone],
  );
  return rows.length > 0;
}

/** Members to send to: those with all of the tags. */
export type MemberFilter = { listId: number; tags: readonly string[] };

export async function countMembers(
  sql: Sql,
  { listId, tags }: MemberFilter,
): Promise<{ members: number; has_consents: boolean }> {
  const rows = await sql.query<{ members: number; has_consents: boolean }>(
    `select count(*) as members, coalesce(bool_or(has_consent is not null), false) as has_consents
     from list_member where list_id = $1 and tags @> $2::text[]`,
    [listId, tags],
  );
  return rows[0] as { members: number; has_consents: boolean };
}

export type TakenMember = Pick<StoredMember, 'id' | 'phone' | 'cells' | 'has_consent'>;

export async function takeMembers(
  sql: Sql,
  { listId, tags, after, limit }: MemberFilter & { after: number; limit: number },
): Promise<TakenMember[]> {
  return await sql.query<TakenMember>(
    `select id, phone, cells, has_consent from list_member
     where list_id = $1 and id > $2 and tags @> $3::text[] order by id limit $4`,
    [listId, after, tags, limit],
  );
}

export type ImportedRow = { number: number; phone: number; cells: string[] };

/** Rows of a broadcast whose phones are good, whether or not they get broadcasts. */
export async function listImportedRows(
  sql: Sql,
  { broadcastId, after, limit }: { broadcastId: string; after: number; limit: number },
): Promise<ImportedRow[]> {
  return await sql.query<ImportedRow>(
    `select number, phone, cells from broadcast_row
     where broadcast_id = $1 and number > $2 and verdict in ('send', 'unsubscribed') order by number limit $3`,
    [broadcastId, after, limit],
  );
}

/** How many of those are not in the list yet. */
export async function countNewMembers(
  tx: Transaction,
  { listId, broadcastId }: { listId: number; broadcastId: string },
): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*) as count from broadcast_row r
     where broadcast_id = $2 and verdict in ('send', 'unsubscribed')
       and not exists (select from list_member m where m.list_id = $1 and m.phone = r.phone)`,
    [listId, broadcastId],
  );
  return (rows[0] as { count: number }).count;
}

export type Member = Pick<StoredMember, 'phone' | 'cells' | 'tags' | 'has_consent'>;

export async function findMembers(
  tx: Transaction,
  listId: number,
  phones: readonly number[],
): Promise<Member[]> {
  return await tx.query<Member>(
    `select phone, cells, tags, has_consent from list_member where list_id = $1 and phone = any($2::bigint[])`,
    [listId, phones],
  );
}

export async function saveMembers(
  tx: Transaction,
  { companyId, listId }: Place,
  members: readonly Member[],
): Promise<void> {
  await tx.query(
    `insert into list_member (list_id, company_id, phone, cells, tags, has_consent)
     select $1, $2, phone, cells::text[], tags::text[], has_consent
     from unnest($3::bigint[], $4::text[], $5::text[], $6::boolean[]) as member (phone, cells, tags, has_consent)
     on conflict (list_id, phone) do update set cells = excluded.cells, tags = excluded.tags,
       has_consent = excluded.has_consent, updated_at = clock_timestamp()`,
    [
      listId,
      companyId,
      members.map(({ phone }) => phone),
      members.map(({ cells }) => arrayText(cells)),
      members.map(({ tags }) => arrayText(tags)),
      members.map(({ has_consent }) => has_consent),
    ],
  );
}
