/** The processes of an embedded PostgreSQL, as the tests kill, stop and continue them. */
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAlive, postmasterPid } from '../start/serve-harness.ts';

export type Processes = {
  /** 0 when there is none. */
  postmaster: number;
  children: number[];
};

/** All of them work in the folder of the cluster, whoever started them. */
export function findProcesses(dataDir: string): Processes {
  const cluster = realpathSync(path.join(dataDir, 'postgres'));
  const postmaster = postmasterPid(dataDir) ?? 0;
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingDirOf(name) === cluster)
    .map(Number)
    .filter(isAlive);
  return { postmaster, children: pids.filter((pid) => pid !== postmaster) };
}

/**
 * The parent goes first, or it would start replacements. What it has started between the look and the
 * signal is found by the second look.
 */
export function signalAll(dataDir: string, signal: NodeJS.Signals): Processes {
  const found = findProcesses(dataDir);
  for (const pid of [found.postmaster, ...found.children]) signalOne(pid, signal);
  for (const pid of findProcesses(dataDir).children) signalOne(pid, signal);
  return found;
}

export function signalOne(pid: number, signal: NodeJS.Signals): void {
  // To the system 0 is this process and all its relatives.
  if (pid === 0) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

function workingDirOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
