/**
 * The server is killed, stopped or frozen, or its database goes away, while people send, verify and
 * shorten. Afterwards nothing that anybody was told is lost or doubled, and all tokens are accounted
 * for.
 */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Connection } from '../../src/db/database.ts';
import { check, describeLogs, describeViolations } from '../checker/check.ts';
import { createHome } from '../start/serve-harness.ts';
import { keepLinking, keepSending, openLinks } from './people.ts';
import { openRig, type Rig } from './rig.ts';

export const isFull = process.env.ZHIBER_TEST_FULL === '1';
/** In full, the watch is given the time it takes; else time is put forward for it. */
const REST = isFull ? { stepSeconds: 0, roundsMax: 300 } : {};
const KEYS = 6;

/**
 * Brings about what has to be survived under load, lets everything come to rest, and compares the
 * logs. It begins and ends with no server running; returns the times of deaths, if they matter.
 */
export async function underLoad(
  name: string,
  bringAbout: (rig: Rig) => Promise<number[] | undefined>,
  options: { connection?: Connection } = {},
): Promise<void> {
  const rig = await openRig(options);
  let isKept = true;
  try {
    const load = await startLoad(rig);
    await rig.kill();
    const deaths = await bringAbout(rig);
    rig.start();
    await rig.healthy();
    await pause(500);
    load.end();
    // Repeated requests are answered once the claims of the dead have run out.
    const [isAtRest] = await Promise.all([rig.comeToRest(REST), load.done]);
    const isAtLast = isAtRest && (await rig.comeToRest(REST));
    assert(isAtLast, `it does not come to rest: ${(await rig.pending()).join(', ')}`);
    await openLinks(rig, 100);
    await assertSound(rig, name, deaths);
    isKept = false;
  } finally {
    await rig.close({ isKept });
  }
}

async function startLoad(rig: Rig) {
  let isOver = false;
  const companies = [await rig.makeCompany(), await rig.makeCompany(), await rig.makeCompany(0)];
  const keys = await Promise.all(
    Array.from({ length: KEYS }, async (_, index) => {
      const companyId = companies[index % companies.length] as number;
      return await rig.makeKey({ companyId, channels: CHANNELS });
    }),
  );
  const repeats: Promise<unknown>[] = [];
  const working = Promise.all(
    keys.flatMap((key) => {
      const desk = { rig, key, repeats, isOver: () => isOver };
      return [keepSending(desk), keepSending(desk), keepLinking(desk)];
    }),
  );
  return {
    done: working.then(() => Promise.all(repeats)),
    end() {
      isOver = true;
    },
  };
}

async function assertSound(rig: Rig, name: string, deaths: number[] | undefined): Promise<void> {
  const logs = await rig.readLogs();
  const checked = check(logs);
  const count = (outcome: string) =>
    logs.clients.filter((ack) => ack.outcome === outcome && ack.action !== 'open').length;
  const lost = ['H1', 'O4', 'L1', 'M8'] as const;
  const doubled = ['D1', 'I1', 'O1', 'M5'] as const;
  const unacknowledged = ['M9'] as const;
  const held = ['M7'] as const;
  const found = (ids: readonly (keyof typeof checked.violations)[]) =>
    ids.reduce((total, id) => total + (checked.violations[id]?.length ?? 0), 0);
  const gap = deaths === undefined ? '' : `, gap p95 ${gapP95(logs.clients, deaths)} ms`;
  console.log(
    `${name} under load: ${count('ok')} acknowledged, ${count('refused')} refused, ` +
      `${count('unknown')} cut off, acknowledged and lost ${found(lost)}, doubled ${found(doubled)}, ` +
      `charged and not acknowledged ${found(unacknowledged)}, held at the end ${found(held)}, ` +
      `free messages ${checked.freeMessages}${gap}\n${describeLogs(logs, checked)}`,
  );
  assert.equal(describeViolations(checked), '', `see ${rig.folder}`);
  assert.deepEqual(rig.errors(), [], 'the server logs no error');
  assert.equal(await auditOf(rig), 0, 'zhiber audit is clean');
}

/** From a death to the next good answer that was asked for after it. */
function gapP95(
  clients: Awaited<ReturnType<Rig['readLogs']>>['clients'],
  deaths: number[],
): number {
  const good = clients.filter(({ outcome }) => outcome === 'ok');
  const gaps = deaths.map((at) => {
    const next = good.filter(({ startedAt }) => startedAt >= at).map(({ endedAt }) => endedAt);
    return Math.min(...next) - at;
  });
  return gaps.toSorted((a, b) => a - b)[Math.ceil(gaps.length * 0.95) - 1] ?? 0;
}

async function auditOf(rig: Rig): Promise<number | null> {
  const home = createHome();
  const { code } = await home.run(['audit'], rig.settings);
  await home.remove();
  return code;
}
