import type { Receipt } from '../../src/channels/channel.ts';
import type { RefusedSend } from '../../src/context.ts';
import type { Job } from './job.ts';
import {
  type ClientAnswer,
  type Move,
  MoveFinder,
  type MoveOptions,
  type Progress,
  type ProviderCall,
  type Stored,
} from './moves.ts';

/** A state of the model. Workers are interchangeable, so their order is not part of it. */
export type World = {
  stored: Stored;
  workers: readonly Progress[];
  calls: readonly ProviderCall[];
  clientAnswer: ClientAnswer;
  /** A refusal on disk that has not been executed. */
  refused: RefusedSend | null;
};

/**
 * A step is internal when it needs only the service and the passing of time. Faults, users and
 * receipts are external, and the service must be able to finish without them.
 */
export type Step = { label: string; isInternal: boolean; to: World };
export type FailedStep = { label: string; problem: string };

type NewJob = { job: Job; isInternal: boolean; isRecordedAtOnce: boolean };

export type WorldOptions = MoveOptions & {
  workersMax: number;
  /** How many receipts may wait for their message to be settled. */
  earlyReceiptsMax: number;
  watch: Job;
  verify: Job | undefined;
  receiptJob(attempt: number, receipt: Receipt): Job;
};

/** Computes the worlds that follow from a world. */
export class Successors {
  readonly #options: WorldOptions;
  readonly #moves: MoveFinder;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#moves = new MoveFinder(options);
  }

  get statementsRun(): number {
    return this.#moves.statementsRun;
  }

  async first(): Promise<World> {
    const { rowStore, send } = this.#options;
    return {
      stored: this.#moves.store(await rowStore.read()),
      workers: [await this.#moves.begin(send)],
      calls: [],
      clientAnswer: 'nothing',
      refused: null,
    };
  }

  async of(world: World): Promise<(Step | FailedStep)[]> {
    const { stored, workers } = world;
    const steps: (Step | FailedStep)[] = [];
    workers.forEach((worker, i) => {
      if (workers.indexOf(worker) !== i) return;
      const label = `${worker.job.name} dies`;
      steps.push({ label, isInternal: false, to: { ...world, workers: without(workers, i) } });
    });
    for (const [i, worker] of workers.entries()) {
      if (workers.indexOf(worker) !== i) continue;
      const moves = stored.moves.get(worker) ?? (await this.#moves.findMoves(stored, worker));
      addMoves(steps, world, moves, {
        others: without(workers, i),
        canContinue: true,
        isInternal: true,
      });
    }
    for (const { job, isInternal, isRecordedAtOnce } of this.#newJobs(world)) {
      const fresh = this.#moves.findBegun(job) ?? (await this.#moves.begin(job));
      const moves = stored.moves.get(fresh) ?? (await this.#moves.findMoves(stored, fresh));
      // Without a free worker, the process dies after its first statement.
      const canContinue = !isRecordedAtOnce || workers.length < this.#options.workersMax;
      addMoves(steps, world, moves, { others: workers, canContinue, isInternal });
    }
    stored.passing ??= this.#moves.afterTime(stored.rows);
    addMoves(steps, world, stored.passing, {
      others: workers,
      canContinue: true,
      isInternal: true,
    });
    return steps;
  }

  /** Jobs that may start now. A job that is recorded at once needs a worker only to continue. */
  #newJobs(world: World): NewJob[] {
    const { watch, verify, refusal, receipts, receiptJob, workersMax, earlyReceiptsMax } =
      this.#options;
    const { code, early_receipt: early } = world.stored.rows;
    const jobs: NewJob[] = [];
    if (world.workers.length < workersMax) {
      jobs.push({ job: watch, isInternal: true, isRecordedAtOnce: false });
    }
    if (world.refused !== null) {
      const job = refusal(world.refused);
      jobs.push({ job, isInternal: true, isRecordedAtOnce: true });
    }
    const accepted = world.calls.filter((call) => call.isAccepted);
    if (verify !== undefined && accepted.length > 0 && code[0]?.verified_at === null) {
      jobs.push({ job: verify, isInternal: false, isRecordedAtOnce: true });
    }
    if (early.length >= earlyReceiptsMax) return jobs;
    for (const { attempt } of accepted) {
      for (const receipt of receipts) {
        const job = receiptJob(attempt, receipt);
        jobs.push({ job, isInternal: false, isRecordedAtOnce: true });
      }
    }
    return jobs;
  }
}

function addMoves(
  steps: (Step | FailedStep)[],
  world: World,
  moves: readonly Move[],
  by: { others: readonly Progress[]; canContinue: boolean; isInternal: boolean },
): void {
  for (const move of moves) {
    const { label, isInternal, stored, next, clientAnswer, refused, accepted, problem } = move;
    if (problem !== undefined) {
      steps.push({ label, problem });
      continue;
    }
    const isPossible =
      accepted === undefined ||
      world.calls.some((call) => call.attempt === accepted && call.isAccepted);
    if (!isPossible) continue;
    steps.push({
      label,
      isInternal: by.isInternal && isInternal,
      to: {
        stored,
        workers: next !== undefined && by.canContinue ? withWorker(by.others, next) : by.others,
        calls: move.providerCall ? [...world.calls, move.providerCall] : world.calls,
        clientAnswer: clientAnswer ?? world.clientAnswer,
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

export function isValid(step: Step | FailedStep): step is Step {
  return 'to' in step;
}
