import type { Component } from '@zhiber/contract/admin/incidents.ts';
import type { Sql } from '../db/sql.ts';
import type { MeasuredMinute } from './component-state.ts';
import { findMinutes, type StoredMinute } from './status-store.ts';

export type MinutesByComponent = ReadonlyMap<Component, ReadonlyMap<number, MeasuredMinute>>;

/** Everything that was measured in a span. */
export async function readMinutes(
  sql: Sql,
  span: { from: Date; until: Date },
): Promise<MinutesByComponent> {
  return byComponent(await findMinutes(sql, span));
}

/** A probe of the status page's own process is a probe as well. */
export function byComponent(rows: readonly StoredMinute[]): MinutesByComponent {
  const found = new Map<Component, Map<number, MeasuredMinute>>();
  for (const { component, minute, source, good, bad } of rows) {
    const minutes = found.get(component) ?? new Map<number, MeasuredMinute>();
    found.set(component, minutes);
    const ms = minute.getTime();
    const measured = minutes.get(ms) ?? {
      traffic: { good: 0, bad: 0 },
      probe: { good: 0, bad: 0 },
    };
    minutes.set(ms, measured);
    const counts = measured[source === 'traffic' ? 'traffic' : 'probe'];
    counts.good += good;
    counts.bad += bad;
  }
  return found;
}
