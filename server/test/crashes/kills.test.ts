/**
 * The server is killed with no chance to finish anything, at every named point of a send and at
 * random moments, while people send, verify and shorten. Afterwards nothing that anybody was told
 * is lost or doubled, and all tokens are accounted for.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { check, describeLogs, describeViolations } from '../checker/check.ts';
import { createHome } from '../start/serve-harness.ts';
import { keepLinking, keepSending, openLinks } from './people.ts';
import { openRig, type Rig } from './rig.ts';

const isFull = process.env.ZHIBER_TEST_FULL === '1';
const RANDOM_KILLS = isFull ? 20 : 8;
const LIFE_MS_MAX = 2_000;
/** In full, the watch is given the time it takes; else time is put forward for it. */
const REST = isFull ? { stepSeconds: 0, roundsMax: 300 } : {};
const KEYS = 6;

/** Each commit of a send, of a verification, of a link and of the watch. */
const STATEMENTS = [
  'claim-keys',
  'reserve',
  'settle',
  'keep-answer',
  'verify',
  'record-receipts',
  'claim-fallback',
  'settle-fallback',
  'shorten',
  'take-due',
  'end-watch',
];
/** Under way: the statement has left, and its answer will find nobody. */
const MOMENTS = isFull ? ['before', 'under way', 'after'] : ['before', 'after'];
const POINTS = [
  ...STATEMENTS.flatMap((name) => MOMENTS.map((when) => `${name}: ${when}`)),
  ...['call', 'fallback call'].flatMap((name) => [`${name}: before`, `${name}: after`]),
];

test('no crash at any named point of a send loses or doubles anything', async () => {
  await underLoad(`${POINTS.length} named points`, async (rig) => {
    for (const point of POINTS) {
      rig.start({ CRASH_AT: `${point}#${randomInt(1, 4)}` });
      await rig.crashed(point);
    }
  });
});

test('no kill at a random moment loses or doubles anything', async () => {
  await underLoad(`${RANDOM_KILLS} random moments`, async (rig) => {
    const deaths: number[] = [];
    for (let kills = 0; kills < RANDOM_KILLS; kills++) {
      rig.start();
      await rig.healthy();
      await pause(randomInt(100, LIFE_MS_MAX));
      await rig.kill();
      deaths.push(rig.clock.now());
    }
    return deaths;
  });
});

/** Brings about the deaths under load, lets everything come to rest, and compares the logs. */
async function underLoad(
  name: string,
  bringDeath: (rig: Rig) => Promise<number[] | undefined>,
): Promise<void> {
  const rig = await openRig();
  let isKept = true;
  try {
    const load = await startLoad(rig);
    await rig.kill();
    const deaths = await bringDeath(rig);
    rig.start();
    await rig.healthy();
    await pause(500);
    load.end();
    // Repeated requests are answered once the claims of the dead have run out.
    const [isAtRest] = await Promise.all([rig.comeToRest(REST), load.done]);
    assert(isAtRest && (await rig.comeToRest(REST)), 'everything comes to rest');
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
  const found = (ids: readonly (keyof typeof checked.violations)[]) =>
    ids.reduce((total, id) => total + (checked.violations[id]?.length ?? 0), 0);
  const gap = deaths === undefined ? '' : `, gap p95 ${gapP95(logs.clients, deaths)} ms`;
  console.log(
    `kill -9 at ${name} under load: ${count('ok')} acknowledged, ${count('refused')} refused, ` +
      `${count('unknown')} cut off, lost ${found(lost)}, doubled ${found(doubled)}, ` +
      `free messages ${checked.freeMessages}${gap}\n${describeLogs(logs, checked)}`,
  );
  assert.deepEqual(rig.errors(), [], 'the server logs no error');
  assert.equal(describeViolations(checked), '', `see ${rig.folder}`);
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
  const { code } = await home.run(['audit'], { DATA_DIR: rig.dataDir });
  await home.remove();
  return code;
}
