import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId, MessageKind } from '../ids.ts';

export type LinkState = 'active' | 'expired' | 'disabled';
export type LinkSource = MessageKind | 'shorten';

export type StoredLink = {
  slug_key: string;
  slug: string;
  url: string;
  state: LinkState;
  source: LinkSource;
  message_id: MessageId | null;
  /** Of its message: E.164 digits, or the id of a group. */
  recipient: string | null;
  created_at: Date;
  expires_at: Date | null;
  tags: string[] | null;
};

const STATE = `case when l.disabled_at is not null then 'disabled'
  when l.expires_at <= clock_timestamp() then 'expired' else 'active' end`;
// A subquery per link, because a join might read all messages of the company.
const SOURCE = `case when l.message_id is null then 'shorten' else coalesce(
  (select m.kind::text from message m where m.company_id = l.company_id and m.id = l.message_id), 'shorten') end`;
const SHOWN = `l.slug_key, l.slug, l.url, l.message_id, l.recipient::text as recipient, l.created_at, l.expires_at, l.tags`;

export async function findLink(
  sql: Sql,
  companyId: CompanyId,
  slug: string,
): Promise<StoredLink | undefined> {
  const rows = await sql.query<StoredLink>(
    `select ${SHOWN}, ${STATE} as state, ${SOURCE} as source
     from link l where l.company_id = $1 and l.slug_key = lower($2)`,
    [companyId, slug],
  );
  return rows[0];
}

/** A cursor into the list, exact to the microsecond. */
export type LinkPosition = { createdUs: string; slugKey: string };

export type LinkQuery = {
  after: LinkPosition | undefined;
  /** Part of the target URL or of the short name, in lower case. */
  search: string | undefined;
  state: LinkState | undefined;
  source: LinkSource | undefined;
  /** Only links with a tag are scanned then. */
  tag: string | undefined;
  /** How many links are scanned, and how many returned, at most. */
  lookedMax: number;
  foundMax: number;
};

export type ScannedLinks = {
  links: (StoredLink & { place: LinkPosition })[];
  /** The last link scanned; undefined when the scan reached the end. */
  lookedUntil: (LinkPosition & { at: Date }) | undefined;
};

type Row = Partial<StoredLink> & { created_us?: string } & {
  looked: number;
  end_us: string;
  end_slug_key: string;
  end_at: Date;
};

const MICROSECONDS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`;
const FROM_MICROSECONDS = (value: string) =>
  `'epoch'::timestamptz + ${value}::bigint * interval '1 microsecond'`;

/**
 * The newest matching links of a company after a cursor. However rare the matches are, at most
 * `lookedMax` links are scanned, and the caller can continue from there.
 */
export async function scanLinks(
  sql: Sql,
  companyId: CompanyId,
  query: LinkQuery,
): Promise<ScannedLinks> {
  const rows = await sql.query<Row>(
    `with looked as materialized (
       select l.* from link l
       where l.company_id = $1 ${query.tag === undefined ? '' : 'and l.tags is not null'} and ($2::text is null or
         (l.created_at, l.slug_key) < (${FROM_MICROSECONDS('$2')}, $3::text))
       order by l.created_at desc, l.slug_key desc limit $7),
     found as (
       select ${SHOWN}, ${STATE} as state, ${SOURCE} as source, ${MICROSECONDS('l.created_at')} as created_us
       from looked l
       where ($4::text is null or strpos(lower(l.url), $4) > 0 or strpos(l.slug_key, $4) > 0)
         and ($5::text is null or ${STATE} = $5) and ($6::text is null or ${SOURCE} = $6)
         and ($9::text is null or $9 = any (l.tags))
       order by l.created_at desc, l.slug_key desc limit $8),
     last as (select created_at, slug_key from looked order by created_at, slug_key limit 1)
     select f.*, (select count(*) from looked)::integer as looked, ${MICROSECONDS('last.created_at')} as end_us,
       last.slug_key as end_slug_key, last.created_at as end_at
     from last left join found f on true
     order by f.created_at desc, f.slug_key desc`,
    [
      companyId,
      query.after?.createdUs ?? null,
      query.after?.slugKey ?? null,
      query.search ?? null,
      query.state ?? null,
      query.source ?? null,
      query.lookedMax,
      query.foundMax,
      query.tag ?? null,
    ],
  );
  const [first] = rows;
  const hasMore = first !== undefined && first.looked === query.lookedMax;
  return {
    links: rows.filter(isFound).map((row) => ({
      ...row,
      place: { createdUs: row.created_us, slugKey: row.slug_key },
    })),
    lookedUntil: hasMore
      ? { createdUs: first.end_us, slugKey: first.end_slug_key, at: first.end_at }
      : undefined,
  };
}

function isFound(row: Row): row is Row & StoredLink & { created_us: string } {
  return row.slug_key !== null;
}
