import type { Transaction } from '../db/database.ts';
import type { GroupStatement, Sql } from '../db/group-commit.ts';
import type { CompanyId } from '../ids.ts';

export type NewLink = {
  slug: string;
  companyId: CompanyId;
  url: string;
  ttlSeconds: number | null;
};

export type MadeLink = {
  /** False when somebody else has the name, or the same company uses it for another address. */
  is_made: boolean;
  slug: string;
  expires_seconds: number | null;
};

/** Makes many links in one statement; asking for the same one again gives the same. */
export const makeLinks: GroupStatement<NewLink, MadeLink> = {
  name: 'shorten',
  itemsMax: 512,
  waitingMax: 4_096,
  run: (sql, items) =>
    sql.query<MadeLink>(
      'select is_made, slug, expires_seconds from shorten($1, $2, $3, $4)',
      [
        items.map((item) => item.slug),
        items.map((item) => item.companyId),
        items.map((item) => item.url),
        items.map((item) => item.ttlSeconds),
      ],
      'shorten',
    ),
};

export type FoundLink = {
  folded: string;
  company_id: CompanyId;
  url: string;
  message_id: string | null;
  recipient: string | null;
  is_open: boolean;
  /** Milliseconds until it expires; null when it never does. */
  expires_ms: number | null;
};

/**
 * Finds many links in one statement: opening links is the one read that everybody on the internet
 * can cause.
 */
export const findLinks: GroupStatement<string, FoundLink | undefined> = {
  name: 'find link',
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, slugs) {
    const names = slugs.map((slug) => slug.toLowerCase());
    const rows = await sql.query<FoundLink>(
      `select folded, company_id, url, message_id, recipient::text as recipient, is_open, expires_ms
       from find_links($1)`,
      [names],
      'find-links',
    );
    const found = new Map(rows.map((row) => [row.folded, row]));
    return names.map((name) => found.get(name));
  },
};

/** The operator switches a link off for good. False when the company has no such link. */
export async function barLink(sql: Sql, companyId: CompanyId, slug: string): Promise<boolean> {
  const rows = await sql.query(
    `update link set disabled_at = coalesce(disabled_at, clock_timestamp()), is_barred = true
     where folded = lower($2) and company_id = $1 returning folded`,
    [companyId, slug],
  );
  return rows.length === 1;
}

export type LinkSwitch = { slug: string; url: string; is_on: boolean; can_be_on: boolean };

/** A link that somebody is about to switch off or on; nobody else may meanwhile. */
export async function lockLink(
  tx: Transaction,
  companyId: CompanyId,
  slug: string,
): Promise<LinkSwitch | undefined> {
  const rows = await tx.query<LinkSwitch>(
    `select slug, url, disabled_at is null as is_on,
       not is_barred and (expires_at is null or expires_at > clock_timestamp()) as can_be_on
     from link where company_id = $1 and folded = lower($2) for no key update`,
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
     where company_id = $1 and folded = lower($2)`,
    [companyId, slug, isOn],
  );
}

/** Those of the names that nobody can take: a company may take its own expired one again. */
export async function findTakenNames(
  sql: Sql,
  companyId: CompanyId,
  names: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ folded: string }>(
    `select folded from link where folded = any ($2)
       and (company_id = $1 and disabled_at is null and expires_at <= clock_timestamp()) is not true`,
    [companyId, names],
  );
  return rows.map((row) => row.folded);
}
