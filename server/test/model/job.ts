import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import pino from 'pino';
import { openBackground } from '../../src/background.ts';
import type { AttemptRef, ChannelAdapter, Load, Outcome } from '../../src/channels/channel.ts';
import type { Context, RefusedSend } from '../../src/context.ts';
import type { Database } from '../../src/db/database.ts';
import type { GroupStatement, Sql } from '../../src/db/group-commit.ts';

/** What the outside of a job may be asked for: a statement, or something of a provider. */
export type Call =
  | { kind: 'statement'; name: string; key: string; run(sql: Sql): Promise<unknown> }
  | { kind: 'send'; name: string; ref: AttemptRef; channel: Channel }
  | { kind: 'status'; name: string; ref: AttemptRef; channel: Channel }
  /** It is on disk from then on, whatever happens to the process. */
  | { kind: 'refusal'; name: string; send: RefusedSend };

/** What a job was answered; a database that went away answers with an error. */
export type Answer = { value: unknown } | { isAway: true };

export type Ending = { value: unknown } | { error: unknown };

/** Where a job stands: it waits for the answer to a call, or it is over. */
export type Stop = { call: Call } | { ending: Ending };

/** Work of one process, written in the service's own functions. */
export type Job = {
  name: string;
  /** Whether it carries out a refusal that is on disk. */
  isRefusal?: boolean;
  start(ctx: Context): Promise<unknown>;
};

export type JobSetting = {
  ctx: Context;
  /** What readers of settings (keys, prices) get, by their statement. */
  settings: ReadonlyMap<string, unknown[]>;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LOADS: ReadonlySet<Load> = new Set(['code', 'code_with_link', 'text', 'group']);

/**
 * Pauses pass at once and time limits never run out: a provider that stays silent is an answer of
 * its own here, and how slow a job is, is for the explorer to choose.
 */
export function takeTimeOutOfJobs(): void {
  const pause = (ms = 0, value?: unknown) =>
    ms < ATTEMPT_TIMEOUT_MS ? Promise.resolve(value) : new Promise(() => undefined);
  timers.setTimeout = pause as typeof timers.setTimeout;
  syncBuiltinESMExports();
}

/**
 * Runs a job from its beginning with the answers it got so far, up to the call that it has not been
 * answered yet. A job is thus a value that can be forked, left alone for as long as one likes, or
 * dropped, which is what a crash is; and what runs is the service's own code, not a model of it.
 */
export async function replay(
  job: Job,
  history: readonly Answer[],
  setting: JobSetting,
): Promise<Stop> {
  let answered = 0;
  let isOver = false;
  let stop: Stop | undefined;
  let letGo = () => {};

  const ask = <T>(call: Call): Promise<T> => {
    if (isOver) return new Promise(() => undefined);
    const answer = history[answered];
    if (answer === undefined) {
      // Work that goes on after its job has answered (a fallback after a receipt) asks too.
      assert(stop === undefined || 'ending' in stop, `${job.name} waits for two answers at once`);
      stop = { call };
      return new Promise((_resolve, reject) => {
        letGo = () => reject(new Error('the replay is over'));
      });
    }
    answered += 1;
    return 'value' in answer
      ? Promise.resolve(answer.value as T)
      : Promise.reject(new Error('Connection terminated unexpectedly'));
  };

  const ctx = contextOf(setting, ask);
  job.start(ctx).then(
    (value) => {
      stop ??= { ending: { value } };
    },
    (error) => {
      stop ??= { ending: { error } };
    },
  );
  // Nothing in a job waits for anything but its calls, so one turn of the loop runs all of it.
  await new Promise((resolve) => setImmediate(resolve));
  assert(stop !== undefined, `${job.name} waits for something that is not a call`);
  assert.equal(answered, history.length, `${job.name} did not repeat itself`);
  // What still waits cleans up behind itself (its timers); whatever it asks then stays unanswered.
  isOver = true;
  letGo();
  return stop;
}

type Ask = <T>(call: Call) => Promise<T>;

function contextOf(setting: JobSetting, ask: Ask): Context {
  const db = {
    query<T>(text: string, values: readonly unknown[] = [], name = text): Promise<T[]> {
      const known = setting.settings.get(name);
      if (known !== undefined) return Promise.resolve(known as T[]);
      const key = `${name} ${keyOf(values)}`;
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
        key: `${statement.name} ${keyOf(item)}`,
        run: async (sql) => (await statement.run(sql, [item]))[0],
      });
    },
  };
  const log = pino({ level: 'silent' });
  return {
    ...setting.ctx,
    db: db as unknown as Database,
    log,
    // Of its own: what a crash leaves under way stays so for ever.
    ...openBackground(log),
    refusals: { add: (send) => ask({ kind: 'refusal', name: 'refuse', send }) },
    channels: {
      isSandbox: false,
      adapter: (channel) => adapterOf(channel, ask),
      waiting: () => 0,
    },
  };
}

function adapterOf(channel: Channel, ask: Ask): ChannelAdapter {
  return {
    name: channel,
    carries: LOADS,
    send: ({ ref }) => ask<Outcome>({ kind: 'send', name: `ask ${channel}`, ref, channel }),
    readStatus: ({ ref }) => ask({ kind: 'status', name: `${channel} status`, ref, channel }),
  };
}

/** Two calls with the same key do the same: new ids and fractions of a second make no difference. */
export function keyOf(value: unknown): string {
  return JSON.stringify(value, (_name, part) => {
    if (typeof part === 'string' && UUID.test(part)) return 'id';
    return typeof part === 'number' && !Number.isInteger(part) ? Math.round(part) : part;
  });
}
