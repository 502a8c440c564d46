import type { FoundLink } from '../context.ts';
import { callFunction } from '../db/call-function.ts';
import type { Transaction } from '../db/database.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type NewLink = {
  slug: string;
  companyId: CompanyId;
  url: string;
  ttlSeconds: number | null;
};

export type CreatedLink = {
  /** False when another company has the name, or this one uses it for another URL. */
  is_made: boolean;
  slug: string;
  expires_seconds: number | null;
};

const SHORTEN = { name: 'shorten', columns: 'is_made, slug, expires_seconds' };

/** Creates a batch of links in one statement. Idempotent: the same request gives the same link. */
export const createLinks: GroupStatement<NewLink, CreatedLink> = {
  name: 'shorten',
  itemsMax: 512,
  waitingMax: 4_096,
  run: (sql, items) =>
    callFunction<CreatedLink>(sql, SHORTEN, {
      p_slug: items.map((item) => item.slug),
      p_company: items.map((item) => item.companyId),
      p_url: items.map((item) => item.url),
      p_ttl_seconds: items.map((item) => item.ttlSeconds),
    }),
};

const FIND_LINKS = {
  name: 'find_links',
  columns: `slug_key, company_id, url, message_id, recipient::text as recipient, is_open, is_suspended,
    expires_ms`,
};

/** Finds a batch of links in one statement, because anybody on the internet can cause this read. */
export const findLinks: GroupStatement<string, FoundLink | undefined> = {
  name: 'find link',
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, slugs) {
    const names = slugs.map((slug) => slug.toLowerCase());
    const rows = await callFunction<FoundLink>(sql, FIND_LINKS, { p_slug_keys: names });
    const found = new Map(rows.map((row) => [row.slug_key, row]));
    return names.map((name) => found.get(name));
  },
};

/** Disables a link permanently, for the operator. False when the company has no such link. */
export async function disableLinkPermanently(
  sql: Sql,
  companyId: CompanyId,
  slug: string,
): Promise<boolean> {
  const rows = await sql.query(
    `update link set disabled_at = coalesce(disabled_at, clock_timestamp()), is_barred = true
     where slug_key = lower($2) and company_id = $1 returning slug_key`,
    [companyId, slug],
  );
  return rows.length === 1;
}

export type LinkSwitch = { slug: string; url: string; is_on: boolean; can_be_on: boolean };

/** Locks a link before it is disabled or enabled. */
export async function lockLink(
  tx: Transaction,
  companyId: CompanyId,
  slug: string,
): Promise<LinkSwitch | undefined> {
  const rows = await tx.query<LinkSwitch>(
    `select slug, url, disabled_at is null as is_on,
       not is_barred and (expires_at is null or expires_at > clock_timestamp()) as can_be_on
     from link where company_id = $1 and slug_key = lower($2) for no key update`,
    [companyId, slug],
  );
  return rows[0];
}

export async function setLinkOn(
  tx: Transaction,
  companyId: CompanyId,
  { slug, isOn }: { slug: string; isOn: boolean },
): Promise<void> {
  await tx.query(
    `update link set disabled_at = case when not $3 then clock_timestamp() end
     where company_id = $1 and slug_key = lower($2)`,
    [companyId, slug, isOn],
  );
}

export type ChangingLink = {
  slug: string;
  url: string;
  expires_at: Date | null;
  is_barred: boolean;
};

/** Locks a link before its target or its expiry is changed. */
export async function lockChangingLink(
  tx: Transaction,
  companyId: CompanyId,
  slug: string,
): Promise<ChangingLink | undefined> {
  const rows = await tx.query<ChangingLink>(
    `select slug, url, expires_at, is_barred from link
     where company_id = $1 and slug_key = lower($2) for no key update`,
    [companyId, slug],
  );
  return rows[0];
}

export type LinkTarget = {
  slug: string;
  url: string;
  /** Undefined leaves the expiry as it is; null means no end. */
  ttlSeconds: number | null | undefined;
};

/** Changes a link and its history. Returns the new expiry. */
export async function setLinkTarget(
  tx: Transaction,
  companyId: CompanyId,
  { slug, url, ttlSeconds, personName }: LinkTarget & { personName: string | null },
): Promise<Date | null> {
  const rows = await tx.query<{ expires_at: Date | null }>(
    `with old as (select slug_key, url, expires_at from link where company_id = $1 and slug_key = lower($2)),
     changed as (
       update link l set url = $3,
         expires_at = case when $4 then clock_timestamp() + make_interval(secs => $5) else l.expires_at end
       from old where l.slug_key = old.slug_key returning l.expires_at)
     insert into link_change (company_id, slug_key, person_name, url_before, url_after, expires_before, expires_after)
     select $1, old.slug_key, $6, old.url, $3, old.expires_at, changed.expires_at from old, changed
     returning expires_after as expires_at`,
    [companyId, slug, url, ttlSeconds !== undefined, ttlSeconds ?? null, personName],
  );
  return rows[0]?.expires_at ?? null;
}

export type LinkChangeRow = {
  at: Date;
  person: string | null;
  url_before: string;
  url_after: string;
  expires_before: Date | null;
  expires_after: Date | null;
};

export async function findLinkChanges(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, limit }: { slugKey: string; limit: number },
): Promise<LinkChangeRow[]> {
  return await sql.query<LinkChangeRow>(
    `select at, person_name as person, url_before, url_after, expires_before, expires_after
     from link_change where company_id = $1 and slug_key = $2 order by id desc limit $3`,
    [companyId, slugKey, limit],
  );
}

/** Returns the tags before; undefined when the company has no such link. */
export async function setLinkTags(
  tx: Transaction,
  companyId: CompanyId,
  { slug, tags }: { slug: string; tags: readonly string[] },
): Promise<{ slug: string; before: string[] | null } | undefined> {
  const rows = await tx.query<{ slug: string; before: string[] | null }>(
    `with old as (
       select slug_key, tags from link where company_id = $1 and slug_key = lower($2) for no key update)
     update link l set tags = nullif($3::text[], '{}') from old where l.slug_key = old.slug_key
     returning l.slug, old.tags as before`,
    [companyId, slug, tags],
  );
  return rows[0];
}

/** The tags of the newest tagged links. */
export async function findTags(
  sql: Sql,
  companyId: CompanyId,
  { linksMax, tagsMax }: { linksMax: number; tagsMax: number },
): Promise<string[]> {
  const rows = await sql.query<{ tag: string }>(
    `select distinct unnest(l.tags) as tag
     from (select tags from link where company_id = $1 and tags is not null order by created_at desc limit $2) as l
     order by tag limit $3`,
    [companyId, linksMax, tagsMax],
  );
  return rows.map(({ tag }) => tag);
}

/** The names that this company cannot take. It may reuse its own expired ones. */
export async function findTakenNames(
  sql: Sql,
  companyId: CompanyId,
  names: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ slug_key: string }>(
    `select slug_key from link where slug_key = any ($2)
       and (company_id = $1 and disabled_at is null and expires_at <= clock_timestamp()) is not true`,
    [companyId, names],
  );
  return rows.map((row) => row.slug_key);
}
