import type { Lang } from '@zhiber/contract/languages.ts';
import type {
  ComponentState,
  PublicIncident,
  StatusSnapshot,
  StatusTexts,
} from '@zhiber/contract/pages/status.ts';
import { worstOf } from '../../../status/component-state.ts';
import { phaseOf } from '../../../status/snapshot.ts';

/** The words of Statuspage, which widgets and aggregators read. */
const COMPONENT_WORDS = {
  operational: 'operational',
  maintenance: 'under_maintenance',
  degraded: 'degraded_performance',
  partial: 'partial_outage',
  major: 'major_outage',
} as const satisfies Record<ComponentState, string>;
const INDICATORS = {
  operational: 'none',
  maintenance: 'maintenance',
  degraded: 'minor',
  partial: 'major',
  major: 'critical',
} as const satisfies Record<ComponentState, string>;
const STATE_WORDS = {
  investigating: 'investigating',
  identified: 'identified',
  watching: 'monitoring',
  resolved: 'resolved',
} as const;
const PHASE_WORDS = {
  scheduled: 'scheduled',
  inProgress: 'in_progress',
  completed: 'completed',
} as const;

const PAGE_ID = 'zhiber';

/**
 * `/status/summary.json`, in the form of Statuspage's API. It has no word for "unknown", so a
 * component without data is not among the components, and is named apart.
 */
export function statusSummary(
  { snapshot, now }: { snapshot: StatusSnapshot; now: Date },
  lang: Lang,
  texts: StatusTexts,
): object {
  const { at, siteUrl, components, incidents } = snapshot;
  const worst = worstOf(components.map(({ state }) => state));
  const describe = (incident: PublicIncident) =>
    toIncident(incident, { snapshot, now, lang, texts });
  return {
    page: {
      id: PAGE_ID,
      name: 'Zhiber',
      url: `${siteUrl}/status`,
      time_zone: 'Asia/Almaty',
      updated_at: at,
    },
    status: {
      indicator: worst === null ? 'unknown' : INDICATORS[worst],
      description: texts.overall[worst ?? 'unknown'],
    },
    components: describeComponents(snapshot, texts),
    components_without_data: components
      .filter(({ state }) => state === null)
      .map(({ name }) => name),
    incidents: incidents
      .filter(({ planned, state }) => planned === null && state !== 'resolved')
      .map(describe),
    scheduled_maintenances: incidents
      .filter((incident) => ['scheduled', 'inProgress'].includes(phaseOf(incident, now) ?? ''))
      .map(describe),
  };
}

function describeComponents({ at, components }: StatusSnapshot, texts: StatusTexts): object[] {
  return components.flatMap(({ name, state }, position) =>
    state === null
      ? []
      : [
          {
            id: name,
            name: texts.componentNames[name],
            status: COMPONENT_WORDS[state],
            created_at: at,
            updated_at: at,
            position: position + 1,
            description: null,
            showcase: true,
            start_date: null,
            group_id: null,
            page_id: PAGE_ID,
            group: false,
            only_show_if_degraded: false,
          },
        ],
  );
}

function toIncident(
  incident: PublicIncident,
  shown: { snapshot: StatusSnapshot; now: Date; lang: Lang; texts: StatusTexts },
): object {
  const { snapshot, now, lang, texts } = shown;
  const { id, title, planned, state, updates, startedAt, publishedAt, resolvedAt } = incident;
  const phase = phaseOf(incident, now);
  const status = phase === undefined ? STATE_WORDS[state] : PHASE_WORDS[phase];
  return {
    id: String(id),
    name: title[lang] ?? title.ru,
    status,
    impact: phase === undefined ? incident.impact : 'maintenance',
    created_at: publishedAt,
    updated_at: updates[0]?.at ?? publishedAt,
    monitoring_at: updates.findLast((update) => update.state === 'watching')?.at ?? null,
    started_at: planned?.from ?? startedAt,
    resolved_at: resolvedAt,
    ...(planned !== null && { scheduled_for: planned.from, scheduled_until: planned.until }),
    shortlink: `${snapshot.siteUrl}/status#incident-${id}`,
    page_id: PAGE_ID,
    incident_updates: updates.map((update) => ({
      id: `${id}-${update.number}`,
      incident_id: String(id),
      status: planned === null ? STATE_WORDS[update.state] : PHASE_WORDS[phaseAt(update, incident)],
      body: update.text[lang] ?? update.text.ru,
      created_at: update.at,
      updated_at: update.at,
      display_at: update.at,
    })),
    components: describeComponents(
      {
        ...snapshot,
        components: snapshot.components.filter(({ name }) => incident.components.includes(name)),
      },
      texts,
    ),
  };
}

function phaseAt(
  { at, state }: PublicIncident['updates'][number],
  { planned }: PublicIncident,
): keyof typeof PHASE_WORDS {
  return phaseOf({ planned, state }, new Date(at)) ?? 'scheduled';
}
