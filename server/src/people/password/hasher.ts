import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { Problem } from '../../problem.ts';

export type Cost = { N: number; r: number; p: number };
export type HashQuestion = { id: number; password: string; salt: string; cost: Cost };
/** Without a key it could not be done. */
export type HashAnswer = { id: number; key?: string };

export type Hasher = (password: string, salt: Buffer, cost: Cost) => Promise<Buffer>;

const PROGRAM = path.join(import.meta.dirname, 'hash-process.ts');
/** Half a second on an idle machine; on a busy one the server comes first. */
const LIMIT_MS = 20_000;

/**
 * Hashes in a process of its own, which comes with the first password and goes with the server. One
 * that dies or hangs fails what it had in hand, and the next password brings another.
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
      for (const asked of waiting.values()) asked.reject(new Problem('service_unavailable'));
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
    const asked = Promise.withResolvers<Buffer>();
    waiting.set(id, asked);
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    // The same letters may be typed in two forms.
    const text = password.normalize('NFKC');
    const question: HashQuestion = { id, password: text, salt: salt.toString('base64'), cost };
    child.send(question);
    try {
      return await asked.promise;
    } finally {
      clearTimeout(limit);
      waiting.delete(id);
      // A server that stops does not wait for a process that has nothing to do.
      if (waiting.size === 0) child.channel?.unref();
    }
  };
}
