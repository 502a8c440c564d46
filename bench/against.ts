/**
 * Compares this checkout with another one, such as the commit before. Each runs its own bench in
 * turn, on its own service and data, so that only the names of the blocks must be the same.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { median } from './measure.ts';

const BLOCKS = ['send, 64 connections', 'verify, 64 connections', 'redirect, 64 connections'];
/** A slowdown of up to 2 % is within the noise. */
const RATIO_MIN = 0.98;
/** Rounds within one run of a bench; the noise of the machine is averaged over the turns. */
const ROUNDS_PER_TURN = 2;

/** In one turn. More are a fault of one of the checkouts. */
const FAILURES_MAX = 3;

type Turn = Record<string, { perSecond: number }>;

export async function compareWith(
  other: string,
  options: { turns: number; seconds: number; say(line: string): void },
): Promise<string> {
  const here = path.join(import.meta.dirname, '..');
  const pairs: { own: Turn; before: Turn }[] = [];
  for (let turn = 0; turn < options.turns; turn++) {
    options.say(`turn ${turn + 1} of ${options.turns}`);
    const isOwnFirst = turn % 2 === 0;
    const pair = async () => {
      const first = await runBench(isOwnFirst ? here : other, options.seconds);
      const second = await runBench(isOwnFirst ? other : here, options.seconds);
      return isOwnFirst ? { own: first, before: second } : { own: second, before: first };
    };
    pairs.push(await repeatFailed(pair, options.say));
  }
  return BLOCKS.map((block) => {
    const speeds = (side: 'own' | 'before') =>
      pairs.map((pair) => pair[side][block]?.perSecond ?? Number.NaN);
    const own = speeds('own');
    const before = speeds('before');
    const ratios = own.map((speed, i) => speed / (before[i] as number));
    const ratio = median(ratios);
    return (
      `${block}: ${Math.round(median(own))}/s here, ${Math.round(median(before))}/s there, ratio ` +
      `${ratio.toFixed(3)} (${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})` +
      `${ratio >= RATIO_MIN ? '' : `  MISSED ${RATIO_MIN}`}`
    );
  }).join('\n');
}

/** Of a machine whose disk stands still for seconds nothing can be said: the turn is repeated. */
async function repeatFailed<T>(run: () => Promise<T>, say: (line: string) => void): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await run();
    } catch (error) {
      if (failures === FAILURES_MAX) throw error;
      say(`${(error as Error).message}; the turn is repeated`);
    }
  }
}

async function runBench(checkout: string, seconds: number): Promise<Turn> {
  const args = ['--quick', '--json', '--only', BLOCKS.join(';'), '--seconds', String(seconds)];
  const child = spawn(
    process.execPath,
    [path.join(checkout, 'bench/main.ts'), ...args, '--rounds', String(ROUNDS_PER_TURN)],
    { cwd: checkout, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`the bench of ${checkout} ended with ${code}`);
  return (JSON.parse(printed) as { figures: Turn }).figures;
}
