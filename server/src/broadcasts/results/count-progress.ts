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
  findRun,
  type OutcomeCount,
  type Run,
  updateCounts,
} from './results-store.ts';

/**
 * After a count comes a pause of so many times its duration: counting takes a twentieth of the time
 * at most, however large a broadcast is and however many pages show it, and codes go first.
 */
export const COUNT_PAUSE_FACTOR = 20;

/** The part of the counts that changes slowly and takes longest: they may be some seconds old. */
export type ClickCounts = Pick<Progress, 'clicked' | 'unsubscribed'>;

/** All counts of a started broadcast; the clicks are those given, or counted as well. */
export async function countProgress(
  sql: Sql,
  broadcastId: string,
  clicks?: ClickCounts,
): Promise<Progress> {
  const run = await readRun(sql, broadcastId);
  return { ...(await countOutcomes(sql, run)), ...(clicks ?? (await countClicks(sql, run))) };
}

async function readRun(sql: Sql, broadcastId: string): Promise<Run> {
  const run = await findRun(sql, broadcastId);
  if (run === undefined) throw new Error(`broadcast ${broadcastId} was not started`);
  return run;
}

/** Where the recipients are, in one snapshot. */
export async function countOutcomes(
  sql: Sql,
  run: Run,
): Promise<Omit<Progress, keyof ClickCounts>> {
  const counts = await countByOutcome(sql, run);
  const rate = await measureRate(sql, run);
  const outcomes = sumUp(RECIPIENT_OUTCOMES, counts, ({ outcome }) => outcome);
  // A failed message names the channel that refused it; it was carried by none.
  const carried = counts.filter(({ outcome }) => isCarried(outcome));
  const isMoving = rate > 0 && outcomes.waiting > 0;
  return {
    recipients: run.recipients,
    outcomes,
    charged: counts.reduce((sum, { charged }) => sum + charged, 0),
    channels: sumUp(CHANNELS, carried, ({ channel }) => channel),
    rate,
    ends_at: isMoving ? endsAt(run, outcomes.waiting / rate) : null,
    counted_at: run.now.toISOString(),
  };
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

export async function countClicks(sql: Sql, run: Run): Promise<ClickCounts> {
  return {
    clicked: await countClickedPeople(sql, run),
    unsubscribed: await countUnsubscribed(sql, run),
  };
}

/** Counts a started broadcast and stores the result. Without clicks the last ones are kept. */
export async function storeCounts(
  sql: Sql,
  broadcastId: string,
  { withClicks }: { withClicks: boolean },
): Promise<Progress> {
  const startedAt = performance.now();
  const run = await readRun(sql, broadcastId);
  const outcomes = await countOutcomes(sql, run);
  const isFirst = run.counts === null;
  const clicks = withClicks || isFirst ? await countClicks(sql, run) : keptClicks(run.counts);
  const progress = { ...outcomes, ...clicks };
  const ms = Math.round(performance.now() - startedAt);
  await updateCounts(sql, broadcastId, { counts: progress, at: run.now, ms });
  return progress;
}

function keptClicks(counts: Progress | null): ClickCounts {
  return { clicked: counts?.clicked ?? 0, unsubscribed: counts?.unsubscribed ?? 0 };
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
