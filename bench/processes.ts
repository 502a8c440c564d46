import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LoadPlan, LoadResult } from './load-plan.ts';

const children: ChildProcess[] = [];

function start(file: string, env: Record<string, string> = {}): ChildProcess {
  const child = fork(path.join(import.meta.dirname, file), { env: { ...process.env, ...env } });
  children.push(child);
  return child;
}

/** A baseline: a server of this folder that says where it listens. */
export type Baseline = { port: number; pid: number };

export async function startBaseline(file: string, env: Record<string, string>): Promise<Baseline> {
  const child = start(file, env);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid as number };
}

export type LoadClient = { run(plan: LoadPlan): Promise<LoadResult[]> };

export function startLoadClient(): LoadClient {
  const child = start('load-client.ts');
  return {
    async run(plan) {
      child.send(plan);
      const [results] = (await once(child, 'message')) as [LoadResult[]];
      return results;
    },
  };
}

export function endProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Seconds of processor time that these processes and their children have used so far. */
export function processorSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const { pid, parent, ticks: used } of readProcesses()) {
    if (pids.includes(pid) || pids.includes(parent)) ticks += used;
  }
  return ticks / TICKS_PER_SECOND;
}

/** Linux counts in hundredths of a second, on every machine there is. */
const TICKS_PER_SECOND = 100;

function readProcesses(): { pid: number; parent: number; ticks: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readText(`/proc/${name}/stat`);
      if (stat === undefined) return [];
      // The name in brackets may hold spaces; the fields that count follow it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, user, system, deadUser, deadSystem] = [1, 11, 12, 13, 14].map((at) =>
        Number(fields[at]),
      ) as [number, number, number, number, number];
      return [{ pid: Number(name), parent, ticks: user + system + deadUser + deadSystem }];
    });
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readText(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
