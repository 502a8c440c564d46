import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import pino from 'pino';
import type {
  AttemptRef,
  ChannelAdapter,
  ContentKind,
  Outcome,
} from '../../src/channels/channel.ts';
import type { Context, RefusedSend } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import type { GroupStatement } from '../../src/db/group-commit.ts';
import type { Sql } from '../../src/db/sql.ts';
import { openMemory } from '../../src/memory.ts';
import { openBackground } from '../../src/runtime/background.ts';

/** A call of a job to the outside: a statement, a provider, or the disk. */
export type Call =
  | { kind: 'statement'; name: string; key: string; run(sql: Sql): Promise<unknown> }
  | { kind: 'send'; name: string; ref: AttemptRef; channel: Channel }
  | { kind: 'status'; name: string; ref: AttemptRef; channel: Channel }
  /** From then on the refusal is on disk and survives the process. */
  | { kind: 'refusal'; name: string; send: RefusedSend };

/** The answer to a call of a job. An unavailable database answers with an error. */
export type Answer = { value: unknown } | { isUnavailable: true };

export type JobResult = { value: unknown } | { error: unknown };

/** A job waits for the answer to a call, or has ended. */
export type JobState = { call: Call } | { result: JobResult };

/** Work of one process, done by functions of the service. */
export type Job = {
  name: string;
  /** Whether it executes a refusal from disk. */
  isRefusal?: boolean;
  start(ctx: Context): Promise<unknown>;
};

export type JobSetting = {
  ctx: Context;
  /** The rows of settings (keys, prices), by the name of their statement. */
  settings: ReadonlyMap<string, unknown[]>;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CONTENT_KINDS: ReadonlySet<ContentKind> = new Set([
  'code',
  'code_with_link',
  'text',
  'group',
]);

/**
 * Makes pauses end at once and deadlines never expire. In the model a silent provider is one of the
 * possible answers, and the explorer decides how slow a job is.
 */
export function disableTimeouts(): void {
  const pause = (ms = 0, value?: unknown) =>
    ms < ATTEMPT_TIMEOUT_MS ? Promise.resolve(value) : new Promise(() => undefined);
  timers.setTimeout = pause as typeof timers.setTimeout;
  syncBuiltinESMExports();
}

/**
 * Runs a job from its beginning with the answers it got so far, up to the first unanswered call. So
 * a job is a value that can be forked, paused for any time, or dropped, which models a crash. The
 * code that runs is the service itself.
 */
export async function replay(
  job: Job,
  history: readonly Answer[],
  setting: JobSetting,
): Promise<JobState> {
  let answered = 0;
  let isOver = false;
  let state: JobState | undefined;
  let abandon = () => {};

  const ask = <T>(call: Call): Promise<T> => {
    if (isOver) return new Promise(() => undefined);
    const answer = history[answered];
    if (answer === undefined) {
      // Background work (a fallback after a receipt) may make calls after its job has ended.
      assert(state === undefined || 'result' in state, `${job.name} waits for two answers at once`);
      state = { call };
      return new Promise((_resolve, reject) => {
        abandon = () => reject(new Error('the replay is over'));
      });
    }
    answered += 1;
    return 'value' in answer
      ? Promise.resolve(answer.value as T)
      : Promise.reject(new Error('Connection terminated unexpectedly'));
  };

  const ctx = createContext(setting, ask);
  job.start(ctx).then(
    (value) => {
      state ??= { result: { value } };
    },
    (error) => {
      state ??= { result: { error } };
    },
  );
  // A job waits only for its calls, so one turn of the event loop runs it up to the next call.
  await new Promise((resolve) => setImmediate(resolve));
  assert(state !== undefined, `${job.name} waits for something that is not a call`);
  assert.equal(answered, history.length, `${job.name} is not deterministic`);
  // The pending call is rejected, so that the job clears its timers. Later calls stay unanswered.
  isOver = true;
  abandon();
  return state;
}

type Ask = <T>(call: Call) => Promise<T>;

function createContext(setting: JobSetting, ask: Ask): Context {
  const calls = {
    query<T>(text: string, values: readonly unknown[] = [], name = text): Promise<T[]> {
      const known = setting.settings.get(name);
      if (known !== undefined) return Promise.resolve(known as T[]);
      const key = `${name} ${stableKey(values)}`;
      return ask({
        kind: 'statement',
        name,
        key,
        run: (sql) => sql.query(text, values, name),
      });
    },
    inGroup<Item, Result>(statement: GroupStatement<Item, Result>, item: Item): Promise<Result> {
      return ask({
        kind: 'statement',
        name: statement.name,
        key: `${statement.name} ${stableKey(item)}`,
        run: async (sql) => (await statement.run(sql, [item]))[0],
      });
    },
  };
  const db = calls as unknown as Database;
  const log = pino({ level: 'silent' });
  return {
    ...setting.ctx,
    db,
    log,
    // A process that has just started: nothing is cached, and no work of a crashed one is left.
    ...openMemory({ db, clock: setting.ctx.clock, log }),
    ...openBackground(log),
    refusals: { add: (send) => ask({ kind: 'refusal', name: 'refuse', send }) },
    channels: {
      isSandbox: false,
      adapter: (channel) => createAdapter(channel, ask),
      waiting: () => 0,
      takeUrgentCount: () => 0,
    },
  };
}

function createAdapter(channel: Channel, ask: Ask): ChannelAdapter {
  return {
    name: channel,
    carries: CONTENT_KINDS,
    send: ({ ref }) => ask<Outcome>({ kind: 'send', name: `ask ${channel}`, ref, channel }),
    readStatus: ({ ref }) => ask({ kind: 'status', name: `${channel} status`, ref, channel }),
  };
}

/** Calls with the same key are equivalent: ids and fractions of a second are ignored. */
export function stableKey(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part === 'string' && UUID.test(part)) return 'id';
    return typeof part === 'number' && !Number.isInteger(part) ? Math.round(part) : part;
  });
}
