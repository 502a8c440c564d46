import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Problem } from '../problem.ts';
import type { PasswordVerdict, PersonalFacts } from './judge-password.ts';

export type Cost = { N: number; r: number; p: number };
export type Question = { password: string } & (
  | { ask: 'hash'; salt: string; cost: Cost }
  | { ask: 'judge'; person: PersonalFacts }
);
/** Without a result the question could not be answered. */
export type Answer = { id: number; result?: string | undefined };

export type Hasher = {
  derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer>;
  judge(password: string, person: PersonalFacts): Promise<PasswordVerdict>;
};

/** `background` runs only when nothing else wants the processor. */
export type Priority = 'background' | 'low';
type Pending = PromiseWithResolvers<string> & { question: Question };

const PROGRAM = path.join(import.meta.dirname, 'hash-process.ts');
/** A hash takes half a second on an idle machine. */
const PATIENCE_MS = 3_000;
/** How long passwords are not left to the background after one had to wait there. */
const BUSY_MS = 60_000;
const TIMEOUT_MS = 20_000;

/**
 * Hashes and judges passwords in a child process that starts with the first password and ends with
 * the server. If it dies or hangs, its pending questions fail, and the next password starts another.
 * It runs in the background. On a machine that is never idle, another one with a low priority
 * replaces it, because people would wait for minutes.
 */
export function createHasher({ patienceMs = PATIENCE_MS } = {}): Hasher {
  const waiting = new Map<number, Pending>();
  let running: { child: ChildProcess; priority: Priority } | undefined;
  let lastId = 0;
  let busyUntilMs = 0;

  const start = (priority: Priority) => {
    const child = fork(PROGRAM, [priority], { env: {}, execArgv: [], stdio: 'ignore' });
    const fail = () => {
      if (running?.child !== child) return;
      running = undefined;
      for (const pending of waiting.values()) pending.reject(new Problem('service_unavailable'));
    };
    child.on('exit', fail).on('error', fail);
    child.on('message', ({ id, result }: Answer) => {
      if (result === undefined) waiting.get(id)?.reject(new Problem('service_unavailable'));
      else waiting.get(id)?.resolve(result);
    });
    child.unref();
    return { child, priority };
  };
  const replace = (priority: Priority) => {
    const previous = running;
    running = start(priority);
    previous?.child.kill('SIGKILL');
    for (const [id, { question }] of waiting) running.child.send({ id, ...question });
  };
  const hurry = () => {
    busyUntilMs = performance.now() + BUSY_MS;
    if (running?.priority === 'background') replace('low');
  };

  const ask = async (question: Question): Promise<string> => {
    const priority = performance.now() < busyUntilMs ? 'low' : 'background';
    if (waiting.size === 0 && running?.priority !== priority) replace(priority);
    running ??= start(priority);
    const { child } = running;
    child.channel?.ref();
    const id = ++lastId;
    const pending = { ...Promise.withResolvers<string>(), question };
    waiting.set(id, pending);
    const patience = setTimeout(hurry, patienceMs);
    const deadline = setTimeout(() => running?.child.kill('SIGKILL'), TIMEOUT_MS);
    child.send({ id, ...question });
    try {
      return await pending.promise;
    } finally {
      clearTimeout(patience);
      clearTimeout(deadline);
      waiting.delete(id);
      // An idle child process must not keep the server from exiting.
      if (waiting.size === 0) running?.child.channel?.unref();
    }
  };

  // The same letters can have several Unicode forms.
  const normalise = (password: string) => password.normalize('NFKC');
  return {
    async derive(password, salt, cost) {
      const key = await ask({
        ask: 'hash',
        password: normalise(password),
        salt: salt.toString('base64'),
        cost,
      });
      return Buffer.from(key, 'base64');
    },
    async judge(password, person) {
      return (await ask({
        ask: 'judge',
        password: normalise(password),
        person,
      })) as PasswordVerdict;
    },
  };
}
