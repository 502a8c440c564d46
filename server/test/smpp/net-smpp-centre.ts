import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../providers/rig/local-server.ts';
import type { Fields, ForeignCentre } from './foreign-centre.ts';

type Event =
  | { event: 'listening'; port: number }
  | { event: 'request'; command: string; fields: Fields }
  | { event: 'response'; seq: number; status: number };

/** Why a test with Net::SMPP cannot run here; false when it can. */
export function whyNoNetSmpp(): string | false {
  const { status } = spawnSync('perl', ['-MNet::SMPP', '-e', '1']);
  return status === 0 ? false : 'perl has no Net::SMPP here';
}

export type NetSmppCentre = Pick<ForeignCentre, 'port' | 'deliver'> & {
  requests: Fields[];
  /** Stops the process as it is, with its connections open, or continues it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
};

/** A message centre made of Perl's Net::SMPP, in a process of its own. */
export async function startNetSmpp(t: Scope): Promise<NetSmppCentre> {
  const script = fileURLToPath(new URL('./net-smpp-centre.pl', import.meta.url));
  const child = spawn('perl', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const requests: Fields[] = [];
  const port = Promise.withResolvers<number>();
  const waiting = new Map<number, (status: number) => void>();
  child.once('exit', (code) => port.reject(new Error(`perl ended with ${code}`)));
  createInterface(child.stdout).on('line', (line) => {
    const event = JSON.parse(line) as Event;
    if (event.event === 'listening') port.resolve(event.port);
    else if (event.event === 'response') waiting.get(event.seq)?.(event.status);
    else requests.push({ command: event.command, ...event.fields });
  });
  let seq = 100_000;
  return {
    port: await port.promise,
    requests,
    signal: (name) => void child.kill(name),
    deliver: (fields, command = 'deliver_sm') =>
      new Promise((resolve) => {
        seq += 1;
        waiting.set(seq, resolve);
        child.stdin.write(`${JSON.stringify({ command, seq, ...fields })}\n`);
      }),
  };
}
