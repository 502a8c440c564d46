import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { createTtlCache } from '../runtime/cache.ts';

export type BarredHost = { host: string; reason: string; barredAt: Date };

/** The newest first. */
export async function listBarredHosts(sql: Sql): Promise<BarredHost[]> {
  return await sql.query<BarredHost>(
    'select host, reason, barred_at as "barredAt" from barred_host order by barred_at desc, host',
  );
}

/** False when it is barred already. */
export async function insertBarredHost(
  tx: Transaction,
  { host, reason }: { host: string; reason: string },
): Promise<boolean> {
  const rows = await tx.query(
    'insert into barred_host (host, reason) values ($1, $2) on conflict do nothing returning 1',
    [host, reason],
  );
  return rows.length === 1;
}

/** False when it is not barred. */
export async function deleteBarredHost(tx: Transaction, host: string): Promise<boolean> {
  const rows = await tx.query('delete from barred_host where host = $1 returning 1', [host]);
  return rows.length === 1;
}

/** Hosts that short links must not lead to, with all their subdomains. */
export type BarredHosts = { includes(hostname: string): Promise<boolean> };

const BARRED_TTL_MS = 800;

/** A change takes effect on every node within a second. */
export function openBarredHosts(sql: Sql): BarredHosts {
  const load = async (_all: 'all') => new Set((await listBarredHosts(sql)).map(({ host }) => host));
  const cache = createTtlCache({ ttlMs: BARRED_TTL_MS, entriesMax: 1, load });
  return {
    async includes(hostname) {
      const barred = await cache.get('all');
      if (barred.size === 0) return false;
      const labels = hostname.replace(/\.+$/, '').split('.');
      return labels.some((_label, i) => barred.has(labels.slice(i).join('.')));
    },
  };
}
