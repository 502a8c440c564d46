/**
 * Ten times more calls than can be served: what is let in must be served as well as ever, the rest
 * refused at once, and the checks of codes refused last.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Calls, LoadResult } from './load-plan.ts';
import { endProcesses, type LoadClient, residentMegabytes, startLoadClient } from './processes.ts';
import { type Client, createClients, prepareCodes, type Service, startService } from './service.ts';

const IS_FULL = process.env.ZHIBER_TEST_FULL === '1';
const OVERLOAD_SECONDS = IS_FULL ? 60 : 10;
const PEAK_SECONDS = 5;
const PEAK_CONNECTIONS = 256;
const OVERLOAD_CONNECTIONS = 1_024;
/** The share of the peak that is asked for once the overload is over. */
const BACK_SHARE = 0.8;
const CODES = 200_000;

let service: Service;
let sender: Client;
let client: LoadClient;
const numbers: Record<string, number> = { send: 1, verify: 500_000_000, shorten: 1 };

before(async () => {
  service = await startService();
  [sender] = (await createClients(service.db, 1)) as [Client];
  await prepareCodes(service.db, sender, 500_000_000, CODES);
  client = startLoadClient();
});
after(async () => {
  endProcesses();
  await service.stop();
});

/** Sends, checks of codes and short links in equal shares. */
async function load(plan: { connections: number; seconds: number; ratePerSecond?: number }) {
  const kinds: Calls['kind'][] = ['send', 'verify', 'shorten'];
  const calls = kinds.map((kind) => ({
    kind,
    from: numbers[kind] ?? 0,
    keys: [sender.key],
  }));
  const results = await client.run({ port: service.port, calls, ...plan });
  for (const result of results) {
    numbers[result.kind] = (numbers[result.kind] ?? 0) + result.asked;
  }
  return results;
}

/** How long it takes until a load that can be served is served again, but for a twentieth. */
async function secondsUntilServed(ratePerSecond: number): Promise<number> {
  for (let seconds = 1; seconds < 10; seconds++) {
    const back = await load({ connections: PEAK_CONNECTIONS, seconds: 1, ratePerSecond });
    if (goodput(back) >= 0.95 * ratePerSecond) return seconds;
  }
  return Number.POSITIVE_INFINITY;
}

const goodput = (results: readonly LoadResult[]) =>
  results.reduce((total, result) => total + result.perSecond, 0);
const refusedShare = ({ asked, good }: LoadResult) => (asked - good) / asked;

test('ten times the load that can be served costs the served ones nothing', async (t) => {
  await load({ connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS });
  const peak = goodput(await load({ connections: PEAK_CONNECTIONS, seconds: PEAK_SECONDS }));
  const memoryBefore = residentMegabytes(service.pid);

  const overload = await load({
    connections: OVERLOAD_CONNECTIONS,
    seconds: OVERLOAD_SECONDS,
    ratePerSecond: 10 * peak,
  });
  const memoryAfter = residentMegabytes(service.pid);
  const secondsBack = await secondsUntilServed(BACK_SHARE * peak);

  const share = goodput(overload) / peak;
  const refusedP99 = Math.max(...overload.map((result) => result.refusedP99 ?? 0));
  const asked = overload.reduce((total, result) => total + result.asked, 0) / OVERLOAD_SECONDS;
  const shares = overload.map((result) => `${result.kind} ${percent(refusedShare(result))}`);
  t.diagnostic(
    `peak ${Math.round(peak)}/s; ${Math.round(10 * peak)}/s offered for ${OVERLOAD_SECONDS} s, ` +
      `${Math.round(asked)}/s reached the server: goodput ${share.toFixed(2)} of the peak, ` +
      `refusals p99 ${refusedP99.toFixed(0)} ms, refused ${shares.join(', ')}; ` +
      `memory x${(memoryAfter / memoryBefore).toFixed(2)}; back to 95 % in ${secondsBack} s`,
  );
  for (const { statuses } of overload) {
    const odd = Object.keys(statuses).filter((status) => !['200', '422', '503'].includes(status));
    assert.deepEqual(odd, [], 'every call gets its answer or a refusal');
  }
  const [send, verify, shorten] = overload as [LoadResult, LoadResult, LoadResult];
  assert(refusedShare(verify) <= refusedShare(send), 'checks of codes are refused last');
  assert(refusedShare(send) <= refusedShare(shorten), 'short links are refused before sends');
  assert(share >= 0.8, `goodput ${share.toFixed(2)} of the peak`);
  assert(secondsBack <= 5, `back after ${secondsBack} s`);
});

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
