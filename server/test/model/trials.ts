import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Receipt } from '../../src/channels/channel.ts';
import type { RefusedSend } from '../../src/context.ts';
import { isDatabaseAway } from '../../src/db/sql-errors.ts';
import { Problem } from '../../src/problem.ts';
import {
  type Answer,
  type Call,
  type Job,
  type JobSetting,
  keyOf,
  replay,
  type Stop,
} from './job.ts';
import {
  type Grid,
  later,
  type RowKeeper,
  type StoredRows,
  withExpiredCode,
} from './stored-rows.ts';

/** What a provider was asked. */
export type Asked = { channel: Channel; attempt: number; isAccepted: boolean };

/**
 * What the client of the send was told: success, a definite failure, that the service is away
 * (which says nothing about the send), or nothing yet.
 */
export type Told = 'success' | 'failure' | 'away' | 'nothing';

/** A job that has been answered so far and waits for the next answer, or is over. */
export type Progress = {
  id: number;
  job: Job;
  history: readonly Answer[];
  stop: Stop;
  /** Where each answer led to; the same answer is the same object. */
  next: Map<Answer, Progress>;
};

export type Stored = {
  id: number;
  rows: StoredRows;
  /** What each job can do on these rows, and what time does, once it has been tried. */
  moves: Map<Progress, Move[]>;
  statements: Map<string, StatementResult>;
  passing?: Move[];
};

/** Something a job, or time, can do on some rows. */
export type Move = {
  label: string;
  isInside: boolean;
  stored: Stored;
  next?: Progress | undefined;
  asked?: Asked | undefined;
  told?: Told | undefined;
  /** A refusal that was written to disk; null when it has been carried out. */
  refused?: RefusedSend | null | undefined;
  /** Only a provider that has accepted this attempt knows of it. */
  accepted?: number | undefined;
  problem?: string | undefined;
};
type StatementResult = { stored: Stored; answer: Answer } | { problem: string };
export type TrialOptions = {
  keeper: RowKeeper;
  setting: JobSetting;
  grid: Grid;
  receipts: readonly Receipt[];
  /** Whether the database may go away while it is asked, before or after it has done its work. */
  losesAnswers: boolean;
  codeExpires: boolean;
  send: Job;
  refusal(send: RefusedSend): Job;
};

const AWAY: Answer = { isAway: true };

/**
 * Tries out what jobs and time do on stored rows. A statement on the same rows does the same every
 * time, and a job with the same answers asks the same: both are run once and remembered, so that the
 * thousands of worlds that differ in something else cost next to nothing.
 */
export class Trials {
  readonly #options: TrialOptions;
  readonly #stored = new Map<string, Stored>();
  readonly #answers = new Map<string, Answer>();
  readonly #begun = new Map<Job, Progress>();
  #progressCount = 0;
  statementsRun = 0;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** Where a job stands before its first answer, if it has been tried; else see `begin`. */
  fresh(job: Job): Progress | undefined {
    return this.#begun.get(job);
  }

  afterTime(rows: StoredRows): Move[] {
    const { grid, codeExpires } = this.#options;
    const passing: Move[] = [
      {
        label: `${grid.stepSeconds} s pass`,
        isInside: true,
        stored: this.store(later(rows, grid.stepSeconds)),
      },
    ];
    if (codeExpires) {
      const stored = this.store(withExpiredCode(rows));
      passing.push({ label: 'the code expires', isInside: true, stored });
    }
    return passing;
  }

  /** Every way in which the call of a job may be answered on these rows. */
  async tryOut(stored: Stored, worker: Progress): Promise<Move[]> {
    if (!('call' in worker.stop)) throw new Error(`${worker.job.name} is over`);
    const { call } = worker.stop;
    const moves: Move[] = [];
    for (const { how, answer, ...move } of await this.#outcomes(stored, call)) {
      const label = `${worker.job.name}: ${call.name}${how === '' ? '' : ` (${how})`}`;
      const next = await this.#advance(worker, answer);
      moves.push({
        ...move,
        label,
        next: 'call' in next.stop ? next : undefined,
        told: worker.job === this.#options.send ? toldBy(next.stop) : undefined,
        ...(isCarriedOut(worker.job, next.stop) && { refused: null }),
      });
    }
    stored.moves.set(worker, moves);
    return moves;
  }

  async #outcomes(stored: Stored, call: Call): Promise<Outcome[]> {
    if (call.kind === 'send') return this.#sendOutcomes(stored, call);
    if (call.kind === 'status') return this.#statusOutcomes(stored, call);
    if (call.kind === 'refusal') {
      return [
        { stored, how: '', answer: this.#answer(undefined), isInside: true, refused: call.send },
      ];
    }
    const result = stored.statements.get(call.key) ?? (await this.#run(stored, call));
    if ('problem' in result) {
      return [{ stored, how: '', answer: AWAY, isInside: true, problem: result.problem }];
    }
    const answered = { stored: result.stored, how: '', answer: result.answer, isInside: true };
    if (!this.#options.losesAnswers) return [answered];
    return [
      answered,
      { stored: result.stored, how: 'answer lost', answer: AWAY, isInside: false },
      { stored, how: 'database away', answer: AWAY, isInside: false },
    ];
  }

  #sendOutcomes(stored: Stored, { channel, ref }: Call & { kind: 'send' }): Outcome[] {
    const outcome = (isAccepted: boolean, how: string, value: unknown): Outcome => ({
      stored,
      asked: { channel, attempt: ref.attempt, isAccepted },
      isInside: true,
      how,
      answer: this.#answer(value),
    });
    // As the watch says it, so that the words tell no worlds apart.
    const reason = 'Обработка прервана';
    const providerId = `${channel}-${ref.attempt}`;
    return [
      outcome(true, 'accepted', { result: 'accepted', providerId }),
      outcome(true, 'accepted, answer lost', { result: 'unknown', reason }),
      outcome(false, 'refused', { result: 'refused', reason }),
      outcome(false, 'lost on the way', { result: 'unknown', reason }),
    ];
  }

  #statusOutcomes(stored: Stored, { ref }: Call & { kind: 'status' }): Outcome[] {
    const known = this.#options.receipts.map((receipt) => ({
      stored,
      isInside: false,
      how: receipt,
      answer: this.#answer(receipt),
      accepted: ref.attempt,
    }));
    const nothing = this.#answer(undefined);
    return [{ stored, isInside: true, how: 'knows nothing', answer: nothing }, ...known];
  }

  async #run(stored: Stored, call: Call & { kind: 'statement' }): Promise<StatementResult> {
    this.statementsRun += 1;
    let result: StatementResult;
    try {
      const { value, rows } = await this.#options.keeper.runOn(stored.rows, call.run);
      result = {
        stored: this.store(rows),
        answer: this.#answer(withAgesOn(this.#options.grid, value)),
      };
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // Constraints are the last line of defence: the service's own statements never meet them.
      const { code, message } = error as Error & { code?: string };
      result = { problem: `the database refused a statement: ${code ?? message}` };
    }
    stored.statements.set(call.key, result);
    return result;
  }

  store(rows: StoredRows): Stored {
    return remember(this.#stored, JSON.stringify(rows), (id) => ({
      id,
      rows,
      moves: new Map(),
      statements: new Map(),
    }));
  }

  #answer(value: unknown): Answer {
    return remember(this.#answers, keyOf([value]), () => ({ value }));
  }

  async begin(job: Job): Promise<Progress> {
    const fresh = await this.#reach(job, []);
    this.#begun.set(job, fresh);
    return fresh;
  }

  async #advance(from: Progress, answer: Answer): Promise<Progress> {
    const known = from.next.get(answer);
    if (known !== undefined) return known;
    const reached = await this.#reach(from.job, [...from.history, answer]);
    from.next.set(answer, reached);
    return reached;
  }

  async #reach(job: Job, history: readonly Answer[]): Promise<Progress> {
    const stop = await replay(job, history, this.#options.setting);
    this.#progressCount += 1;
    return { id: this.#progressCount, job, history, stop, next: new Map() };
  }
}

type Outcome = Pick<Move, 'stored' | 'isInside' | 'asked' | 'accepted' | 'problem' | 'refused'> & {
  how: string;
  answer: Answer;
};

/** The file of a refusal goes when its statement has said that it is done. */
function isCarriedOut({ isRefusal = false }: Job, stop: Stop): boolean {
  if (!isRefusal || !('ending' in stop) || !('value' in stop.ending)) return false;
  return (stop.ending.value as boolean[]).every(Boolean);
}

function toldBy(stop: Stop): Told {
  if (!('ending' in stop)) return 'nothing';
  if ('value' in stop.ending) return 'success';
  return stop.ending.error instanceof Problem ? 'failure' : 'away';
}

function remember<T>(all: Map<string, T>, key: string, make: (id: number) => T): T {
  let found = all.get(key);
  if (found === undefined) {
    found = make(all.size + 1);
    all.set(key, found);
  }
  return found;
}

/** A statement tells ages to the microsecond; only their place on the grid means anything. */
function withAgesOn(grid: Grid, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => withAgesOn(grid, part));
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name.endsWith('seconds') && typeof part === 'number' ? grid.past(part) : part,
    ]),
  );
}
