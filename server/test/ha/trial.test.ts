/**
 * The example of `deploy/ha` under load while its parts fail: nothing acknowledged is lost or repeated,
 * and nothing is charged that was not acknowledged. `npm test -- ha`.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import {
  findPrograms,
  readPatroniVersion,
  survivesPausedPrimary,
} from '../../../deploy/ha/needed-programs.ts';
import { bundledProgram } from '../bundled-program.ts';
import { check, describeLogs, describeViolations } from '../checker/check.ts';
import type { Acknowledgement } from '../checker/logs.ts';
import { openLinks } from '../crashes/clients.ts';
import { runAudit, startLoad, summarise } from '../crashes/under-load.ts';
import { findPreviousRelease, releasedProgram } from '../start/upgrade/release.ts';
import { addToSummary } from '../test-summary.ts';
import { trialFaults } from './trial-faults.ts';
import { openTrialRig } from './trial-rig.ts';

const PROGRAM = bundledProgram(
  path.join(import.meta.dirname, '../crashes/serve-with-simulator.ts'),
);
const TOKENS = 20_000_000;
const SERVED = 60;

const { programs, missing } = findPrograms();
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;

test('three nodes and two database servers lose nothing while their parts fail', {
  skip,
}, async () => {
  const firstProgram = releasedProgram(findPreviousRelease(), 'serve-with-simulator');
  const rig = await openTrialRig({ programs, firstProgram });
  let isKept = true;
  try {
    const load = await startLoad(rig, TOKENS);
    const isPrimaryPaused = survivesPausedPrimary(readPatroniVersion(programs.patroni));
    if (!isPrimaryPaused) {
      addToSummary('primary paused  NOT TRIED: needs Patroni 3.0.3, older ones lose data by it');
    }
    for (const { name, cause } of trialFaults({ program: PROGRAM, isPrimaryPaused })) {
      await rig.waitUntilServed(SERVED);
      const from = rig.clients.entries.length;
      const startedAt = rig.clock.now();
      await cause(rig);
      await rig.waitUntilServed(SERVED);
      const seen = rig.clients.entries.slice(from);
      addToSummary(`${name.padEnd(16)}${describeFault(seen, startedAt)}`);
    }
    load.end();
    const [wasIdle] = await Promise.all([rig.waitUntilIdle(), load.done]);
    const isIdle = wasIdle && (await rig.waitUntilIdle());
    assert(isIdle, `the service never becomes idle: ${(await rig.pending()).join(', ')}`);
    await openLinks(rig, 100);

    const logs = await rig.readLogs();
    const checked = check(logs);
    const audit = await runAudit(rig.settings);
    addToSummary(summarise(logs, checked));
    addToSummary(`${describeLogs(logs, checked)}\n  audit: exit code ${audit}`);
    assert.equal(describeViolations(checked), '', `see ${rig.folder}`);
    assert.equal(audit, 0, 'zhiber audit is clean');
    isKept = false;
  } finally {
    await rig.close({ isKept });
  }
});

/** The longest time without a success, and what the clients got. */
function describeFault(seen: readonly Acknowledgement[], startedAt: number): string {
  const successes = seen.filter(({ outcome }) => outcome === 'ok').map(({ endedAt }) => endedAt);
  const times = [startedAt, ...successes.toSorted((a, b) => a - b)];
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const seconds = (Math.max(...gaps) / 1_000).toFixed(1);
  const counts = [...Map.groupBy(seen, describeAnswer)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, acks]) => `${acks.length} × ${name}`);
  return `gap ${seconds.padStart(5)} s; ${counts.join(', ')}`;
}

function describeAnswer({ outcome, errorCode }: Acknowledgement): string {
  if (outcome === 'ok') return '200';
  if (outcome === 'unknown') return `cut off (${errorCode?.slice(0, 24)})`;
  const status = ERRORS[errorCode as ErrorCode]?.status;
  return `${status} ${errorCode}`;
}
