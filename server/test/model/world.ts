import type { Receipt } from '../../src/channels/channel.ts';
import type { RefusedSend } from '../../src/context.ts';
import type { Job } from './job.ts';
import {
  type Asked,
  type Move,
  type Progress,
  type Stored,
  type Told,
  type TrialOptions,
  Trials,
} from './trials.ts';

/** Everything that counts at one moment. Workers are alike, so their order says nothing. */
export type World = {
  stored: Stored;
  workers: readonly Progress[];
  asked: readonly Asked[];
  told: Told;
  /** A refusal that waits on disk to be carried out. */
  refused: RefusedSend | null;
};

/**
 * A step is inside when the service and the passing of time bring it about alone; faults, people
 * and receipts are outside, and nobody may have to wait for them.
 */
export type Step = { label: string; isInside: boolean; to: World };
export type BadStep = { label: string; problem: string };

type NewJob = { job: Job; isInside: boolean; isRecordedAtOnce: boolean };

export type WorldOptions = TrialOptions & {
  workersMax: number;
  /** Receipts that come before their message is settled are kept apart; so many may wait. */
  parkedMax: number;
  watch: Job;
  verify: Job | undefined;
  receiptJob(attempt: number, receipt: Receipt): Job;
};

/** Which worlds follow from a world. */
export class Successors {
  readonly #options: WorldOptions;
  readonly #trials: Trials;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#trials = new Trials(options);
  }

  get statementsRun(): number {
    return this.#trials.statementsRun;
  }

  async first(): Promise<World> {
    const { keeper, send } = this.#options;
    return {
      stored: this.#trials.store(await keeper.read()),
      workers: [await this.#trials.begin(send)],
      asked: [],
      told: 'nothing',
      refused: null,
    };
  }

  async of(world: World): Promise<(Step | BadStep)[]> {
    const { stored, workers } = world;
    const steps: (Step | BadStep)[] = [];
    workers.forEach((worker, i) => {
      if (workers.indexOf(worker) !== i) return;
      const label = `${worker.job.name} dies`;
      steps.push({ label, isInside: false, to: { ...world, workers: without(workers, i) } });
    });
    for (const [i, worker] of workers.entries()) {
      if (workers.indexOf(worker) !== i) continue;
      const moves = stored.moves.get(worker) ?? (await this.#trials.tryOut(stored, worker));
      addMoves(steps, world, moves, { others: without(workers, i), canGoOn: true, isInside: true });
    }
    for (const { job, isInside, isRecordedAtOnce } of this.#newJobs(world)) {
      const fresh = this.#trials.fresh(job) ?? (await this.#trials.begin(job));
      const moves = stored.moves.get(fresh) ?? (await this.#trials.tryOut(stored, fresh));
      // Without a free worker, the process that recorded something dies before it goes on.
      const canGoOn = !isRecordedAtOnce || workers.length < this.#options.workersMax;
      addMoves(steps, world, moves, { others: workers, canGoOn, isInside });
    }
    stored.passing ??= this.#trials.afterTime(stored.rows);
    addMoves(steps, world, stored.passing, { others: workers, canGoOn: true, isInside: true });
    return steps;
  }

  /** Work that may begin now. What is recorded at once needs no worker unless it goes on. */
  #newJobs(world: World): NewJob[] {
    const { watch, verify, refusal, receipts, receiptJob, workersMax, parkedMax } = this.#options;
    const { code, early_receipt: parked } = world.stored.rows;
    const jobs: NewJob[] = [];
    if (world.workers.length < workersMax) {
      jobs.push({ job: watch, isInside: true, isRecordedAtOnce: false });
    }
    if (world.refused !== null) {
      const job = refusal(world.refused);
      jobs.push({ job, isInside: true, isRecordedAtOnce: true });
    }
    const accepted = world.asked.filter((asked) => asked.isAccepted);
    if (verify !== undefined && accepted.length > 0 && code[0]?.verified_at === null) {
      jobs.push({ job: verify, isInside: false, isRecordedAtOnce: true });
    }
    if (parked.length >= parkedMax) return jobs;
    for (const { attempt } of accepted) {
      for (const receipt of receipts) {
        const job = receiptJob(attempt, receipt);
        jobs.push({ job, isInside: false, isRecordedAtOnce: true });
      }
    }
    return jobs;
  }
}

function addMoves(
  steps: (Step | BadStep)[],
  world: World,
  moves: readonly Move[],
  by: { others: readonly Progress[]; canGoOn: boolean; isInside: boolean },
): void {
  for (const move of moves) {
    const { label, isInside, stored, next, asked, told, refused, accepted, problem } = move;
    if (problem !== undefined) {
      steps.push({ label, problem });
      continue;
    }
    const isKnownThere =
      accepted === undefined ||
      world.asked.some((one) => one.attempt === accepted && one.isAccepted);
    if (!isKnownThere) continue;
    steps.push({
      label,
      isInside: by.isInside && isInside,
      to: {
        stored,
        workers: next !== undefined && by.canGoOn ? withWorker(by.others, next) : by.others,
        asked: asked === undefined ? world.asked : [...world.asked, asked],
        told: told ?? world.told,
        refused: refused === undefined ? world.refused : refused,
      },
    });
  }
}

function withWorker(others: readonly Progress[], worker: Progress): Progress[] {
  return [...others, worker].sort((a, b) => a.id - b.id);
}

function without<T>(all: readonly T[], index: number): T[] {
  return all.filter((_, i) => i !== index);
}

export function isGood(step: Step | BadStep): step is Step {
  return 'to' in step;
}
