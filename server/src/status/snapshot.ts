import { COMPONENTS, type Component } from '@zhiber/contract/admin/incidents.ts';
import {
  type MeasureSource,
  type PublicIncident,
  STATUS_DAYS,
  STATUS_FRESH_SECONDS,
  type StatusComponent,
  type StatusDay,
  type StatusSnapshot,
} from '@zhiber/contract/pages/status.ts';
import { almatyDay, almatyTime } from '../almaty.ts';
import {
  judgeNow,
  type MeasuredMinute,
  raiseByIncident,
  uptimePercent,
  worstOf,
} from './component-state.ts';
import type { MinutesByComponent } from './read-minutes.ts';
import type { StoredDay } from './status-store.ts';

/** What the state now can rest on is at most so old. */
export const RECENT_MINUTES = 12;

/** Puts together what the page shows. */
export function makeSnapshot(given: {
  now: Date;
  siteUrl: string;
  isSandbox: boolean;
  minutes: MinutesByComponent;
  days: readonly StoredDay[];
  incidents: readonly PublicIncident[];
}): StatusSnapshot {
  const { now, siteUrl, isSandbox, minutes, incidents } = given;
  const dayNames = Array.from({ length: STATUS_DAYS }, (_, at) =>
    almatyTime(almatyDay(now, at + 1 - STATUS_DAYS)).slice(0, 10),
  );
  const stored = new Map(given.days.map((day) => [`${day.component} ${day.day}`, day]));
  const components = COMPONENTS.map((name): StatusComponent => {
    const recent = minutes.get(name) ?? new Map<number, MeasuredMinute>();
    const days = dayNames.map((day): StatusDay => {
      const found = stored.get(`${name} ${day}`);
      if (found === undefined) {
        return { day, measured: 0, degraded: 0, partial: 0, major: 0, maintenance: 0 };
      }
      const { component: _component, ...counts } = found;
      return counts;
    });
    return {
      name,
      state: stateOf(name, { measured: judgeNow(name, recent, now.getTime()), incidents, now }),
      measuredBy: sourcesOf(recent, now),
      days,
      uptimePercent: uptimePercent(days),
    };
  });
  return { at: now.toISOString(), siteUrl, isSandbox, components, incidents };
}

function stateOf(
  name: Component,
  given: {
    measured: ReturnType<typeof judgeNow>;
    incidents: readonly PublicIncident[];
    now: Date;
  },
): StatusComponent['state'] {
  const own = given.incidents.filter(({ components }) => components.includes(name));
  if (own.some((incident) => phaseOf(incident, given.now) === 'inProgress')) return 'maintenance';
  return own
    .filter(({ planned, state }) => planned === null && state !== 'resolved')
    .reduce<StatusComponent['state']>(
      (state, { impact }) => raiseByIncident(state, impact),
      given.measured ?? null,
    );
}

/** Of maintenance: by the clock, or by an operator who finished it earlier. */
export function phaseOf(
  { planned, state }: Pick<PublicIncident, 'planned' | 'state'>,
  now: Date,
): 'scheduled' | 'inProgress' | 'completed' | undefined {
  if (planned === null) return undefined;
  if (state === 'resolved' || now >= new Date(planned.until)) return 'completed';
  return now < new Date(planned.from) ? 'scheduled' : 'inProgress';
}

/** Fewer calls than the state could rest on are not named as its source. */
const TRAFFIC_NAMED_MIN = 10;

function sourcesOf(minutes: ReadonlyMap<number, MeasuredMinute>, now: Date): MeasureSource[] {
  const since = now.getTime() - RECENT_MINUTES * 60_000;
  let [calls, probes] = [0, 0];
  for (const [ms, { traffic, probe }] of minutes) {
    if (ms < since) continue;
    calls += traffic.good + traffic.bad;
    probes += probe.good + probe.bad;
  }
  return [
    ...(calls >= TRAFFIC_NAMED_MIN ? (['traffic'] as const) : []),
    ...(probes > 0 ? (['probe'] as const) : []),
  ];
}

/** What a process knows of itself, without the database. */
const OWN: readonly Component[] = ['api', 'cabinet', 'links'];

/**
 * A snapshot that could not be renewed, with what this process knows by itself: an API that fails
 * is shown as such, and at once when the database is away. What nobody has measured any more is
 * unknown after two minutes.
 */
export function withOwnCounts(
  snapshot: StatusSnapshot,
  known: { minutes: MinutesByComponent; isDatabaseUp: boolean },
  now: Date,
): StatusSnapshot {
  const isOld = isStale(snapshot, now);
  const judgeOwn = (name: Component) =>
    known.isDatabaseUp
      ? judgeNow(name, known.minutes.get(name) ?? new Map(), now.getTime())
      : 'major';
  const components = snapshot.components.map((component): StatusComponent => {
    const { name } = component;
    if (component.state === 'maintenance') return component;
    const seen = OWN.includes(name) ? judgeOwn(name) : undefined;
    if (seen !== undefined) {
      return { ...component, state: isOld ? seen : worstOf([component.state, seen]) };
    }
    return isOld ? { ...component, state: null } : component;
  });
  return { ...snapshot, components };
}

/** For a process that watches from outside and gets no answer: nothing of ours works without it. */
export function withSilentApi(snapshot: StatusSnapshot, now: Date): StatusSnapshot {
  const isOld = isStale(snapshot, now);
  const components = snapshot.components.map((component): StatusComponent => {
    if (component.state === 'maintenance') return component;
    if (OWN.includes(component.name)) return { ...component, state: 'major' };
    return isOld ? { ...component, state: null } : component;
  });
  return { ...snapshot, components };
}

export function isStale({ at }: Pick<StatusSnapshot, 'at'>, now: Date): boolean {
  return now.getTime() - Date.parse(at) > STATUS_FRESH_SECONDS * 1_000;
}
