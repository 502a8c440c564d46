/** What is done to the example while clients send: each fault ends with everything running again. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Member, until } from '../../../deploy/ha/example.ts';
import { signalAll } from '../outages/postgres-processes.ts';
import type { TrialRig } from './trial-rig.ts';

export type TrialFault = { name: string; cause(rig: TrialRig): Promise<void> };

/** So many requests succeed before a fault, and after it. */
const SERVED = 60;
/** How long a killed machine stays away. */
const AWAY_MS = 3_000;

/** A machine is killed: its PostgreSQL and its Patroni, with no chance to finish anything. */
const KILLED_PRIMARY: TrialFault = {
  name: 'primary killed',
  async cause(rig) {
    const { primary, standby } = await findPair(rig);
    await primary.process.stop('SIGKILL');
    signalAll(primary.folder, 'SIGKILL');
    await waitForPrimary(rig, standby);
    await pause(AWAY_MS);
    primary.process.start();
  },
};

const SWITCHOVER: TrialFault = {
  name: 'switchover',
  async cause(rig) {
    const { primary, standby } = await findPair(rig);
    const answer = await fetch(`http://127.0.0.1:${primary.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
    });
    if (!answer.ok) throw new Error(`Patroni refuses: ${await answer.text()}`);
    await waitForPrimary(rig, standby);
  },
};

const FROZEN_STANDBY: TrialFault = {
  name: 'standby frozen',
  async cause(rig) {
    const { standby } = await findPair(rig);
    signalMember(standby, 'SIGSTOP');
    try {
      await pause(AWAY_MS);
      await rig.waitUntilServed(SERVED);
    } finally {
      signalMember(standby, 'SIGCONT');
    }
  },
};

/** It wakes up when the other server has taken its place, and must not take a single write. */
const PAUSED_PRIMARY: TrialFault = {
  name: 'primary paused',
  async cause(rig) {
    const { primary, standby } = await findPair(rig);
    signalMember(primary, 'SIGSTOP');
    try {
      await waitForPrimary(rig, standby);
      await rig.waitUntilServed(SERVED);
    } finally {
      signalMember(primary, 'SIGCONT');
    }
  },
};

const killedNode = (program: string): TrialFault => ({
  name: 'node killed',
  async cause(rig) {
    await rig.example.nodes[0]?.process?.stop('SIGKILL');
    await rig.waitUntilServed(SERVED);
    await rig.startNode(0, program);
  },
});

const rollingUpgrade = (program: string): TrialFault => ({
  name: 'rolling upgrade',
  async cause(rig) {
    for (const [index, node] of rig.example.nodes.entries()) {
      await node.process?.stop('SIGTERM');
      await rig.startNode(index, program);
      await rig.waitUntilServed(SERVED);
    }
  },
});

/** The nodes run the previous release at first, and `program` from the upgrade on. */
export const trialFaults = (options: {
  program: string;
  isPrimaryPaused: boolean;
}): TrialFault[] => [
  rollingUpgrade(options.program),
  KILLED_PRIMARY,
  SWITCHOVER,
  KILLED_PRIMARY,
  FROZEN_STANDBY,
  KILLED_PRIMARY,
  killedNode(options.program),
  KILLED_PRIMARY,
  ...(options.isPrimaryPaused ? [PAUSED_PRIMARY] : []),
  SWITCHOVER,
  KILLED_PRIMARY,
];

/** When commits wait for the standby: only then it may take over. */
async function findPair({ example }: TrialRig): Promise<{ primary: Member; standby: Member }> {
  const standby = await until('the standby is in sync', example.findStandby);
  const primary = await until('there is a primary', example.findPrimary);
  return { primary, standby };
}

async function waitForPrimary({ example }: TrialRig, expected: Member): Promise<void> {
  await until(
    `${expected.name} is the primary`,
    async () => (await example.findPrimary()) === expected,
  );
}

/** Also to its Patroni: a machine is paused as a whole. */
function signalMember(member: Member, signal: 'SIGSTOP' | 'SIGCONT'): void {
  if (member.process.pid !== undefined) process.kill(member.process.pid, signal);
  signalAll(member.folder, signal);
}
