import { after, test } from 'node:test';
import { askUntilServed } from '../come-back.ts';
import { tally } from '../money/two-nodes.ts';
import type { Question, RawAnswer } from './barrier.ts';
import type { MeetingPoint } from './meeting.ts';
import type { TwoServers } from './two-servers.ts';

const RUNS = process.env.ZHIBER_TEST_FULL === '1' ? 20 : 3;

/** The answers in the order of the questions, and how often somebody was told to come back. */
export type Raced = { answers: RawAnswer[]; sentAway: number };

/** Releases the requests of a race; the point is where its servers must not miss each other. */
export type Start = (questions: readonly Question[], point: MeetingPoint) => Promise<Raced>;

/** What one run has shown: how many answers had each outcome, and whatever else was counted. */
export type Figures = Record<string, number>;

/**
 * A race, run as often as its claim says, each time with companies and phones of its own. Every other
 * run leaves the servers to themselves; in the ones between they are made to meet in the database.
 * After each run the money adds up and nothing is held. The figures are printed when the file is
 * done.
 */
export function race(
  servers: TwoServers,
  name: string,
  runOnce: (start: Start) => Promise<Figures>,
): void {
  const runs: Figures[] = [];
  const times: number[] = [];
  const meetings: boolean[] = [];
  // On a busy machine the servers may refuse some; they come back, which is no race any more.
  const startBy = async (
    questions: readonly Question[],
    release: (questions: readonly Question[]) => Promise<RawAnswer[]>,
  ): Promise<Raced> => {
    let isFirst = true;
    return await askUntilServed({
      count: questions.length,
      ask: async (numbers) => {
        const asked = numbers.map((number) => questions[number] as Question);
        const answers = isFirst ? release(asked) : servers.release(asked).then(answersOf);
        isFirst = false;
        return await answers;
      },
      sql: servers.sql,
    });
  };
  const startAlone: Start = (questions) =>
    startBy(questions, async (asked) => {
      const { answers, ms } = await servers.release(asked);
      times.push(ms);
      return answers;
    });
  const startToMeet: Start = (questions, point) =>
    startBy(questions, async (asked) => {
      const { answers, haveMet } = await servers.releaseToMeet(asked, point);
      meetings.push(haveMet);
      return answers;
    });

  test(`${name}, ${RUNS} times`, async () => {
    for (let turn = 1; turn <= RUNS; turn++) {
      runs.push(await runOnce(turn % 2 === 1 ? startAlone : startToMeet));
      await servers.assertSound();
    }
    await servers.assertAuditCommand();
  });
  after(() => {
    if (runs.length === 0) return;
    const met = `both servers met in the database in ${meetings.filter(Boolean).length}`;
    const ms = `median ${Math.round(median(times))} ms from release to last answer in the others`;
    console.log(`${name}: ${ranges(runs)} (${runs.length} runs; ${met}; ${ms})`);
  });
}

/** How many answers had each outcome, the good ones first. */
export function outcomes({ answers }: Raced): Figures {
  const { ok = 0, ...refused } = tally(answers);
  return { ok, ...refused };
}

function answersOf({ answers }: { answers: RawAnswer[] }): RawAnswer[] {
  return answers;
}

/** In an order that differs from run to run. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function ranges(runs: Figures[]): string {
  const names = [...new Set(runs.flatMap((figures) => Object.keys(figures)))];
  const texts = names.map((name) => {
    const values = runs.map((figures) => figures[name] ?? 0);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${least === most ? least : `${least}–${most}`} ${name}`;
  });
  return texts.join(', ');
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted.at(middle - 1 + (sorted.length % 2)), sorted[middle]];
  return (low + high) / 2;
}
