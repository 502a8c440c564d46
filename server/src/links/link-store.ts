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
