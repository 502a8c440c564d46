import { after, test } from 'node:test';
import { IS_FULL } from '../is-full.ts';
import { tally } from '../money/two-nodes.ts';
import { retryWhileOverloaded } from '../retry-while-overloaded.ts';
import type { ApiRequest, RawAnswer } from './barrier.ts';
import type { LockStatement } from './contended-lock.ts';
import type { TwoServers } from './two-servers.ts';

const RUNS = IS_FULL ? 20 : 2;

/** The answers in the order of the requests, and the number of 503 answers that were retried. */
export type Raced = { answers: RawAnswer[]; overloadedCount: number };

/** Releases the requests of a race. The lock is the one for which both servers contend. */
export type Start = (requests: readonly ApiRequest[], lock: LockStatement) => Promise<Raced>;

/** The counts of one run: answers by outcome, and whatever else the race counts. */
export type Figures = Record<string, number>;

/**
 * Runs a race several times, each time with new companies and phones. Every second run forces both
 * servers to contend for a lock. After each run the ledger must balance with nothing held. The
 * figures are printed at the end of the file.
 */
export function race(
  servers: TwoServers,
  name: string,
  runOnce: (start: Start) => Promise<Figures>,
): void {
  const runs: Figures[] = [];
  const times: number[] = [];
  const contentions: boolean[] = [];
  // On a busy machine some requests get 503. They are retried, but no longer as part of the race.
  const startWith = async (
    requests: readonly ApiRequest[],
    release: (requests: readonly ApiRequest[]) => Promise<RawAnswer[]>,
  ): Promise<Raced> => {
    let isFirst = true;
    return await retryWhileOverloaded({
      count: requests.length,
      ask: async (numbers) => {
        const batch = numbers.map((number) => requests[number] as ApiRequest);
        if (!isFirst) return (await servers.release(batch)).answers;
        isFirst = false;
        return await release(batch);
      },
      sql: servers.sql,
    });
  };
  const startFreely: Start = (requests) =>
    startWith(requests, async (batch) => {
      const { answers, ms } = await servers.release(batch);
      times.push(ms);
      return answers;
    });
  const startContended: Start = (requests, lock) =>
    startWith(requests, async (batch) => {
      const { answers, isContended } = await servers.releaseContended(batch, lock);
      contentions.push(isContended);
      return answers;
    });

  test(`${name}, ${RUNS} times`, async () => {
    for (let turn = 1; turn <= RUNS; turn++) {
      runs.push(await runOnce(turn % 2 === 1 ? startFreely : startContended));
      await servers.assertLedgerSound();
    }
    await servers.assertAuditCommand();
  });
  after(() => {
    if (runs.length === 0) return;
    const contended = `both servers contended in ${contentions.filter(Boolean).length}`;
    const ms = `median ${Math.round(median(times))} ms from release to last answer in the others`;
    console.log(`${name}: ${ranges(runs)} (${runs.length} runs; ${contended}; ${ms})`);
  });
}

/** How many answers had each outcome, successes first. */
export function outcomes({ answers }: Raced): Figures {
  const { ok = 0, ...refused } = tally(answers);
  return { ok, ...refused };
}

/** The items in a random order. */
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
