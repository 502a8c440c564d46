import type { Component } from '@zhiber/contract/admin/incidents.ts';
import { COMPONENT_STATES, type ComponentState } from '@zhiber/contract/pages/status.ts';

/** Good and bad answers. */
export type Counts = { good: number; bad: number };
/** What was measured of one component in one minute. */
export type MeasuredMinute = { traffic: Counts; probe: Counts };
/** By the beginning of the minute, in milliseconds. */
export type Minutes = ReadonlyMap<number, MeasuredMinute>;

/** What a measurement can tell; maintenance is announced by a person. */
export type MeasuredState = Exclude<ComponentState, 'maintenance'>;

const MINUTE_MS = 60_000;

/** Of fewer calls no share is worth anything. */
const TRAFFIC_MIN = 10;
/** Calls are gathered over so many minutes where one minute has too few. */
const TRAFFIC_WINDOW_MINUTES = 10;
/** One failed call, or one failed probe, happens to everybody. */
const BAD_MIN = 2;
/** A share of failed calls that a customer notices in the figures, but hardly a person. */
const DEGRADED_SHARE = 0.02;
/** One person in ten has to try again. */
const PARTIAL_SHARE = 0.1;
/** Trying again does not help most people. */
const MAJOR_SHARE = 0.5;

/**
 * How often a component is probed. We ask ourselves several times a minute, and providers, who have
 * limits, every five minutes.
 */
const PROBE_MINUTES: Readonly<Record<Component, number>> = {
  api: 1,
  cabinet: 1,
  links: 1,
  whatsapp: 5,
  telegram: 5,
  sms: 5,
  topup: 5,
  webhooks: 5,
};

/** The state of a component in a minute that is over; undefined when too little was measured. */
export function judgeMinute(
  component: Component,
  minutes: Minutes,
  minuteMs: number,
): MeasuredState | undefined {
  const own = minutes.get(minuteMs);
  const probe = sumOf('probe', minutes, minuteMs, PROBE_MINUTES[component]);
  // A minute without a call says nothing about calls, whatever came before it.
  const traffic =
    own === undefined || total(own.traffic) === 0
      ? NONE
      : total(own.traffic) >= TRAFFIC_MIN
        ? own.traffic
        : sumOf('traffic', minutes, minuteMs, TRAFFIC_WINDOW_MINUTES);
  return judge({ traffic, probe });
}

/** The state at a moment: a minute that has just begun is joined with the one before. */
export function judgeNow(
  component: Component,
  minutes: Minutes,
  nowMs: number,
): MeasuredState | undefined {
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const newest = sumOf('traffic', minutes, minuteMs, 2);
  return judge({
    traffic:
      total(newest) >= TRAFFIC_MIN
        ? newest
        : sumOf('traffic', minutes, minuteMs, TRAFFIC_WINDOW_MINUTES),
    probe: sumOf('probe', minutes, minuteMs, PROBE_MINUTES[component] + 1),
  });
}

/**
 * Where customers call often enough, their calls decide, and a failed probe makes it degraded at
 * most: a provider's question about the balance may fail while its messages go out. Otherwise the
 * probes decide.
 */
function judge({ traffic, probe }: MeasuredMinute): MeasuredState | undefined {
  const byProbe = total(probe) === 0 ? undefined : judgeProbe(probe);
  if (total(traffic) < TRAFFIC_MIN) return byProbe;
  const byTraffic = judgeTraffic(traffic);
  return byTraffic === 'operational' && byProbe !== undefined && byProbe !== 'operational'
    ? 'degraded'
    : byTraffic;
}

function judgeTraffic(counts: Counts): MeasuredState {
  const share = counts.bad / total(counts);
  if (counts.bad < BAD_MIN || share < DEGRADED_SHARE) return 'operational';
  if (share >= MAJOR_SHARE) return 'major';
  return share >= PARTIAL_SHARE ? 'partial' : 'degraded';
}

function judgeProbe({ good, bad }: Counts): MeasuredState {
  if (bad === 0) return 'operational';
  if (bad < BAD_MIN) return 'degraded';
  return good === 0 ? 'major' : bad >= good ? 'partial' : 'degraded';
}

const NONE: Counts = { good: 0, bad: 0 };

function total({ good, bad }: Counts): number {
  return good + bad;
}

/** Over so many minutes, the given one being the last. */
function sumOf(
  kind: keyof MeasuredMinute,
  minutes: Minutes,
  lastMs: number,
  count: number,
): Counts {
  const sum = { ...NONE };
  for (let back = 0; back < count; back++) {
    const found = minutes.get(lastMs - back * MINUTE_MS)?.[kind];
    sum.good += found?.good ?? 0;
    sum.bad += found?.bad ?? 0;
  }
  return sum;
}

export type DayMinutes = {
  measured: number;
  degraded: number;
  partial: number;
  major: number;
  maintenance: number;
};

export type Span = { fromMs: number; untilMs: number };

/** Adds up the states of the minutes of a span. Minutes of maintenance count as nothing else. */
export function addUpMinutes(
  component: Component,
  minutes: Minutes,
  { span, maintenance }: { span: Span; maintenance: readonly Span[] },
): DayMinutes {
  const sum: DayMinutes = { measured: 0, degraded: 0, partial: 0, major: 0, maintenance: 0 };
  const isPlanned = (ms: number) =>
    maintenance.some(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs);
  for (let ms = span.fromMs; ms < span.untilMs; ms += MINUTE_MS) {
    if (isPlanned(ms)) {
      sum.maintenance += 1;
      continue;
    }
    const state = judgeMinute(component, minutes, ms);
    if (state === undefined) continue;
    sum.measured += 1;
    if (state !== 'operational') sum[state] += 1;
  }
  return sum;
}

/** The worst that was measured in a day; null when nothing was. */
export function worstOfDay(day: DayMinutes): ComponentState | null {
  if (day.major > 0) return 'major';
  if (day.partial > 0) return 'partial';
  if (day.degraded > 0) return 'degraded';
  if (day.measured > 0) return 'operational';
  return day.maintenance > 0 ? 'maintenance' : null;
}

/**
 * The share of measured minutes without an outage, partial or major. Rounded down, so that 100 %
 * means that there was none. Null when nothing was measured.
 */
export function uptimePercent(days: readonly DayMinutes[]): number | null {
  const measured = days.reduce((sum, day) => sum + day.measured, 0);
  if (measured === 0) return null;
  const down = days.reduce((sum, { partial, major }) => sum + partial + major, 0);
  return Math.floor(((measured - down) / measured) * 10_000) / 100;
}

const IMPACT_STATES = { minor: 'degraded', major: 'partial', critical: 'major' } as const;

/** What people are told: the worse of what was measured and of what the operator has published. */
export function raiseByIncident(
  state: ComponentState | null,
  impact: keyof typeof IMPACT_STATES,
): ComponentState {
  return worstOf([state, IMPACT_STATES[impact]]) as ComponentState;
}

/** The worst of several states. Those that are not known count only where nothing else is known. */
export function worstOf(states: readonly (ComponentState | null)[]): ComponentState | null {
  const rank = (state: ComponentState | null) =>
    state === null ? -1 : COMPONENT_STATES.indexOf(state);
  return states.reduce((worst, state) => (rank(state) > rank(worst) ? state : worst), null);
}
