import type { PublicIncident } from '@zhiber/contract/pages/status.ts';
import { STATUS_DAYS } from '@zhiber/contract/pages/status.ts';
import { almatyDay, almatyTime } from '../almaty.ts';
import type { Context } from '../context.ts';
import { findPublicIncidents, findUpdatesOf, type StoredUpdate } from './incident-store.ts';
import { byComponent, readMinutes } from './read-minutes.ts';
import { makeSnapshot, RECENT_MINUTES, withOwnCounts } from './snapshot.ts';
import { findDays } from './status-store.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'traffic' | 'statusPage' | 'urls' | 'channels'>;

/** Incidents stay on the page for a year. */
const INCIDENT_DAYS = 365;
const MINUTE_MS = 60_000;

/**
 * Reads what the status page shows into memory, so that no reader waits for the database. Where
 * that fails, the last snapshot stays, with what this process knows of itself; then it throws.
 */
export async function refreshSnapshot(ctx: Ctx): Promise<void> {
  const { statusPage, clock } = ctx;
  try {
    statusPage.snapshot = await readSnapshot(ctx);
  } catch (error) {
    if (statusPage.snapshot !== undefined) {
      const now = clock.now();
      const own = ctx.traffic.since(now.getTime() - RECENT_MINUTES * MINUTE_MS);
      const minutes = byComponent(
        own.map(({ minuteMs, name, ...count }) => ({
          ...count,
          component: name,
          minute: new Date(minuteMs),
        })),
      );
      const isDatabaseUp = await ctx.db.isUp();
      statusPage.snapshot = withOwnCounts(statusPage.snapshot, { minutes, isDatabaseUp }, now);
    }
    throw error;
  }
}

async function readSnapshot({ db, clock, urls, channels }: Ctx) {
  const now = clock.now();
  const from = new Date(now.getTime() - RECENT_MINUTES * MINUTE_MS);
  const until = new Date(now.getTime() + MINUTE_MS);
  const firstDay = almatyTime(almatyDay(now, 1 - STATUS_DAYS)).slice(0, 10);
  return makeSnapshot({
    now,
    siteUrl: urls.publicUrl,
    isSandbox: channels.isSandbox,
    minutes: await readMinutes(db, { from, until }),
    days: await findDays(db, firstDay),
    incidents: await readIncidents(db, almatyDay(now, -INCIDENT_DAYS)),
  });
}

async function readIncidents(db: Ctx['db'], since: Date): Promise<PublicIncident[]> {
  const incidents = await findPublicIncidents(db, since);
  const updates = await findUpdatesOf(
    db,
    incidents.map(({ id }) => id),
  );
  const updatesOf = new Map<number, StoredUpdate[]>();
  for (const update of updates) {
    updatesOf.set(update.incidentId, [...(updatesOf.get(update.incidentId) ?? []), update]);
  }
  return incidents.map((incident) => ({
    id: incident.id,
    title: incident.title,
    impact: incident.impact,
    components: incident.components,
    state: incident.state,
    startedAt: incident.startedAt.toISOString(),
    publishedAt: (incident.publishedAt as Date).toISOString(),
    resolvedAt: incident.resolvedAt?.toISOString() ?? null,
    planned:
      incident.planned === null
        ? null
        : {
            from: incident.planned.from.toISOString(),
            until: incident.planned.until.toISOString(),
          },
    // Who wrote it stays at the desk.
    updates: (updatesOf.get(incident.id) ?? []).map(({ number, at, state, text }) => ({
      number,
      at: at.toISOString(),
      state,
      text,
    })),
  }));
}
