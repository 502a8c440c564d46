import type { Sql } from '../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';
import type { CompanyTerms } from './company-terms.ts';

/** A company as the list of the desk shows it. */
export type FoundCompany = {
  id: CompanyId;
  /** How well it matches: 0 before 1. */
  rank: number;
  name: string;
  business_id: string | null;
  created_at: Date;
  suspended_because: string | null;
  balance: number;
  debt: number;
  spent_week: number;
  members: number;
  keys: number;
};

export type CompanyState = 'active' | 'suspended' | 'owing';

const IS_CUSTOMER = `c.id is distinct from (select value::bigint from installation where name = 'system_company')`;
const IN_STATE = `($2::text is null or case $2 when 'active' then c.suspended_at is null
  when 'suspended' then c.suspended_at is not null else a.debt > 0 end)`;

/** As in the index company_name_words. */
const NAME_WORDS = `to_tsvector('simple', translate(name, './-_@&+:«»“”„’—–', '                '))`;

/** Sums and counts are read for the rows of the page alone. */
const listed = (
  page: string,
) => `select c.id, c.rank::integer as rank, c.name, c.business_id, c.created_at,
    c.suspended_because, c.balance, c.debt, spent_since(c.id, $1)::double precision as spent_week,
    (select count(*)::integer from member m where m.company_id = c.id) as members,
    (select count(*)::integer from api_key k
      where k.company_id = c.id and k.revoked_at is null and not k.is_for_broadcasts) as keys
  from (${page}) c order by c.rank, c.id desc`;

type Page = {
  /** Spending is summed from then on. */
  since: Date;
  state: CompanyState | undefined;
  after: { rank: number; id: number } | undefined;
  rowsMax: number;
};

/** All customers, newest first. */
export async function findCompanies(sql: Sql, page: Page): Promise<FoundCompany[]> {
  return await sql.query<FoundCompany>(
    listed(
      `select c.*, a.balance, a.debt, 0 as rank from company c join account a on a.company_id = c.id
       where ${IS_CUSTOMER} and ${IN_STATE} and ($3::bigint is null or c.id < $3)
       order by c.id desc limit $4`,
    ),
    [page.since, page.state ?? null, page.after?.id ?? null, page.rowsMax],
  );
}

/**
 * Customers that match in any way. Each way has an index. First those that were named exactly or by
 * the beginning of their name, then those with the words somewhere in it.
 */
export async function searchCompanies(
  sql: Sql,
  terms: CompanyTerms,
  page: Page,
): Promise<FoundCompany[]> {
  return await sql.query<FoundCompany>(
    listed(
      `select c.*, a.balance, a.debt, f.rank from (
         select id, min(rank) as rank from (
           select id, 0 as rank from company where id = $6 or business_id = $7
           union all
           select id, 0 from company where lower(name) like $8
           union all
           select id, 1 from company
           where ${NAME_WORDS} @@ to_tsquery('simple', $9)
           union all
           select m.company_id, 0 from person p join member m on m.person_id = p.id
           where p.phone = $10 or p.email like $11
           union all
           select k.company_id, 0 from api_key k where k.shown_start like $12 and not k.is_for_broadcasts
         ) found group by id
       ) f join company c on c.id = f.id join account a on a.company_id = c.id
       where ${IS_CUSTOMER} and ${IN_STATE} and ($3::bigint is null or (f.rank, -c.id) > ($5::integer, -$3))
       order by f.rank, c.id desc limit $4`,
    ),
    [
      page.since,
      page.state ?? null,
      page.after?.id ?? null,
      page.rowsMax,
      page.after?.rank ?? null,
      terms.id,
      terms.businessId,
      terms.nameStart,
      terms.nameWords,
      terms.phone,
      terms.emailStart,
      terms.keyStart,
    ],
  );
}

/** The company of the installation itself is no customer. */
export async function findCustomerName(sql: Sql, id: CompanyId): Promise<string | undefined> {
  const rows = await sql.query<{ name: string }>(
    `select c.name from company c where c.id = $1 and ${IS_CUSTOMER}`,
    [id],
  );
  return rows[0]?.name;
}

export type Spending = { today: number; week: number; month: number };

export async function readSpending(
  sql: Sql,
  id: CompanyId,
  since: Record<keyof Spending, Date>,
): Promise<Spending> {
  const rows = await sql.query<Spending>(
    `select spent_since($1, $2)::double precision as today, spent_since($1, $3)::double precision as week,
       spent_since($1, $4)::double precision as month`,
    [id, since.today, since.week, since.month],
  );
  return rows[0] as Spending;
}

/** Enough to see a share, and few enough to read for every visit of the page. */
const CODES_COUNTED_MAX = 1_000;

export type CodeCounts = { sent: number; verified: number };

/**
 * Of the newest live codes since a time, the last one of each number: how many there are, and how
 * many were verified. A code that was replaced by a newer one could not be verified any more.
 */
export async function countCodes(sql: Sql, id: CompanyId, since: Date): Promise<CodeCounts> {
  const rows = await sql.query<CodeCounts>(
    `select count(*)::integer as sent, count(c.verified_at)::integer as verified
     from (select m.id, m.key_id, m.recipient, m.purpose from message m
           where m.company_id = $1 and m.id >= $2 and m.kind = 'otp' and m.state = 'sent' and not m.is_test
           order by m.id desc limit $3) m
     join code c on c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose and c.message_id = m.id`,
    [id, lowestIdAt(since.getTime()), CODES_COUNTED_MAX],
  );
  return rows[0] as CodeCounts;
}
