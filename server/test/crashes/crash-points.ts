/**
 * Named points at which the process kills itself, as a power cut would: before, during and after
 * each named statement, and before and after each call of a channel. They are at the edges of the
 * process (driver and channel adapters), so the service itself contains no test code. The driver
 * edge can also drop the answers of executed statements, or fail a statement without running it.
 */
import pg from 'pg';
import type { AttemptRef } from '../../src/channels/channel.ts';

/** `settle: before`, or `settle: before#3` for the third time the point is reached. */
const [crashAt, crashPass = '1'] = (process.env.CRASH_AT ?? '').split('#');
const loseAnswersOf = process.env.LOSE_ANSWERS_OF;
const loseAllAnswersOf = process.env.LOSE_ALL_ANSWERS_OF;
const deniedStatement = process.env.DENIED_STATEMENT;
let passes = 0;
let losses = 0;

export function crashPoint(name: string): void {
  if (name !== crashAt) return;
  passes += 1;
  if (passes === Number(crashPass)) process.kill(process.pid, 'SIGKILL');
}

const claimedFallbacks = new Set<string>();

/** Whether this attempt is a later fallback and not part of the original request. */
export function isFallback({ messageId, attempt }: AttemptRef): boolean {
  return claimedFallbacks.has(`${messageId} ${attempt}`);
}

type Statement = { name?: string; values?: unknown[] };
type Query = (statement: Statement, ...rest: unknown[]) => unknown;

/** Wraps the driver so that each named statement of the process reaches its crash points. */
export function installCrashPoints(): void {
  const { prototype } = pg.Client;
  const query = prototype.query as unknown as Query;
  const wrapped = function (this: pg.Client, statement: Statement, ...rest: unknown[]) {
    const name = statement?.name;
    if (name === undefined) return query.call(this, statement, ...rest);
    crashPoint(`${name}: before`);
    if (name === deniedStatement) return Promise.reject(connectionLost());
    if (name === 'claim-fallback') {
      const [, messageId, attempt] = statement.values as [unknown, string, number];
      claimedFallbacks.add(`${messageId} ${attempt + 1}`);
    }
    const result = query.call(this, statement, ...rest) as Promise<unknown>;
    setImmediate(() => crashPoint(`${name}: in flight`));
    return passAnswer(name, result);
  };
  prototype.query = wrapped as unknown as typeof prototype.query;
}

async function passAnswer(name: string, answer: Promise<unknown>): Promise<unknown> {
  const result = await answer.finally(() => crashPoint(`${name}: after`));
  if (name === loseAllAnswersOf) throw connectionLost();
  if (name === loseAnswersOf) {
    losses += 1;
    // Every second answer, so that a retry succeeds.
    if (losses % 2 === 1) throw connectionLost();
  }
  return result;
}

/** The error of the driver when the server closes the connection. */
function connectionLost(): Error {
  return new Error('Connection terminated unexpectedly');
}
