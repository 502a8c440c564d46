/**
 * Named points at which the process kills itself, as a power cut would: before, during and after
 * each named statement, and before and after each call of a channel. They stand at the two edges of
 * the process, so the code between knows nothing of them. The same edge can lose the answers of a
 * statement that was carried out, every other one or all, or never let one through.
 */
import pg from 'pg';
import type { AttemptRef } from '../../src/channels/channel.ts';

/** `settle: before`, or `settle: before#3` for the third pass. */
const [crashAt, crashPass = '1'] = (process.env.CRASH_AT ?? '').split('#');
const loseAnswersOf = process.env.LOSE_ANSWERS_OF;
const loseAllAnswersOf = process.env.LOSE_ALL_ANSWERS_OF;
const denied = process.env.DENIED_STATEMENT;
let passes = 0;
let losses = 0;

export function crashPoint(name: string): void {
  if (name !== crashAt) return;
  passes += 1;
  if (passes === Number(crashPass)) process.kill(process.pid, 'SIGKILL');
}

const claimed = new Set<string>();

/** Whether this attempt was claimed as a later fallback, and is not part of the request. */
export function isFallback({ messageId, attempt }: AttemptRef): boolean {
  return claimed.has(`${messageId} ${attempt}`);
}

type Statement = { name?: string; values?: unknown[] };
type Query = (statement: Statement, ...rest: unknown[]) => unknown;

/** From now on each named statement of the process passes its points. */
export function watchStatements(): void {
  const { prototype } = pg.Client;
  const query = prototype.query as unknown as Query;
  const watched = function (this: pg.Client, statement: Statement, ...rest: unknown[]) {
    const name = statement?.name;
    if (name === undefined) return query.call(this, statement, ...rest);
    crashPoint(`${name}: before`);
    if (name === denied) return Promise.reject(cutOff());
    if (name === 'claim-fallback') {
      const [, messageId, attempt] = statement.values as [unknown, string, number];
      claimed.add(`${messageId} ${attempt + 1}`);
    }
    const result = query.call(this, statement, ...rest) as Promise<unknown>;
    setImmediate(() => crashPoint(`${name}: under way`));
    return passAnswer(name, result);
  };
  prototype.query = watched as unknown as typeof prototype.query;
}

async function passAnswer(name: string, answer: Promise<unknown>): Promise<unknown> {
  const result = await answer.finally(() => crashPoint(`${name}: after`));
  if (name === loseAllAnswersOf) throw cutOff();
  if (name === loseAnswersOf) {
    losses += 1;
    // Every other one, so that whoever tries again gets through.
    if (losses % 2 === 1) throw cutOff();
  }
  return result;
}

/** As the driver says it when the server has hung up. */
function cutOff(): Error {
  return new Error('Connection terminated unexpectedly');
}
