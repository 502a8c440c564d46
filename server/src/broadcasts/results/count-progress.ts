import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { FAILURE_WINDOW, RECIPIENT_OUTCOMES } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { endOfSending } from '@zhiber/contract/quiet-hours.ts';
import type { Sql } from '../../db/sql.ts';
import {
  countByOutcome,
  countClickedPeople,
  countSince,
  countUnsubscribed,
  type FailureShare,
  findNewestFailures,
  type OutcomeCount,
  updateCounts,
} from './count-store.ts';
import { findRun, type Run } from './run-store.ts';

/** A count under way. The recipients up to `reached` are in it. */
export type Tally = {
  run: Run;
  withClicks: boolean;
  outcomes: OutcomeCount[];
  clicked: number;
  reached: number;
  /** How long it has taken so far. */
  ms: number;
};

export async function beginTally(
  sql: Sql,
  broadcastId: string,
  choose: (run: Run) => { withClicks: boolean },
): Promise<Tally> {
  const run = await readRun(sql, broadcastId);
  // The first count has no clicks to keep.
  const withClicks = run.counts === null || choose(run).withClicks;
  return { run, withClicks, outcomes: [], clicked: 0, reached: 0, ms: 0 };
}

async function readRun(sql: Sql, broadcastId: string): Promise<Run> {
  const run = await findRun(sql, broadcastId);
  if (run === undefined) throw new Error(`broadcast ${broadcastId} was not started`);
  return run;
}

/** Adds the next recipients. False when all have been counted. */
export async function countSlice(sql: Sql, tally: Tally, rowsMax: number): Promise<boolean> {
  const startedMs = performance.now();
  const slice = { after: tally.reached, rowsMax };
  const { counts, reached } = await countByOutcome(sql, tally.run, slice);
  tally.outcomes.push(...counts);
  if (tally.withClicks && tally.run.url !== null)
    tally.clicked += await countClickedPeople(sql, tally.run, slice);
  tally.reached = reached ?? tally.reached;
  tally.ms += performance.now() - startedMs;
  return reached !== undefined;
}

/** Stores a complete count, and returns it. Without clicks the last ones are kept. */
export async function storeTally(sql: Sql, tally: Tally): Promise<Progress> {
  const counts = await toProgress(sql, tally);
  const { run, ms } = tally;
  await updateCounts(sql, run.id, { counts, at: run.now, ms: Math.round(ms) });
  return counts;
}

async function toProgress(sql: Sql, { run, withClicks, ...tally }: Tally): Promise<Progress> {
  const rate = await measureRate(sql, run);
  const outcomes = sumUp(RECIPIENT_OUTCOMES, tally.outcomes, ({ outcome }) => outcome);
  // A failed message names the channel that refused it; it was carried by none.
  const carried = tally.outcomes.filter(({ outcome }) => isCarried(outcome));
  const isMoving = rate > 0 && outcomes.waiting > 0;
  return {
    recipients: run.recipients,
    outcomes,
    charged: tally.outcomes.reduce((sum, { charged }) => sum + charged, 0),
    channels: sumUp(CHANNELS, carried, ({ channel }) => channel),
    clicked: withClicks ? tally.clicked : (run.counts?.clicked ?? 0),
    unsubscribed: withClicks ? await countUnsubscribed(sql, run) : (run.counts?.unsubscribed ?? 0),
    rate,
    ends_at: isMoving ? endsAt(run, outcomes.waiting / rate) : null,
    counted_at: run.now.toISOString(),
  };
}

/** Of a count that somebody waits for. */
const SLICE_ROWS = 10_000;

/** Counts a started broadcast at once. */
export async function countProgress(sql: Sql, broadcastId: string): Promise<Progress> {
  return await toProgress(sql, await countAll(sql, broadcastId));
}

/** Counts a started broadcast at once, and stores the result. */
export async function storeCounts(sql: Sql, broadcastId: string): Promise<Progress> {
  return await storeTally(sql, await countAll(sql, broadcastId));
}

async function countAll(sql: Sql, broadcastId: string): Promise<Tally> {
  const tally = await beginTally(sql, broadcastId, () => ({ withClicks: true }));
  while (await countSlice(sql, tally, SLICE_ROWS));
  return tally;
}

function sumUp<Name extends string>(
  names: readonly Name[],
  counts: readonly OutcomeCount[],
  nameOf: (count: OutcomeCount) => Name | null,
): Record<Name, number> {
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const count of counts) {
    const name = nameOf(count);
    if (name !== null) sums[name] += count.recipients;
  }
  return sums;
}

function isCarried(outcome: OutcomeCount['outcome']): boolean {
  return outcome === 'sent' || outcome === 'delivered' || outcome === 'read';
}

const RATE_SPAN_MS = 60_000;

/** Recipients per second over the last minute, or since it was started or resumed. */
async function measureRate(sql: Sql, run: Run): Promise<number> {
  if (run.state !== 'running') return 0;
  const now = run.now.getTime();
  const since = Math.max(
    now - RATE_SPAN_MS,
    run.started_at.getTime(),
    run.resumed_at?.getTime() ?? 0,
  );
  const left = await countSince(sql, run, new Date(since));
  // A run of milliseconds would show a huge rate.
  return Math.round((left / Math.max((now - since) / 1_000, 1)) * 100) / 100;
}

/** At this rate, with the rests that are still to come. */
function endsAt({ now, quiet_from, quiet_to, skips_days_off }: Run, seconds: number): string {
  const rules = { quietFrom: quiet_from, quietTo: quiet_to, skipsDaysOff: skips_days_off };
  return endOfSending(now, Math.ceil(seconds) * 1_000, rules).toISOString();
}

/** By then most failures have been reported by those channels that report them. */
const RECEIPT_WAIT_MS = 30_000;

/**
 * How many of the last messages failed, since an instant: of the newest settled ones, which shows
 * channels that refuse at once, or of those before the last half a minute, which shows channels that
 * accept everything and report failures later; the worse of both. An unknown outcome is no failure.
 */
export async function findFailureShare(
  sql: Sql,
  broadcastId: string,
  since: Date,
): Promise<FailureShare> {
  const run = await readRun(sql, broadcastId);
  const share = (to: Date) =>
    findNewestFailures(sql, run, { from: since, to, messagesMax: FAILURE_WINDOW });
  const newest = await share(FOREVER);
  const reported = await share(new Date(run.now.getTime() - RECEIPT_WAIT_MS));
  return reported.failed > newest.failed ? reported : newest;
}

/** Ids by the clock of another node may be ahead of the database. */
const FOREVER = new Date(8.64e15);
