import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, MessageId, MessageKind } from '../ids.ts';

export type LinkState = 'active' | 'expired' | 'disabled';
export type LinkSource = MessageKind | 'shorten';

export type StoredLink = {
  folded: string;
  slug: string;
  url: string;
  state: LinkState;
  source: LinkSource;
  message_id: MessageId | null;
  /** Of the message it travelled in: E.164 digits, or the id of a group. */
  recipient: string | null;
  created_at: Date;
  expires_at: Date | null;
};

const STATE = `case when l.disabled_at is not null then 'disabled'
  when l.expires_at <= clock_timestamp() then 'expired' else 'active' end`;
// Asked for one link at a time: a join might read all messages of the company instead.
const SOURCE = `case when l.message_id is null then 'shorten' else coalesce(
  (select m.kind::text from message m where m.company_id = l.company_id and m.id = l.message_id), 'shorten') end`;
const SHOWN = `l.folded, l.slug, l.url, l.message_id, l.recipient::text as recipient, l.created_at, l.expires_at`;

export async function findLink(
  sql: Sql,
  companyId: CompanyId,
  slug: string,
): Promise<StoredLink | undefined> {
  const rows = await sql.query<StoredLink>(
    `select ${SHOWN}, ${STATE} as state, ${SOURCE} as source
     from link l where l.company_id = $1 and l.folded = lower($2)`,
    [companyId, slug],
  );
  return rows[0];
}

/** A place between two links of a list, exact to the microsecond. */
export type LinkPlace = { createdUs: string; folded: string };

export type LinkQuery = {
  after: LinkPlace | undefined;
  /** In the address or in the name, in lower case. */
  search: string | undefined;
  state: LinkState | undefined;
  source: LinkSource | undefined;
  /** Links that are looked at, and those that are given. */
  lookedMax: number;
  foundMax: number;
};

export type LookedLinks = {
  links: (StoredLink & { place: LinkPlace })[];
  /** The last one looked at; undefined when all have been. */
  lookedUntil: (LinkPlace & { at: Date }) | undefined;
};

type Row = Partial<StoredLink> & { created_us?: string } & {
  looked: number;
  end_us: string;
  end_folded: string;
  end_at: Date;
};

const MICROSECONDS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`;
const FROM_MICROSECONDS = (value: string) =>
  `'epoch'::timestamptz + ${value}::bigint * interval '1 microsecond'`;

/**
 * The newest links of a company that match, from a place on. However rare a match is, only so many
 * links are looked at, and whoever asks can go on from there.
 */
export async function lookForLinks(
  sql: Sql,
  companyId: CompanyId,
  query: LinkQuery,
): Promise<LookedLinks> {
  const rows = await sql.query<Row>(
    `with looked as materialized (
       select l.* from link l
       where l.company_id = $1 and ($2::text is null or
         (l.created_at, l.folded) < (${FROM_MICROSECONDS('$2')}, $3::text))
       order by l.created_at desc, l.folded desc limit $7),
     found as (
       select ${SHOWN}, ${STATE} as state, ${SOURCE} as source, ${MICROSECONDS('l.created_at')} as created_us
       from looked l
       where ($4::text is null or strpos(lower(l.url), $4) > 0 or strpos(l.folded, $4) > 0)
         and ($5::text is null or ${STATE} = $5) and ($6::text is null or ${SOURCE} = $6)
       order by l.created_at desc, l.folded desc limit $8),
     last as (select created_at, folded from looked order by created_at, folded limit 1)
     select f.*, (select count(*) from looked)::integer as looked, ${MICROSECONDS('last.created_at')} as end_us,
       last.folded as end_folded, last.created_at as end_at
     from last left join found f on true
     order by f.created_at desc, f.folded desc`,
    [
      companyId,
      query.after?.createdUs ?? null,
      query.after?.folded ?? null,
      query.search ?? null,
      query.state ?? null,
      query.source ?? null,
      query.lookedMax,
      query.foundMax,
    ],
  );
  const [first] = rows;
  const hasMore = first !== undefined && first.looked === query.lookedMax;
  return {
    links: rows.filter(isFound).map((row) => ({
      ...row,
      place: { createdUs: row.created_us, folded: row.folded },
    })),
    lookedUntil: hasMore
      ? { createdUs: first.end_us, folded: first.end_folded, at: first.end_at }
      : undefined,
  };
}

function isFound(row: Row): row is Row & StoredLink & { created_us: string } {
  return row.folded !== null;
}
