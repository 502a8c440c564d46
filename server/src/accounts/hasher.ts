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

const PROGRAM = path.join(import.meta.dirname, 'hash-process.ts');
/** A hash takes half a second on an idle machine. On a busy one the server has priority. */
const TIMEOUT_MS = 20_000;

/**
 * Hashes and judges passwords in a child process that starts with the first password and ends with
 * the server. If it dies or hangs, its pending questions fail, and the next password starts another.
 */
export function createHasher(): Hasher {
  const waiting = new Map<number, PromiseWithResolvers<string>>();
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
    child.on('message', ({ id, result }: Answer) => {
      if (result === undefined) waiting.get(id)?.reject(new Problem('service_unavailable'));
      else waiting.get(id)?.resolve(result);
    });
    child.unref();
    return child;
  };

  const ask = async (question: Question): Promise<string> => {
    running ??= start();
    const child = running;
    child.channel?.ref();
    const id = ++lastId;
    const pending = Promise.withResolvers<string>();
    waiting.set(id, pending);
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    // The same letters can have several Unicode forms.
    child.send({ id, ...question, password: question.password.normalize('NFKC') });
    try {
      return await pending.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
      // An idle child process must not keep the server from exiting.
      if (waiting.size === 0) child.channel?.unref();
    }
  };

  return {
    async derive(password, salt, cost) {
      const key = await ask({ ask: 'hash', password, salt: salt.toString('base64'), cost });
      return Buffer.from(key, 'base64');
    },
    async judge(password, person) {
      return (await ask({ ask: 'judge', password, person })) as PasswordVerdict;
    },
  };
}
