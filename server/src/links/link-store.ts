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
      `select folded, company_id, url, message_id, recipient::text as recipient,
         disabled_at is null and (expires_at is null or expires_at > clock_timestamp()) as is_open,
         (extract(epoch from expires_at - clock_timestamp()) * 1000)::double precision as expires_ms
       from link where folded = any ($1)`,
      [names],
      'find-links',
    );
    const found = new Map(rows.map((row) => [row.folded, row]));
    return names.map((name) => found.get(name));
  },
};

/** Clicks are written in groups; the person who clicked does not wait. */
export const recordClicks: GroupStatement<FoundLink, void> = {
  name: 'record click',
  itemsMax: 2_048,
  waitingMax: 100_000,
  // Well under the second within which no click may be lost.
  gatherMs: 50,
  async run(sql, links) {
    await sql.query(
      `insert into click (folded, company_id, message_id, recipient, at)
       select i.*, clock_timestamp() from unnest($1::text[], $2::bigint[], $3::uuid[], $4::bigint[]) as i`,
      [
        links.map((link) => link.folded),
        links.map((link) => link.company_id),
        links.map((link) => link.message_id),
        links.map((link) => link.recipient),
      ],
      'record-clicks',
    );
    return links.map(() => undefined);
  },
};

/** Switches a link off for good. False when the company has no such link. */
export async function disableLink(sql: Sql, companyId: CompanyId, slug: string): Promise<boolean> {
  const rows = await sql.query(
    `update link set disabled_at = coalesce(disabled_at, clock_timestamp())
     where folded = lower($2) and company_id = $1 returning folded`,
    [companyId, slug],
  );
  return rows.length === 1;
}
