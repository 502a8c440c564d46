/**
 * Ten times more calls than can be served: admitted calls must be served as well as without
 * overload, the rest refused at once, and verifications refused last.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Database } from '../server/src/db/database.ts';
import { IS_FULL } from '../server/test/is-full.ts';
import type { Calls, LoadResult } from './load-plan.ts';
import { endProcesses, residentMegabytes, startLoadClient } from './processes.ts';
import { type Client, createClients, prepareCodes, type Service, startService } from './service.ts';

const OVERLOAD_SECONDS = IS_FULL ? 60 : 10;
const PEAK_SECONDS = 5;
const PEAK_CONNECTIONS = 256;
/** The load after the overload, as a share of the peak. */
const BACK_SHARE = 0.8;
const CODES = 200_000;
const CODES_FROM = 500_000_000;
const SLOW_ROW_MS = 1.5;

const client = startLoadClient();
after(() => endProcesses());

type Load = { connections: number; seconds: number; ratePerSecond?: number };
type Target = { service: Service; load(plan: Load): Promise<LoadResult[]> };

async function withTarget(prepare: (db: Database) => Promise<void>, work: (at: Target) => unknown) {
  const service = await startService();
  try {
    const [sender] = (await createClients(service.db, 1)) as [Client];
    await prepareCodes(service, sender, CODES_FROM, CODES);
    await prepare(service.db);
    const next: Record<string, number> = { send: 1, verify: CODES_FROM, shorten: 1 };
    await work({
      service,
      /** Sends, verifications and short links in equal shares. */
      async load(plan) {
        const kinds: Calls['kind'][] = ['send', 'verify', 'shorten'];
        const calls = kinds.map((kind) => ({ kind, from: next[kind] ?? 0, keys: [sender.key] }));
        const results = await client.run({ port: service.port, calls, ...plan });
        for (const { kind, callsSent } of results) next[kind] = (next[kind] ?? 0) + callsSent;
        return results;
      },
    });
  } finally {
    await service.stop();
  }
}

/** Makes the database slow: rows of all these tables are written one at a time, 1.5 ms each. */
async function slowDown(db: Database): Promise<void> {
  await db.query(`create function slow_row() returns trigger language plpgsql as
    $$ begin
      perform pg_advisory_lock(1);
      perform pg_sleep(${SLOW_ROW_MS / 1_000});
      perform pg_advisory_unlock(1);
      return new;
    end $$`);
  for (const when of ['insert on message', 'update of verified_at on code', 'insert on link']) {
    await db.query(`create trigger slow before ${when} for each row execute function slow_row()`);
  }
}

const goodput = (results: readonly LoadResult[]) =>
  results.reduce((total, result) => total + result.perSecond, 0);
const refusedShare = ({ callsSent, good }: LoadResult) => (callsSent - good) / callsSent;
const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

/** Seconds until 95 % of a load below the peak is served again. */
async function secondsUntilServed({ load }: Target, ratePerSecond: number): Promise<number> {
  for (let seconds = 1; seconds < 10; seconds++) {
    const back = await load({ connections: PEAK_CONNECTIONS, seconds: 1, ratePerSecond });
    if (goodput(back) >= 0.95 * ratePerSecond) return seconds;
  }
  return Number.POSITIVE_INFINITY;
}

/** Overloads the target tenfold, asserts what must always hold, and returns the figures. */
async function overload(target: Target, connections: number) {
  const { service, load } = target;
  await load({ connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS });
  const peak = goodput(await load({ connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS }));
  const memoryBefore = residentMegabytes(service.pid);
  const results = await load({
    connections,
    seconds: OVERLOAD_SECONDS,
    ratePerSecond: 10 * peak,
  });
  const memory = residentMegabytes(service.pid) / memoryBefore;
  const secondsBack = await secondsUntilServed(target, BACK_SHARE * peak);

  const share = goodput(results) / peak;
  const refusedP99 = Math.max(...results.map((result) => result.refusedP99 ?? 0));
  const callsSent =
    results.reduce((total, result) => total + result.callsSent, 0) / OVERLOAD_SECONDS;
  const shares = results.map((result) => `${result.kind} ${percent(refusedShare(result))}`);
  const figures =
    `peak ${Math.round(peak)}/s; ${Math.round(10 * peak)}/s offered for ${OVERLOAD_SECONDS} s, ` +
    `${Math.round(callsSent)}/s reached the server: goodput ${share.toFixed(2)} of the peak, ` +
    `refusals p99 ${refusedP99.toFixed(0)} ms, refused ${shares.join(', ')}; ` +
    `memory x${memory.toFixed(2)}; back to 95 % in ${secondsBack} s`;

  for (const { statuses } of results) {
    const odd = Object.keys(statuses).filter((status) => !['200', '422', '503'].includes(status));
    assert.deepEqual(odd, [], `every call must get an answer or a refusal; ${figures}`);
  }
  const [send, verify, shorten] = results.map(refusedShare) as [number, number, number];
  assert(verify <= send, `verifications must be refused last; ${figures}`);
  assert(send <= shorten, `short links must be refused before sends; ${figures}`);
  // Throughput relative to the peak is only meaningful on a quiet machine.
  if (IS_FULL) {
    assert(share >= 0.8, figures);
    assert(secondsBack <= 5, figures);
  }
  const servedP50 = Math.min(...results.map((result) => result.p50));
  return { figures, refusedP99, servedP50, send, verify };
}

test('ten times what a slow database can serve does not slow down admitted calls', async (t) => {
  await withTarget(slowDown, async (target) => {
    const { figures, refusedP99, servedP50, send, verify } = await overload(target, 512);
    t.diagnostic(figures);
    assert(send > 0.5 && verify < send, `the service must shed load; ${figures}`);
    if (!IS_FULL) return;
    assert(refusedP99 < servedP50, `refusals must be faster than answers; ${figures}`);
    assert(refusedP99 <= 50, figures);
  });
});

/**
 * Here the processor is the bottleneck, for the load client too: it cannot send ten times the peak,
 * and the latency of refusals depends on the client as much as on the server.
 */
test('all the calls the machine can send do not slow admitted ones', { skip: !IS_FULL }, (t) =>
  withTarget(
    async () => undefined,
    async (target) => {
      t.diagnostic((await overload(target, 1_024)).figures);
    },
  ),
);
