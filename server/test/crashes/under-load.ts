/**
 * The server is killed, shut down or suspended, or its database fails, while clients send, verify
 * and shorten. Afterwards nothing acknowledged is lost or repeated, and all tokens are accounted
 * for.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import {
  type Checked,
  check,
  describeLogs,
  describeViolations,
  type InvariantId,
} from '../checker/check.ts';
import type { Logs } from '../checker/logs.ts';
import { IS_FULL } from '../is-full.ts';
import { createHome, type Settings } from '../start/serve-harness.ts';
import { keepLinking, keepSending, type LoadTarget, openLinks } from './clients.ts';
import { openRig, type Rig, type RigOptions } from './rig.ts';

/** A full run waits as long as the watch takes. Otherwise time is advanced. */
const IDLE = IS_FULL ? { stepSeconds: 0, roundsMax: 300 } : {};
const KEYS = 6;

/**
 * Causes faults under load, waits until the service is idle, and checks the logs. `causeFaults`
 * starts and ends with no server running, and may return the times of kills to measure the
 * recovery.
 */
export async function surviveUnderLoad(
  name: string,
  causeFaults: (rig: Rig) => Promise<number[] | undefined>,
  options: RigOptions = {},
): Promise<void> {
  const rig = await openRig(options);
  let isKept = true;
  try {
    const load = await startLoad(rig);
    await rig.kill();
    const killTimes = await causeFaults(rig);
    rig.start();
    await rig.waitUntilHealthy();
    await pause(500);
    load.end();
    // Repeated requests are answered once the claims of killed processes have expired.
    const [wasIdle] = await Promise.all([rig.waitUntilIdle(IDLE), load.done]);
    const isIdle = wasIdle && (await rig.waitUntilIdle(IDLE));
    assert(isIdle, `the service never becomes idle: ${(await rig.pending()).join(', ')}`);
    await openLinks(rig, 100);
    await assertNoViolations(rig, name, killTimes);
    isKept = false;
  } finally {
    await rig.close({ isKept });
  }
}

/** The companies get this many tokens each, and one of three gets none. */
export async function startLoad(
  rig: LoadTarget & Pick<Rig, 'makeCompany' | 'makeKey'>,
  tokens?: number,
) {
  let isOver = false;
  const companies = [
    await rig.makeCompany(tokens),
    await rig.makeCompany(tokens),
    await rig.makeCompany(0),
  ];
  const keys = await Promise.all(
    Array.from({ length: KEYS }, async (_, index) => {
      const companyId = companies[index % companies.length] as number;
      return await rig.makeKey({ companyId, channels: CHANNELS });
    }),
  );
  const repeats: Promise<unknown>[] = [];
  const working = Promise.all(
    keys.flatMap((key) => {
      const client = { rig, key, repeats, isOver: () => isOver };
      return [keepSending(client), keepSending(client), keepLinking(client)];
    }),
  );
  return {
    done: working.then(() => Promise.all(repeats)),
    end() {
      isOver = true;
    },
  };
}

async function assertNoViolations(
  rig: Rig,
  name: string,
  killTimes: number[] | undefined,
): Promise<void> {
  const logs = await rig.readLogs();
  const checked = check(logs);
  const gap = killTimes === undefined ? '' : `, gap p95 ${gapP95(logs.clients, killTimes)} ms`;
  console.log(
    `${name} under load: ${summarise(logs, checked)}${gap}\n${describeLogs(logs, checked)}`,
  );
  assert.equal(describeViolations(checked), '', `see ${rig.folder}`);
  assert.deepEqual(rig.errors(), [], 'the server logs no error');
  assert.equal(await runAudit(rig.settings), 0, 'zhiber audit is clean');
}

/** What the clients saw, and the violations that they would mind most. */
export function summarise(logs: Logs, checked: Checked): string {
  const count = (outcome: string) =>
    logs.clients.filter((ack) => ack.outcome === outcome && ack.action !== 'open').length;
  const found = (...ids: readonly InvariantId[]) =>
    ids.reduce((total, id) => total + (checked.violations[id]?.length ?? 0), 0);
  return (
    `${count('ok')} acknowledged, ${count('refused')} refused, ${count('unknown')} cut off, ` +
    `acknowledged and lost ${found('H1', 'O4', 'L1', 'M8')}, ` +
    `repeated ${found('D1', 'I1', 'O1', 'M5')}, ` +
    `charged and not acknowledged ${found('M9')}, held at the end ${found('M7')}, ` +
    `free messages ${checked.freeMessages}`
  );
}

/** The time from a kill to the first success of a request that started after it. */
function gapP95(
  clients: Awaited<ReturnType<Rig['readLogs']>>['clients'],
  killTimes: number[],
): number {
  const good = clients.filter(({ outcome }) => outcome === 'ok');
  const gaps = killTimes.map((at) => {
    const next = good.filter(({ startedAt }) => startedAt >= at).map(({ endedAt }) => endedAt);
    return Math.min(...next) - at;
  });
  return gaps.toSorted((a, b) => a - b)[Math.ceil(gaps.length * 0.95) - 1] ?? 0;
}

/** The exit code of `zhiber audit`. */
export async function runAudit(settings: Settings): Promise<number | null> {
  const home = createHome();
  const { code } = await home.run(['audit'], settings);
  await home.remove();
  return code;
}
