/**
 * What a run keeps in the database of the service under test: its companies and keys, the time that
 * it advances, and, at the end, the rows that the checker compares with the other logs.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import pino from 'pino';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Connection } from '../../src/db/connection.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createKey } from '../../src/keys/manage-keys.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { readDatabase } from '../checker/database-rows.ts';
import type { Acknowledgement, Journal, Logs, RunSetup } from '../checker/logs.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { passTime } from '../harness.ts';
import { queryOnce } from '../query-once.ts';
import type { openProviderSimulator, RunClock } from './provider-simulator.ts';

/** The shortest fallback time a key may have, to keep the runs short. */
const FALLBACK_SECONDS = 15;
/** A service that is not idle after this many rounds of the watch never will be. */
const IDLE_ROUNDS_MAX = 40;
const IDLE_STEP_SECONDS = 16;
const IDLE_PAUSE_MS = 600;

export type RigKey = { keyId: number; companyId: number; key: string };

export function openRunRecords(run: {
  connection: Connection;
  clock: RunClock;
  provider: Awaited<ReturnType<typeof openProviderSimulator>>;
  clients: Journal<Acknowledgement>;
}) {
  const { connection, clock, provider, clients } = run;
  const keys: RunSetup['keys'][number][] = [];
  const db = openDatabase(connection, pino({ level: 'silent' }), TEST_DATABASE_TIMEOUT_MS);
  const sql = <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    db.query<Row>(text, values);
  const advanceTime = async (seconds: number) => {
    // Updating every row of a table takes longer than the statement timeout of the service.
    await passTime((text) => queryOnce(connection, text), seconds);
    clock.advance(seconds);
  };

  return {
    db,
    sql,
    /** By default with the money for thousands of sends. */
    async makeCompany(amount = 50_000): Promise<number> {
      const ctx = { db, clock: systemClock, config: readConfig({}) };
      const { companyId } = await createCompany(ctx, 'Тест');
      if (amount > 0) await topUp(ctx, { companyId, amount });
      return companyId;
    },
    async makeKey(settings: { channels: readonly Channel[]; companyId: number }): Promise<RigKey> {
      const companyId = settings.companyId as Parameters<typeof createKey>[1]['companyId'];
      const { channels } = settings;
      const made = await createKey(db, {
        companyId,
        name: 'ключ',
        isTest: false,
        channels,
        fallbackSeconds: FALLBACK_SECONDS,
      });
      keys.push({ keyId: made.keyId, companyId, channels, since: clock.now() });
      return { keyId: made.keyId, companyId, key: made.key };
    },
    async changeChannels(key: RigKey, channels: readonly Channel[]): Promise<void> {
      await sql('update api_key set channels = $2::text[]::channel[] where id = $1', [
        key.keyId,
        channels,
      ]);
      keys.push({ keyId: key.keyId, companyId: key.companyId, channels, since: clock.now() });
    },
    /** Advances the times in the database and the clock of the run. */
    passTime: advanceTime,
    /** Advances time until no work is left. False when that never happens. */
    async waitUntilIdle({
      roundsMax = IDLE_ROUNDS_MAX,
      stepSeconds = IDLE_STEP_SECONDS,
    } = {}): Promise<boolean> {
      for (let round = 0; round < roundsMax; round++) {
        if (!provider.isReporting() && (await listPending(sql)).length === 0) return true;
        if (stepSeconds > 0) await advanceTime(stepSeconds);
        await pause(IDLE_PAUSE_MS);
      }
      return false;
    },
    /** Describes the work that is left. */
    pending: async () => [
      ...(provider.isReporting() ? ['receipts are being reported'] : []),
      ...(await listPending(sql)),
    ],
    async readLogs(): Promise<Logs> {
      return {
        setup: { prices: DEFAULT_PRICES, keys },
        database: await readDatabase(connection),
        clients: clients.entries,
        channels: provider.channels.entries,
        phones: provider.phones.entries,
      };
    },
    close: () => db.close(),
  };
}

/**
 * Describes unfinished work, a line each. A message is finished when it is settled, its receipt or
 * its last fallback is done, and no sealed copy of its code is left.
 */
async function listPending(sql: <Row>(text: string) => Promise<Row[]>): Promise<string[]> {
  const rows = await sql<{ line: string }>(`
    select 'message ' || id || ' ' || concat_ws(' ', state, receipt, 'route', route, 'hold', hold, 'attempt', attempt)
      as line
    from message where state = 'sending' or hold > 0
      or state = 'sent' and (receipt is null or receipt < 'delivered' and route <> '')
    union all
    select 'attempt ' || number || ' of ' || message_id from attempt where state = 'sending'
    union all
    select 'code of ' || c.message_id || ' ' || concat_ws(' ', m.state, m.receipt, 'route', m.route)
    from code c left join message m on m.company_id = c.company_id and m.id = c.message_id
    where c.sealed is not null
    union all
    select 'receipt ' || receipt || ' of ' || message_id from early_receipt`);
  return rows.map(({ line }) => line);
}
