/**
 * Ten times more calls than can be served: what is let in must be served as well as ever, the rest
 * refused at once, and the checks of codes refused last.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Database } from '../server/src/db/database.ts';
import type { Calls, LoadResult } from './load-plan.ts';
import { endProcesses, residentMegabytes, startLoadClient } from './processes.ts';
import { type Client, createClients, prepareCodes, type Service, startService } from './service.ts';

const IS_FULL = process.env.ZHIBER_TEST_FULL === '1';
const OVERLOAD_SECONDS = IS_FULL ? 60 : 10;
const PEAK_SECONDS = 5;
const PEAK_CONNECTIONS = 256;
/** The share of the peak that is asked for once the overload is over. */
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
      /** Sends, checks of codes and short links in equal shares. */
      async load(plan) {
        const kinds: Calls['kind'][] = ['send', 'verify', 'shorten'];
        const calls = kinds.map((kind) => ({ kind, from: next[kind] ?? 0, keys: [sender.key] }));
        const results = await client.run({ port: service.port, calls, ...plan });
        for (const { kind, asked } of results) next[kind] = (next[kind] ?? 0) + asked;
        return results;
      },
    });
  } finally {
    await service.stop();
  }
}

/** A database that takes its time for one row after the other, whatever it is of. */
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
const refusedShare = ({ asked, good }: LoadResult) => (asked - good) / asked;
const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

/** How long it takes until a load that can be served is served again, but for a twentieth. */
async function secondsUntilServed({ load }: Target, ratePerSecond: number): Promise<number> {
  for (let seconds = 1; seconds < 10; seconds++) {
    const back = await load({ connections: PEAK_CONNECTIONS, seconds: 1, ratePerSecond });
    if (goodput(back) >= 0.95 * ratePerSecond) return seconds;
  }
  return Number.POSITIVE_INFINITY;
}

/** Overloads what is there tenfold, checks what holds everywhere, and tells the figures. */
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
  const asked = results.reduce((total, result) => total + result.asked, 0) / OVERLOAD_SECONDS;
  const shares = results.map((result) => `${result.kind} ${percent(refusedShare(result))}`);
  const figures =
    `peak ${Math.round(peak)}/s; ${Math.round(10 * peak)}/s offered for ${OVERLOAD_SECONDS} s, ` +
    `${Math.round(asked)}/s reached the server: goodput ${share.toFixed(2)} of the peak, ` +
    `refusals p99 ${refusedP99.toFixed(0)} ms, refused ${shares.join(', ')}; ` +
    `memory x${memory.toFixed(2)}; back to 95 % in ${secondsBack} s`;

  for (const { statuses } of results) {
    const odd = Object.keys(statuses).filter((status) => !['200', '422', '503'].includes(status));
    assert.deepEqual(odd, [], `every call gets its answer or a refusal; ${figures}`);
  }
  const [send, verify, shorten] = results.map(refusedShare) as [number, number, number];
  assert(verify <= send, `checks of codes are refused last; ${figures}`);
  assert(send <= shorten, `short links are refused before sends; ${figures}`);
  // How fast it is, against its own peak, says something on a quiet machine alone.
  if (IS_FULL) {
    assert(share >= 0.8, figures);
    assert(secondsBack <= 5, figures);
  }
  const servedP50 = Math.min(...results.map((result) => result.p50));
  return { figures, refusedP99, servedP50, send, verify };
}

test('ten times what a slow database can serve costs the served ones nothing', async (t) => {
  await withTarget(slowDown, async (target) => {
    const { figures, refusedP99, servedP50, send, verify } = await overload(target, 512);
    t.diagnostic(figures);
    assert(send > 0.5 && verify < send, `the load has to be shed; ${figures}`);
    if (!IS_FULL) return;
    assert(refusedP99 < servedP50, `refusals come before answers; ${figures}`);
    assert(refusedP99 <= 50, figures);
  });
});

/**
 * Here the processor is short, for the one who asks as well: ten times what it can serve cannot
 * even be asked, and how fast a refusal arrives says as much about the client.
 */
test('as many calls as fit on the machine cost the served ones nothing', { skip: !IS_FULL }, (t) =>
  withTarget(
    async () => undefined,
    async (target) => {
      t.diagnostic((await overload(target, 1_024)).figures);
    },
  ),
);
