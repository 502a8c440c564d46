import type { Sql } from '../../db/sql.ts';

/** Takes or renews the lease. Returns the node that has it now. */
export async function takeLease(
  sql: Sql,
  lease: { provider: string; node: string; seconds: number },
): Promise<string | undefined> {
  const rows = await sql.query<{ node: string }>(
    `with taken as (
       insert into provider_lease as l (provider, node, until)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3))
       on conflict (provider) do update set node = excluded.node, until = excluded.until
       where l.node = excluded.node or l.until < clock_timestamp()
       returning l.node
     )
     select node from taken
     union all
     select node from provider_lease where provider = $1 and not exists (select from taken)`,
    [lease.provider, lease.node, lease.seconds],
    'take-lease',
  );
  return rows[0]?.node;
}

export async function releaseLease(
  sql: Sql,
  { provider, node }: { provider: string; node: string },
): Promise<void> {
  await sql.query('delete from provider_lease where provider = $1 and node = $2', [provider, node]);
}
