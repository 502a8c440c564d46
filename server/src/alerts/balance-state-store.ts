import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type MoneyFacts = {
  balance: number;
  held: number;
  debt: number;
  threshold: number | null;
  /** Of the counted hours of the last seven days. */
  spent: number;
};

/** One row by index probes: every open page asks for it once a minute. */
export async function readMoneyFacts(
  sql: Sql,
  companyId: CompanyId,
  since: Date,
): Promise<MoneyFacts> {
  const rows = await sql.query<MoneyFacts>(
    `select a.balance, a.held, a.debt, b.threshold,
       (select coalesce(sum(h.charged), 0)::bigint from usage_hour h
        where h.company_id = $1 and h.hour >= $2) as spent
     from account a left join balance_alert b on b.company_id = a.company_id
     where a.company_id = $1`,
    [companyId, since],
    'read-money-facts',
  );
  return rows[0] as MoneyFacts;
}

export type Refusals = { count: number; since: Date | null };

/**
 * The sends of live keys that were refused for money since the last one that was paid, or the last
 * top-up. Posts to groups are refused for another reason: the company has never paid.
 */
export async function countRefusals(
  sql: Sql,
  companyId: CompanyId,
  countedMax: number,
): Promise<Refusals> {
  const rows = await sql.query<Refusals>(
    `select count(*)::integer as count, min(at) as since from (
       select l.at from request_log l join api_key k on k.id = l.key_id
       where l.company_id = $1 and l.error_code = 'insufficient_tokens' and l.path <> '/api/group/send'
         and not k.is_test and l.at > greatest(
           (select e.created_at from entry e where e.company_id = $1 and e.kind = 'charge'
            order by e.cause desc limit 1),
           (select e.created_at from entry e where e.company_id = $1 and e.kind = 'topup'
            order by e.cause desc limit 1),
           (select c.created_at from company c where c.id = $1))
       order by l.at limit $2
     ) refused`,
    [companyId, countedMax + 1],
    'count-refusals',
  );
  return rows[0] as Refusals;
}

/** The first members with one of these roles, by how long they are in the company. */
export async function listNames(
  sql: Sql,
  companyId: CompanyId,
  { roles, max }: { roles: readonly Role[]; max: number },
): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select p.name from member m join person p on p.id = m.person_id
     where m.company_id = $1 and m.role = any ($2) order by m.joined_at, p.id limit $3`,
    [companyId, roles, max],
  );
  return rows.map(({ name }) => name);
}
