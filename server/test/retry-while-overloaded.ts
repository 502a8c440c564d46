import assert from 'node:assert/strict';
import { type ApiAnswer, type RunSql, until } from './harness.ts';

/** A machine that is still overloaded after this many rounds is broken, not busy. */
const ROUNDS_MAX = 20;
/** 503: try again later. 504: the message may have been sent, and is not charged. */
const OVERLOAD: ReadonlySet<number> = new Set([503, 504]);

export type Rounds<Answer> = {
  /** The last answer to each request. */
  answers: Answer[];
  /** The number of 503 answers. The request behind one may have been executed nevertheless. */
  overloadedCount: number;
};

/**
 * Sends many concurrent requests on a machine that may be too busy for them. An overloaded service
 * answers some with 503 and some with 504, and releases what they had taken (holds, rate limits)
 * shortly afterwards. After a round with such answers, the function waits until no message is being
 * sent and repeats the requests that got neither 200 nor 504, until a round has no such answer.
 */
export async function retryWhileOverloaded<Answer extends ApiAnswer>(requests: {
  count: number;
  /** Sends the requests with these numbers concurrently. */
  ask(numbers: readonly number[]): Promise<Answer[]>;
  sql: RunSql;
}): Promise<Rounds<Answer>> {
  const answers: Answer[] = [];
  let numbers = Array.from({ length: requests.count }, (_, index) => index);
  let overloadedCount = 0;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const received = await requests.ask(numbers);
    numbers.forEach((number, index) => {
      answers[number] = received[index] as Answer;
    });
    overloadedCount += received.filter(({ status }) => status === 503).length;
    if (!received.some(({ status }) => OVERLOAD.has(status))) return { answers, overloadedCount };
    await until('all messages are settled', () => isSettled(requests.sql, answers));
    numbers = numbers.filter((number) => ![200, 504].includes(answers[number]?.status ?? 0));
  }
  return assert.fail(`still overloaded after ${ROUNDS_MAX} rounds`);
}

/** Whether no message is being sent, no hold is open, and no message answered with 504 is charged. */
async function isSettled(sql: RunSql, answers: readonly ApiAnswer[]): Promise<boolean> {
  const failed = answers.filter(({ status }) => status === 504);
  const open = await sql(
    `select from message where state = 'sending' or (id = any ($1::uuid[]) and charged > 0)
     union all select from account where held <> 0`,
    [failed.map(({ body }) => body.message_id)],
  );
  return open.length === 0;
}
