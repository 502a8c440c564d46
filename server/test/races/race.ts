import { after, test } from 'node:test';
import { tally } from '../money/two-nodes.ts';
import type { Release } from './barrier.ts';
import type { TwoServers } from './two-servers.ts';

const RUNS = process.env.ZHIBER_TEST_FULL === '1' ? 20 : 3;

/** What one run has shown: the figures of its line, and how long the answers took. */
export type Run = { figures: Record<string, number>; ms: number };

/**
 * A race, run as often as its claim says, each time with companies and phones of its own. After each
 * run the money adds up and nothing is held. Its figures are printed when the file is done.
 */
export function race(servers: TwoServers, name: string, runOnce: () => Promise<Run>): void {
  const runs: Run[] = [];
  test(`${name}, ${RUNS} times`, async () => {
    for (let turn = 1; turn <= RUNS; turn++) {
      runs.push(await runOnce());
      await servers.assertSound();
    }
    await servers.assertAuditCommand();
  });
  after(() => console.log(lineOf(name, runs)));
}

/** The run of one release: its outcomes, and whatever else was counted. */
export function runOf({ answers, ms }: Release, more: Record<string, number> = {}): Run {
  const { ok = 0, ...refused } = tally(answers);
  return { figures: { ok, ...refused, ...more }, ms };
}

/** In an order that differs from run to run. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function lineOf(name: string, runs: Run[]): string {
  const names = [...new Set(runs.flatMap(({ figures }) => Object.keys(figures)))];
  const figures = names.map((figure) => {
    const values = runs.map(({ figures }) => figures[figure] ?? 0);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return `${least === most ? least : `${least}–${most}`} ${figure}`;
  });
  const ms = Math.round(median(runs.map((run) => run.ms)));
  return `${name}: ${figures.join(', ')} (${runs.length} runs, ${ms} ms from release to last answer)`;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted.at(middle - 1 + (sorted.length % 2)), sorted[middle]];
  return (low + high) / 2;
}
