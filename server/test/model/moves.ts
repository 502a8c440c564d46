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
  type JobState,
  replay,
  stableKey,
} from './job.ts';
import {
  later,
  type RowStore,
  type StoredRows,
  type TimeGrid,
  withExpiredCode,
} from './stored-rows.ts';

/** A call of a provider, and whether the provider accepted the message. */
export type ProviderCall = { channel: Channel; attempt: number; isAccepted: boolean };

/**
 * The answer that the client of the send got: success, a definite failure, that the service is
 * unavailable (which says nothing about the send), or nothing yet.
 */
export type ClientAnswer = 'success' | 'failure' | 'unavailable' | 'nothing';

/** A job after some answers. It waits for the next answer or has ended. */
export type Progress = {
  id: number;
  job: Job;
  history: readonly Answer[];
  state: JobState;
  /** The progress after each answer. Equal answers are the same object. */
  next: Map<Answer, Progress>;
};

export type Stored = {
  id: number;
  rows: StoredRows;
  /** The moves of each job on these rows, once computed. */
  moves: Map<Progress, Move[]>;
  statements: Map<string, StatementResult>;
  passing?: Move[];
};

/** A change that a job, or the passing of time, makes on some rows. */
export type Move = {
  label: string;
  isInternal: boolean;
  stored: Stored;
  next?: Progress | undefined;
  providerCall?: ProviderCall | undefined;
  clientAnswer?: ClientAnswer | undefined;
  /** A refusal that was written to disk, or null when it has been executed. */
  refused?: RefusedSend | null | undefined;
  /** The move needs a provider that has accepted this attempt. */
  accepted?: number | undefined;
  problem?: string | undefined;
};
type StatementResult = { stored: Stored; answer: Answer } | { problem: string };
export type MoveOptions = {
  rowStore: RowStore;
  setting: JobSetting;
  grid: TimeGrid;
  receipts: readonly Receipt[];
  /** Whether the database may become unavailable during a statement, before or after its commit. */
  losesAnswers: boolean;
  codeExpires: boolean;
  send: Job;
  refusal(send: RefusedSend): Job;
};

const UNAVAILABLE: Answer = { isUnavailable: true };

/**
 * Computes the moves of jobs and of time on stored rows. A statement on the same rows has the same
 * result, and a job with the same answers makes the same call. Both run once and are cached, so
 * that thousands of worlds that differ elsewhere cost almost nothing.
 */
export class MoveFinder {
  readonly #options: MoveOptions;
  readonly #stored = new Map<string, Stored>();
  readonly #answers = new Map<string, Answer>();
  readonly #begun = new Map<Job, Progress>();
  #progressCount = 0;
  statementsRun = 0;

  constructor(options: MoveOptions) {
    this.#options = options;
  }

  /** The progress of a job before its first answer, if `begin` was called for it. */
  findBegun(job: Job): Progress | undefined {
    return this.#begun.get(job);
  }

  afterTime(rows: StoredRows): Move[] {
    const { grid, codeExpires } = this.#options;
    const passing: Move[] = [
      {
        label: `${grid.stepSeconds} s pass`,
        isInternal: true,
        stored: this.store(later(rows, grid.stepSeconds)),
      },
    ];
    if (codeExpires) {
      const stored = this.store(withExpiredCode(rows));
      passing.push({ label: 'the code expires', isInternal: true, stored });
    }
    return passing;
  }

  /** One move for every possible answer to the pending call of a job on these rows. */
  async findMoves(stored: Stored, worker: Progress): Promise<Move[]> {
    if (!('call' in worker.state)) throw new Error(`${worker.job.name} has ended`);
    const { call } = worker.state;
    const moves: Move[] = [];
    for (const { how, answer, ...move } of await this.#outcomes(stored, call)) {
      const label = `${worker.job.name}: ${call.name}${how === '' ? '' : ` (${how})`}`;
      const next = await this.#advance(worker, answer);
      moves.push({
        ...move,
        label,
        next: 'call' in next.state ? next : undefined,
        clientAnswer: worker.job === this.#options.send ? readClientAnswer(next.state) : undefined,
        ...(isRefusalDone(worker.job, next.state) && { refused: null }),
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
        { stored, how: '', answer: this.#answer(undefined), isInternal: true, refused: call.send },
      ];
    }
    const result = stored.statements.get(call.key) ?? (await this.#run(stored, call));
    if ('problem' in result) {
      return [{ stored, how: '', answer: UNAVAILABLE, isInternal: true, problem: result.problem }];
    }
    const answered = { stored: result.stored, how: '', answer: result.answer, isInternal: true };
    if (!this.#options.losesAnswers) return [answered];
    return [
      answered,
      { stored: result.stored, how: 'answer lost', answer: UNAVAILABLE, isInternal: false },
      { stored, how: 'database unavailable', answer: UNAVAILABLE, isInternal: false },
    ];
  }

  #sendOutcomes(stored: Stored, { channel, ref }: Call & { kind: 'send' }): Outcome[] {
    const outcome = (isAccepted: boolean, how: string, value: unknown): Outcome => ({
      stored,
      providerCall: { channel, attempt: ref.attempt, isAccepted },
      isInternal: true,
      how,
      answer: this.#answer(value),
    });
    // The same text as the watch uses, so that worlds do not differ only by the reason.
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
      isInternal: false,
      how: receipt,
      answer: this.#answer(receipt),
      accepted: ref.attempt,
    }));
    const nothing = this.#answer(undefined);
    return [{ stored, isInternal: true, how: 'no status', answer: nothing }, ...known];
  }

  async #run(stored: Stored, call: Call & { kind: 'statement' }): Promise<StatementResult> {
    this.statementsRun += 1;
    let result: StatementResult;
    try {
      const { value, rows } = await this.#options.rowStore.runOn(stored.rows, call.run);
      result = {
        stored: this.store(rows),
        answer: this.#answer(roundAges(this.#options.grid, value)),
      };
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // Constraints are the last line of defence. The statements of the service never violate them.
      const { code, message } = error as Error & { code?: string };
      result = { problem: `the database refused a statement: ${code ?? message}` };
    }
    stored.statements.set(call.key, result);
    return result;
  }

  store(rows: StoredRows): Stored {
    return getOrCreate(this.#stored, JSON.stringify(rows), (id) => ({
      id,
      rows,
      moves: new Map(),
      statements: new Map(),
    }));
  }

  #answer(value: unknown): Answer {
    return getOrCreate(this.#answers, stableKey([value]), () => ({ value }));
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
    const state = await replay(job, history, this.#options.setting);
    this.#progressCount += 1;
    return { id: this.#progressCount, job, history, state, next: new Map() };
  }
}

type Outcome = Pick<
  Move,
  'stored' | 'isInternal' | 'providerCall' | 'accepted' | 'problem' | 'refused'
> & {
  how: string;
  answer: Answer;
};

/** The file of a refusal is removed when its statement has returned that it is done. */
function isRefusalDone({ isRefusal = false }: Job, state: JobState): boolean {
  if (!isRefusal || !('result' in state) || !('value' in state.result)) return false;
  return (state.result.value as boolean[]).every(Boolean);
}

function readClientAnswer(state: JobState): ClientAnswer {
  if (!('result' in state)) return 'nothing';
  if ('value' in state.result) return 'success';
  return state.result.error instanceof Problem ? 'failure' : 'unavailable';
}

function getOrCreate<T>(all: Map<string, T>, key: string, make: (id: number) => T): T {
  let found = all.get(key);
  if (found === undefined) {
    found = make(all.size + 1);
    all.set(key, found);
  }
  return found;
}

/** Rounds the ages in the result of a statement to the grid. */
function roundAges(grid: TimeGrid, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => roundAges(grid, part));
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name.endsWith('seconds') && typeof part === 'number' ? grid.past(part) : part,
    ]),
  );
}
