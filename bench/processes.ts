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

/** A baseline: a server of this folder that reports its port. */
export type Baseline = { port: number; pid: number };

export async function startBaseline(file: string, env: Record<string, string>): Promise<Baseline> {
  return await waitForPort(start(file, env));
}

async function waitForPort(child: ChildProcess): Promise<Baseline> {
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { port, pid: child.pid as number };
}

/** A provider that accepts everything after a configurable delay. */
export type SlowProvider = Baseline & { setDelay(delayMs: number): Promise<void> };

export async function startProvider(secret: string): Promise<SlowProvider> {
  const child = start('provider-server.ts', { BENCH_SECRET: secret });
  return {
    ...(await waitForPort(child)),
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

/** USER_HZ of Linux is 100 on every common platform. */
const TICKS_PER_SECOND = 100;

/** Processor seconds used by a process so far, optionally with its children, running or ended. */
export function processorSeconds(pid: number, withChildren = false): number {
  let ticks = 0;
  for (const used of readProcesses()) {
    if (used.pid === pid) ticks += used.own + (withChildren ? used.endedChildren : 0);
    if (withChildren && used.parent === pid) ticks += used.own;
  }
  return ticks / TICKS_PER_SECOND;
}

function readProcesses(): { pid: number; parent: number; own: number; endedChildren: number }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readText(`/proc/${name}/stat`);
      if (stat === undefined) return [];
      // The name in brackets may contain spaces; the numeric fields follow it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const own = Number(fields[11]) + Number(fields[12]);
      const endedChildren = Number(fields[13]) + Number(fields[14]);
      return [{ pid: Number(name), parent: Number(fields[1]), own, endedChildren }];
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
