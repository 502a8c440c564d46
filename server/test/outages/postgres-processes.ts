/** Finds and signals the processes of an embedded PostgreSQL. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isAlive, isWorkingIn, postmasterPid } from '../start/serve-harness.ts';

export type Processes = {
  /** 0 when there is none. */
  postmaster: number;
  children: number[];
};

export function findProcesses(dataDir: string): Processes {
  const cluster = realpathSync(path.join(dataDir, 'postgres'));
  const postmaster = postmasterPid(dataDir) ?? 0;
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isWorkingIn(pid, cluster) && isAlive(pid));
  return { postmaster, children: pids.filter((pid) => pid !== postmaster) };
}

/**
 * Signals the parent first, because it would start replacements. A child that it started in between
 * is found by the second search.
 */
export function signalAll(dataDir: string, signal: NodeJS.Signals): Processes {
  const found = findProcesses(dataDir);
  for (const pid of [found.postmaster, ...found.children]) signalOne(pid, signal);
  for (const pid of findProcesses(dataDir).children) signalOne(pid, signal);
  return found;
}

export function signalOne(pid: number, signal: NodeJS.Signals): void {
  // Pid 0 would signal the whole process group of this test.
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
