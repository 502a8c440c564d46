/**
 * Tests the checker: each planted fault runs under a short load, and the checker must find it by
 * the invariant named for it. The service without a fault runs the same loads with no violation.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { type Checked, check, describeViolations } from '../checker/check.ts';
import { globalSetup, globalTeardown } from '../database-server.ts';
import { cloneTemplate } from '../test-database.ts';
import { LOADS, type LoadName } from './fault-loads.ts';
import { replaceOnce } from './plant-fault.ts';
import { PLANTED_FAULTS, type PlantedFault, type SqlPatch } from './planted-faults.ts';
import { openRig, type Rig } from './rig.ts';

before(globalSetup);
after(globalTeardown);

const CONCURRENCY = 2;

test('the checker finds every planted fault by the invariant named for it', async () => {
  const waiting = [...PLANTED_FAULTS];
  const lines: string[] = [];
  const missed: string[] = [];
  const work = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const { violations } = await runFault(fault);
      const isCaught = violations[fault.caughtBy] !== undefined;
      const ids = Object.entries(violations).map(([id, found]) => `${id} ${found.length}`);
      const line = `  ${fault.name}: ${isCaught ? fault.caughtBy : 'MISSED'} (${ids.join(', ')})`;
      lines.push(line);
      if (!isCaught) missed.push(line);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const total = PLANTED_FAULTS.length;
  console.log(
    [`${total - missed.length} of ${total} planted faults caught`, ...lines.toSorted()].join('\n'),
  );
  assert.deepEqual(missed, []);
});

test('the service without a fault runs the same loads with no violation', async () => {
  const rig = await openRig({ connection: await cloneTemplate('unpatched') });
  let isKept = true;
  try {
    const key = await newKey(rig);
    for (const name of Object.keys(LOADS) as LoadName[]) await runLoad(rig, key, name);
    await rig.waitUntilIdle();
    const checked = check(await rig.readLogs());
    assert.equal(describeViolations(checked), '', `see ${rig.folder}`);
    assert.deepEqual(rig.errors(), [], 'the server logs no error');
    console.log(`${Object.keys(LOADS).length} loads without a fault: 0 violations`);
    isKept = false;
  } finally {
    await rig.close({ isKept });
  }
});

async function runFault(fault: PlantedFault): Promise<Checked> {
  const connection = await cloneTemplate(`fault_${PLANTED_FAULTS.indexOf(fault)}`);
  const settings = fault.source === undefined ? {} : { PLANTED_FAULT: fault.name };
  const rig = await openRig({ connection, settings });
  try {
    for (const patch of fault.sql ?? []) await plantInDatabase(rig, patch);
    await runLoad(rig, await newKey(rig), fault.load);
    await rig.waitUntilIdle({ roundsMax: IDLE_ROUNDS });
    // The fault must not crash the server, or the load would prove nothing.
    await rig.waitUntilHealthy();
    return check(await rig.readLogs());
  } finally {
    await rig.close();
  }
}

async function newKey(rig: Rig) {
  return await rig.makeKey({ companyId: await rig.makeCompany(), channels: CHANNELS });
}

/** Restarts the server with the settings that the load needs, and afterwards without them. */
async function runLoad(rig: Rig, key: Awaited<ReturnType<typeof newKey>>, name: LoadName) {
  const load = LOADS[name];
  const settings = 'settings' in load ? load.settings : undefined;
  if (settings !== undefined) await rig.restart(settings);
  await load.run(rig, key);
  if (settings !== undefined && !('CRASH_AT' in settings)) await rig.restart();
}

/** Replaces one place in the current definition of a database function. */
async function plantInDatabase(rig: Rig, patch: SqlPatch): Promise<void> {
  const [row] = await rig.sql<{ text: string }>(
    'select pg_get_functiondef(oid) as text from pg_proc where proname = $1',
    [patch.function],
  );
  await rig.sql(replaceOnce(String(row?.text), patch));
}

/** Enough for every load. With some faults the service never becomes idle. */
const IDLE_ROUNDS = 12;
