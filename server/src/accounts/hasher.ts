import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Problem } from '../problem.ts';

export type Cost = { N: number; r: number; p: number };
export type HashQuestion = { id: number; password: string; salt: string; cost: Cost };
/** Without a key the hash has failed. */
export type HashAnswer = { id: number; key?: string };

export type Hasher = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>;

const PROGRAM = path.join(import.meta.dirname, 'hash-process.ts');
/** A hash takes half a second on an idle machine. On a busy one the server has priority. */
const TIMEOUT_MS = 20_000;

/**
 * Hashes in a child process that starts with the first password and ends with the server. If it
 * dies or hangs, its pending hashes fail, and the next password starts another.
 */
export function createHasher(): Hasher {
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  let running: ChildProcess | undefined;
  let lastId = 0;

  const start = (): ChildProcess => {
    const child = fork(PROGRAM, { env: {}, execArgv: [], stdio: 'ignore' });
    const fail = () => {
      if (running !== child) return;
      running = undefined;
      for (const pending of waiting.values()) pending.reject(new Problem('service_unavailable'));
    };
    child.on('exit', fail).on('error', fail);
    child.on('message', ({ id, key }: HashAnswer) => {
      if (key === undefined) waiting.get(id)?.reject(new Problem('service_unavailable'));
      else waiting.get(id)?.resolve(Buffer.from(key, 'base64'));
    });
    child.unref();
    return child;
  };

  return async (password, salt, cost) => {
    running ??= start();
    const child = running;
    child.channel?.ref();
    const id = ++lastId;
    const pending = Promise.withResolvers<Buffer>();
    waiting.set(id, pending);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    // The same letters can have several Unicode forms.
    const text = password.normalize('NFKC');
    const question: HashQuestion = { id, password: text, salt: salt.toString('base64'), cost };
    child.send(question);
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
      // An idle child process must not keep the server from exiting.
      if (waiting.size === 0) child.channel?.unref();
    }
  };
}
