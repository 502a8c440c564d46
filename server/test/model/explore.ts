import { checkIdle, checkStep, checkWorld } from './invariants.ts';
import { isValid, type Successors, type World } from './world.ts';

export type Violation = { problem: string; path: string[] };

export type Exploration = {
  worlds: number;
  steps: number;
  /** Worlds in which the service has nothing left to do. */
  idle: number;
  /** Distinct problems, each with one of the shortest paths to it. */
  violations: Violation[];
  statements: number;
  seconds: number;
};

type Options = {
  prices: Readonly<Record<string, number>>;
  /** Throws beyond this limit, because an incomplete exploration proves nothing. */
  worldsMax: number;
  /** Stops as soon as this problem has been found. */
  stopAt?: string;
  /** Called once for every world, for statistics. */
  onWorld?(world: World, path: () => string[]): void;
};

/**
 * Visits every reachable world, breadth first, so that the path to a problem is a shortest one.
 * Checks each world, each step and each idle world, and at the end that the service can become idle
 * from every world by its own steps.
 */
export async function explore(successors: Successors, options: Options): Promise<Exploration> {
  const startedAt = performance.now();
  const graph = new Graph();
  const wasChecked = createStepCache();
  const violations = new Map<string, Violation>();
  let idleCount = 0;
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
  graph.add(worldKey(queue[0] as World), undefined);
  for (let at = 0; at < queue.length; at++) {
    const world = queue[at] as World;
    // Frees the memory of an expanded world. Only its place in the graph is kept.
    delete queue[at];
    report(checkWorld(world, options.prices), at);
    options.onWorld?.(world, () => graph.pathTo(at));

    let isIdle = true;
    for (const step of await successors.of(world)) {
      if (!isValid(step)) {
        report([step.problem], at, step.label);
        continue;
      }
      if (!wasChecked(world, step.to)) report(checkStep(world, step.to), at, step.label);
      const { index, isNew } = graph.add(worldKey(step.to), { from: at, label: step.label });
      if (isNew) queue.push(step.to);
      if (index === at) continue;
      graph.connect(at, index, step.isInternal);
      if (step.isInternal) isIdle = false;
    }
    if (isIdle) {
      idleCount += 1;
      graph.markIdle(at);
      report(checkIdle(world), at);
    }
    if (options.stopAt !== undefined && violations.has(options.stopAt)) break;
    if (queue.length > options.worldsMax) throw new Error(`over ${options.worldsMax} worlds`);
  }

  if (violations.size === 0) {
    const stuck = graph.findNeverIdle();
    if (stuck !== undefined) report(['the service never comes to rest from here'], stuck);
  }
  return {
    worlds: graph.size,
    steps: graph.steps,
    idle: idleCount,
    violations: [...violations.values()],
    statements: successors.statementsRun,
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

/** Most steps change only the rows, in a way that was checked before. */
function createStepCache(): (before: World, after: World) => boolean {
  const seen = new Map<World['stored'], Set<World['stored']>>();
  return (before, after) => {
    if (before.calls !== after.calls || before.clientAnswer !== after.clientAnswer) return false;
    if (before.refused !== after.refused) return false;
    const following = seen.get(before.stored) ?? new Set();
    seen.set(before.stored, following);
    const isSeen = following.has(after.stored);
    following.add(after.stored);
    return isSeen;
  };
}

function worldKey({ stored, workers, calls, clientAnswer, refused }: World): string {
  const log = calls.map((call) => `${call.channel}${call.attempt}${call.isAccepted ? '+' : '-'}`);
  const open = refused === null ? '' : `refused ${refused.hasLeft}`;
  return `${stored.id}|${workers.map((worker) => worker.id)}|${log}|${clientAnswer}|${open}`;
}

class Graph {
  readonly #indexes = new Map<string, number>();
  readonly #labels: string[] = [];
  readonly #parents: number[] = [];
  readonly #internalFrom: number[] = [];
  readonly #internalTo: number[] = [];
  readonly #idle: number[] = [];
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

  connect(from: number, to: number, isInternal: boolean): void {
    this.steps += 1;
    if (!isInternal) return;
    this.#internalFrom.push(from);
    this.#internalTo.push(to);
  }

  markIdle(index: number): void {
    this.#idle.push(index);
  }

  pathTo(index: number): string[] {
    const path: string[] = [];
    for (let at = index; at > 0; at = this.#parents[at] as number) {
      path.unshift(this.#labels[at] as string);
    }
    return path;
  }

  /** Walks back from the idle worlds along internal steps. A world it does not reach is stuck. */
  findNeverIdle(): number | undefined {
    const heads = new Int32Array(this.size).fill(-1);
    const nexts = new Int32Array(this.#internalTo.length);
    this.#internalTo.forEach((to, edge) => {
      nexts[edge] = heads[to] as number;
      heads[to] = edge;
    });
    const canBecomeIdle = new Uint8Array(this.size);
    const open = [...this.#idle];
    for (const index of open) canBecomeIdle[index] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (let edge = heads[at] as number; edge >= 0; edge = nexts[edge] as number) {
        const from = this.#internalFrom[edge] as number;
        if (canBecomeIdle[from] === 1) continue;
        canBecomeIdle[from] = 1;
        open.push(from);
      }
    }
    const index = canBecomeIdle.indexOf(0);
    return index < 0 ? undefined : index;
  }
}
