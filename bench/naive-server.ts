/**
 * The naive implementation: a transaction per step of each request and per receipt, on the same
 * tables and the same database. All sends of one company queue on the lock of its account row.
 */
import pg from 'pg';
import { newId } from '../server/src/ids.ts';
import { newCode } from '../server/src/otp/code.ts';
import type { Phone } from '../server/src/phone.ts';
import { DELIVERED_AFTER_MS, READ_AFTER_MS } from '../server/src/sandbox/sandbox.ts';
import { deriveSecrets } from '../server/src/secrets.ts';
import { serveSends } from './bare-server.ts';
import type { Client } from './service.ts';

const { BENCH_DATABASE = '{}', BENCH_CLIENTS = '[]' } = process.env;
const clients = new Map(
  (JSON.parse(BENCH_CLIENTS) as Client[]).map((client) => [client.key, client]),
);
const pool = new pg.Pool({ ...JSON.parse(BENCH_DATABASE), max: 16 });
const secrets = deriveSecrets('a secret for the naive server alone');
const PRICE = 3;

await serveSends(
  (key) => clients.get(key),
  async (client, phone) => {
    const id = newId(Date.now());
    if (!(await inTransaction((tx) => reserve(tx, client, phone, id)))) return undefined;
    // The channel would be called here.
    const balance = await inTransaction((tx) => settle(tx, client, id));
    setTimeout(() => void recordReceipt(client, id, 'delivered'), DELIVERED_AFTER_MS);
    setTimeout(() => void recordReceipt(client, id, 'read'), READ_AFTER_MS);
    return { success: true, message: 'Код отправлен', message_id: id, cost: PRICE, balance };
  },
);

async function inTransaction<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  const tx = await pool.connect();
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    await tx.query('rollback');
    throw error;
  } finally {
    tx.release();
  }
}

async function reserve(tx: pg.PoolClient, client: Client, phone: Phone, id: string) {
  const { companyId, keyId } = client;
  const account = await query<{ left: number }>(tx, 'lock account', {
    text: 'select balance - held as left from account where company_id = $1 for update',
    values: [companyId],
  });
  const phoneIsFree = await query<{ is_open: boolean }>(tx, 'read recent_sends', {
    text: `select not exists (select 1 from recent_sends, unnest(recent) as t
      where company_id = $1 and recipient = $2 and kind = 'otp' and t > now() - interval '1 minute')
      as is_open`,
    values: [companyId, phone],
  });
  if (Number(account?.left) < PRICE || !phoneIsFree?.is_open) return false;
  await query(tx, 'hold', {
    text: 'update account set held = held + $2 where company_id = $1',
    values: [companyId, PRICE],
  });
  await query(tx, 'write recent_sends', {
    text: `insert into recent_sends as g (company_id, recipient, kind, recent, last_message)
      values ($1, $2, 'otp', array[now()], $3) on conflict (company_id, recipient, kind)
      do update set recent = g.recent || excluded.recent, last_message = excluded.last_message`,
    values: [companyId, phone, id],
  });
  const mac = secrets.macOfCode({ keyId, phone, purpose: 'default' }, newCode(6));
  await query(tx, 'write code', {
    text: `insert into code (key_id, phone, purpose, company_id, message_id, mac, expires_at)
      values ($1, $2, 'default', $3, $4, $5, now() + interval '5 minutes')
      on conflict (key_id, phone, purpose, company_id) do update set mac = excluded.mac, wrong = 0,
        message_id = excluded.message_id, expires_at = excluded.expires_at, verified_at = null`,
    values: [keyId, phone, companyId, id, mac],
  });
  await query(tx, 'write message', {
    text: `insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold,
        created_at, next_check_at, purpose, request_id)
      values ($1, $2, $3, 'otp', false, $4, 'sending', $5, now(), now() + interval '31 seconds',
        'default', 'naive')`,
    values: [companyId, id, keyId, phone, PRICE],
  });
  return true;
}

async function settle(tx: pg.PoolClient, { companyId }: Client, id: string) {
  const account = await query<{ balance: string; entries: string }>(tx, 'pay', {
    text: `update account set held = held - $2, balance = balance - $2, entries = entries + 1
      where company_id = $1 returning balance, entries`,
    values: [companyId, PRICE],
  });
  await query(tx, 'settle message', {
    text: `update message set state = 'sent', channel = 'whatsapp', hold = 0, charged = $3,
        settled_at = now(), provider_id = 'naive' where company_id = $1 and id = $2`,
    values: [companyId, id, PRICE],
  });
  await query(tx, 'write entry', {
    text: `insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
      values ($1, $5, 'charge', $2, $3, 1, $4, now())`,
    values: [companyId, id, -PRICE, account?.balance, account?.entries],
  });
  return Number(account?.balance);
}

async function recordReceipt({ companyId }: Client, id: string, receipt: 'delivered' | 'read') {
  await inTransaction((tx) =>
    query(tx, 'record receipt', {
      text: `update message set receipt = $3, receipt_at = now(),
          delivered_at = coalesce(delivered_at, now())
        where company_id = $1 and id = $2 and (receipt is null or receipt < $3)`,
      values: [companyId, id, receipt],
    }),
  );
}

async function query<Row>(
  tx: pg.PoolClient,
  name: string,
  statement: { text: string; values: unknown[] },
): Promise<Row | undefined> {
  const { rows } = await tx.query({ name, ...statement });
  return rows[0] as Row | undefined;
}
