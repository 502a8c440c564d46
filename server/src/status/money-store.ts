import type { Sql } from '../db/sql.ts';

/** In tokens, over all companies. */
export type MoneySums = {
  balance: number;
  held: number;
  debt: number;
  credited: number;
  refunded: number;
};

export async function sumMoney(sql: Sql): Promise<MoneySums> {
  const [sums] = await sql.query<MoneySums>(
    `select a.*, p.* from
       (select coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(held), 0)::bigint as held,
          coalesce(sum(debt), 0)::bigint as debt from account) a,
       (select coalesce(sum(amount), 0)::bigint as credited, coalesce(sum(refunded), 0)::bigint as refunded
        from payment) p`,
  );
  return sums as MoneySums;
}
