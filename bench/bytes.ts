/**
 * `npm run bench -- --bytes`: what a send and a verification leave on the disk, by table and index,
 * and what they write to the database's log, by table and by kind of record.
 */
import type pg from 'pg';
import { type Block, measure } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { columns } from './report.ts';
import { createClients, prepareCodes, type Service } from './service.ts';

const CALLS = 50_000;
const CODES_FROM = 500_000_000;
const BLOCK_SECONDS = 4;
/** Rows below this are summed up. */
const BYTES_SHOWN = 1;

type Bytes = ReadonlyMap<string, number>;

export async function measureBytes(
  client: LoadClient,
  service: Service,
  say: (line: string) => void,
): Promise<string> {
  const [company] = await createClients(service.db, 1);
  if (company === undefined) throw new Error('no company');
  const sql = await service.openAsSuperuser();
  const common = { port: service.port, connections: 64, keys: [company.key] };
  const blocks: Block[] = [
    { ...common, name: 'send', kind: 'send', numbers: { next: 1 } },
    { ...common, name: 'verify', kind: 'verify', numbers: { next: CODES_FROM } },
  ];
  const tables: string[] = [];
  try {
    await sql.query('create extension if not exists pg_walinspect');
    await sql.query('checkpoint');
    // Checked soon after they were written, as codes are: their pages are in the log already.
    await prepareCodes(service, company, CODES_FROM, CALLS * 2);
    for (const block of blocks) {
      // The first calls of a new table fill pages that later ones share.
      await measure(client, service, block, 1);
      await service.settleDown();
      const before = { sizes: await readSizes(sql), lsn: await readLsn(sql) };
      const from = block.numbers.next;
      while (block.numbers.next - from < CALLS)
        await measure(client, service, block, BLOCK_SECONDS);
      // With the receipts, which come seconds after their sends.
      await service.settleDown();
      const calls = block.numbers.next - from;
      say(`  ${block.name}: ${calls} calls`);
      const sizes = subtract(await readSizes(sql), before.sizes);
      const wal = await readWal(sql, before.lsn);
      tables.push(
        table(`disk of a ${block.name}, by table and index`, sizes, calls),
        table(`log of a ${block.name}, by table and index`, wal.byRelation, calls),
        table(`log of a ${block.name}, by kind of record`, wal.byRecord, calls),
      );
    }
  } finally {
    await sql.end();
  }
  return tables.join('\n\n');
}

async function readLsn(sql: pg.Client): Promise<string> {
  const { rows } = await sql.query('select pg_current_wal_flush_lsn()::text as lsn');
  return rows[0].lsn;
}

/** Partitions are counted under the name of their table. */
const NAME = `regexp_replace(c.relname, '_\\d{4}_\\d\\d', '')`;

async function readSizes(sql: pg.Client): Promise<Bytes> {
  const { rows } = await sql.query<{ name: string; bytes: string }>(
    `select case when c.relkind = 'i' then '  ' || ${NAME} else ${NAME} end as name,
       sum(pg_relation_size(c.oid)) as bytes
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') group by 1`,
  );
  return toBytes(rows);
}

async function readWal(sql: pg.Client, lsn: string) {
  const range = [lsn, await readLsn(sql)];
  const byRecord = await sql.query<{ name: string; bytes: string }>(
    `select resource_manager || ' ' || record_type as name, sum(record_length - fpi_length) as bytes
     from pg_get_wal_records_info($1, $2) group by 1
     union all
     select 'full page images', sum(fpi_length) from pg_get_wal_records_info($1, $2)`,
    range,
  );
  // A record that touches several tables is rare, and counts for each of its blocks in equal parts.
  const byRelation = await sql.query<{ name: string; bytes: string }>(
    `select coalesce(${NAME}, 'other') as name, sum(b.bytes) as bytes from (
       select relfilenode, record_length::numeric / count(*) over (partition by start_lsn) as bytes
       from pg_get_wal_block_info($1, $2)) b
     left join pg_class c on c.relfilenode = b.relfilenode group by 1
     union all
     select 'commits and others', sum(record_length) from pg_get_wal_records_info($1, $2) where block_ref is null`,
    range,
  );
  return { byRecord: toBytes(byRecord.rows), byRelation: toBytes(byRelation.rows) };
}

function toBytes(rows: readonly { name: string; bytes: string }[]): Bytes {
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function subtract(after: Bytes, before: Bytes): Bytes {
  return new Map([...after].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]));
}

function table(title: string, bytes: Bytes, calls: number): string {
  const perCall = [...bytes].map(([name, sum]) => [name, sum / calls] as const);
  const total = perCall.reduce((sum, [, one]) => sum + one, 0);
  const shown = perCall
    .filter(([, one]) => one >= BYTES_SHOWN)
    .sort(([, one], [, other]) => other - one);
  return columns([
    [title, 'bytes'],
    ...shown.map(([name, one]) => [name, one.toFixed(0)]),
    ['together', total.toFixed(0)],
  ]);
}
