import { afterStep, always, atRest } from './invariants.ts';
import { isGood, type Successors, type World } from './world.ts';

export type Violation = { problem: string; path: string[] };

export type Exploration = {
  worlds: number;
  steps: number;
  /** Worlds in which the service has nothing left to do. */
  atRest: number;
  /** Distinct problems, each with a shortest path to it. */
  violations: Violation[];
  statements: number;
  seconds: number;
};

type Options = {
  prices: Readonly<Record<string, number>>;
  /** Give up beyond this: an exploration that was cut short proves nothing, so it throws. */
  worldsMax: number;
  /** Ends as soon as this problem has been found. */
  stopsAt?: string;
  /** Told of every world once, for figures that are not invariants. */
  onWorld?(world: World, path: () => string[]): void;
};

/**
 * Visits every world that can be reached, breadth first, so that the path to whatever goes wrong is
 * a shortest one. Checks each world, each step, and each world at rest; and in the end that the
 * service comes to rest from everywhere by its own steps.
 */
export async function explore(successors: Successors, options: Options): Promise<Exploration> {
  const startedAt = performance.now();
  const graph = new Graph();
  const isJudged = judge();
  const violations = new Map<string, Violation>();
  let restCount = 0;
  const report = (problems: string[], at: number, label?: string) => {
    for (const problem of problems) {
      if (violations.has(problem)) continue;
      violations.set(problem, {
        problem,
        path: [...graph.pathTo(at), ...(label === undefined ? [] : [label])],
      });
    }
  };

  const queue: World[] = [await successors.first()];
  graph.add(keyOfWorld(queue[0] as World), undefined);
  for (let at = 0; at < queue.length; at++) {
    const world = queue[at] as World;
    // A world is needed until it has been expanded; what stays is its place in the graph.
    delete queue[at];
    report(always(world, options.prices), at);
    options.onWorld?.(world, () => graph.pathTo(at));

    let isAtRest = true;
    for (const step of await successors.of(world)) {
      if (!isGood(step)) {
        report([step.problem], at, step.label);
        continue;
      }
      if (!isJudged(world, step.to)) report(afterStep(world, step.to), at, step.label);
      const { index, isNew } = graph.add(keyOfWorld(step.to), { from: at, label: step.label });
      if (isNew) queue.push(step.to);
      if (index === at) continue;
      graph.connect(at, index, step.isInside);
      if (step.isInside) isAtRest = false;
    }
    if (isAtRest) {
      restCount += 1;
      graph.markRest(at);
      report(atRest(world), at);
    }
    if (options.stopsAt !== undefined && violations.has(options.stopsAt)) break;
    if (queue.length > options.worldsMax) throw new Error(`over ${options.worldsMax} worlds`);
  }

  if (violations.size === 0) {
    const stuck = graph.firstThatNeverRests();
    if (stuck !== undefined) report(['the service never comes to rest from here'], stuck);
  }
  return {
    worlds: graph.size,
    steps: graph.steps,
    atRest: restCount,
    violations: [...violations.values()],
    statements: successors.statementsRun,
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/** Most steps change the rows alone, and in a way that has been checked before. */
function judge(): (before: World, after: World) => boolean {
  const seen = new Map<World['stored'], Set<World['stored']>>();
  return (before, after) => {
    if (before.asked !== after.asked || before.told !== after.told) return false;
    if (before.refused !== after.refused) return false;
    const following = seen.get(before.stored) ?? new Set();
    seen.set(before.stored, following);
    const isSeen = following.has(after.stored);
    following.add(after.stored);
    return isSeen;
  };
}

function keyOfWorld({ stored, workers, asked, told, refused }: World): string {
  const log = asked.map((one) => `${one.channel}${one.attempt}${one.isAccepted ? '+' : '-'}`);
  const open = refused === null ? '' : `refused ${refused.hasLeft}`;
  return `${stored.id}|${workers.map((worker) => worker.id)}|${log}|${told}|${open}`;
}

class Graph {
  readonly #indexes = new Map<string, number>();
  readonly #labels: string[] = [];
  readonly #parents: number[] = [];
  readonly #insideFrom: number[] = [];
  readonly #insideTo: number[] = [];
  readonly #resting: number[] = [];
  steps = 0;

  get size(): number {
    return this.#indexes.size;
  }

  add(
    key: string,
    by: { from: number; label: string } | undefined,
  ): { index: number; isNew: boolean } {
    const known = this.#indexes.get(key);
    if (known !== undefined) return { index: known, isNew: false };
    const index = this.#indexes.size;
    this.#indexes.set(key, index);
    this.#parents.push(by?.from ?? -1);
    this.#labels.push(by?.label ?? '');
    return { index, isNew: true };
  }

  connect(from: number, to: number, isInside: boolean): void {
    this.steps += 1;
    if (!isInside) return;
    this.#insideFrom.push(from);
    this.#insideTo.push(to);
  }

  markRest(index: number): void {
    this.#resting.push(index);
  }

  pathTo(index: number): string[] {
    const path: string[] = [];
    for (let at = index; at > 0; at = this.#parents[at] as number) {
      path.unshift(this.#labels[at] as string);
    }
    return path;
  }

  /** Goes back from the worlds at rest along inside steps; whoever is not met can never rest. */
  firstThatNeverRests(): number | undefined {
    const heads = new Int32Array(this.size).fill(-1);
    const nexts = new Int32Array(this.#insideTo.length);
    this.#insideTo.forEach((to, edge) => {
      nexts[edge] = heads[to] as number;
      heads[to] = edge;
    });
    const canRest = new Uint8Array(this.size);
    const open = [...this.#resting];
    for (const index of open) canRest[index] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (let edge = heads[at] as number; edge >= 0; edge = nexts[edge] as number) {
        const from = this.#insideFrom[edge] as number;
        if (canRest[from] === 1) continue;
        canRest[from] = 1;
        open.push(from);
      }
    }
    const index = canRest.indexOf(0);
    return index < 0 ? undefined : index;
  }
}
