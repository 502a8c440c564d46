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
  return await whereItListens(start(file, env));
}

async function whereItListens(child: ChildProcess): Promise<Baseline> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid as number };
}

/** A provider that accepts everything, after as much time as it is told to take. */
export type SlowProvider = Baseline & { setDelay(delayMs: number): Promise<void> };

export async function startProvider(secret: string): Promise<SlowProvider> {
  const child = start('provider-server.ts', { BENCH_SECRET: secret });
  return {
    ...(await whereItListens(child)),
    async setDelay(delayMs) {
      child.send({ delayMs });
      await once(child, 'message');
    },
  };
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

/** Linux counts in hundredths of a second, on every machine there is. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time that a process has used so far, with or without its children, living or ended. */
export function processorSeconds(pid: number, withChildren = false): number {
  let ticks = 0;
  for (const used of readProcesses()) {
    if (used.pid === pid) ticks += used.own + (withChildren ? used.ofEnded : 0);
    if (withChildren && used.parent === pid) ticks += used.own;
  }
  return ticks / TICKS_PER_SECOND;
}

function readProcesses(): { pid: number; parent: number; own: number; ofEnded: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readText(`/proc/${name}/stat`);
      if (stat === undefined) return [];
      // The name in brackets may hold spaces; the fields that count follow it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const own = Number(fields[11]) + Number(fields[12]);
      const ofEnded = Number(fields[13]) + Number(fields[14]);
      return [{ pid: Number(name), parent: Number(fields[1]), own, ofEnded }];
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
