import assert from 'node:assert/strict';
import { type Answered, type RunSql, until } from './harness.ts';

/** A machine that cannot serve so many at once in so many rounds is broken, not busy. */
const ROUNDS_MAX = 20;
/** Come back later, and: it may have left, free of charge. */
const OVERLOAD: ReadonlySet<number> = new Set([503, 504]);

export type Rounds<Answer> = {
  /** The last answer to each. */
  answers: Answer[];
  /** How often somebody was told to come back. What they wanted may have been done all the same. */
  sentAway: number;
};

/**
 * What many ask all at once, on a machine that may be too busy for it. An overloaded service tells some
 * to come back (503), and has sent some for nothing (504); what either had taken, such as a phone's
 * minute or a hold, is given back a moment later. So after a round with such answers whoever got
 * nothing asks again, once nothing is under way, until a round goes without.
 */
export async function askUntilServed<Answer extends Answered>(asking: {
  count: number;
  /** Puts the questions with these numbers all at once. */
  ask(numbers: readonly number[]): Promise<Answer[]>;
  sql: RunSql;
}): Promise<Rounds<Answer>> {
  const answers: Answer[] = [];
  let numbers = Array.from({ length: asking.count }, (_, at) => at);
  let sentAway = 0;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const told = await asking.ask(numbers);
    numbers.forEach((number, at) => {
      answers[number] = told[at] as Answer;
    });
    sentAway += told.filter(({ status }) => status === 503).length;
    if (!told.some(({ status }) => OVERLOAD.has(status))) return { answers, sentAway };
    await until('nothing is under way', () => isSettled(asking.sql, answers));
    numbers = numbers.filter((number) => ![200, 504].includes(answers[number]?.status ?? 0));
  }
  return assert.fail(`still overloaded after ${ROUNDS_MAX} rounds`);
}

/** Whether nothing is being sent or held, and what was answered with a failure is free. */
async function isSettled(sql: RunSql, answers: readonly Answered[]): Promise<boolean> {
  const failed = answers.filter(({ status }) => status === 504);
  const open = await sql(
    `select from message where state = 'sending' or (id = any ($1::uuid[]) and charged > 0)
     union all select from account where held <> 0`,
    [failed.map(({ body }) => body.message_id)],
  );
  return open.length === 0;
}
