import type { Component, INCIDENT_IMPACTS, INCIDENT_STATES } from '../admin/incidents.ts';
import type { Lang } from '../languages.ts';

/** From the best to the worst; maintenance is announced and counts neither way. */
export const COMPONENT_STATES = [
  'operational',
  'maintenance',
  'degraded',
  'partial',
  'major',
] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

/**
 * Where a figure comes from: calls of customers, our own requests to ourselves and to providers, or
 * those of the status page's own process.
 */
export const MEASURE_SOURCES = ['traffic', 'probe', 'outside'] as const;
export type MeasureSource = (typeof MEASURE_SOURCES)[number];

/** Days that the page shows. */
export const STATUS_DAYS = 90;
/** What is older is called old. */
export const STATUS_FRESH_SECONDS = 120;

/** Minutes of one day in Almaty, by what was measured in them. */
export type StatusDay = {
  /** `2026-10-12` */
  day: string;
  /** Without those of maintenance. */
  measured: number;
  degraded: number;
  partial: number;
  major: number;
  maintenance: number;
};

export type StatusComponent = {
  name: Component;
  /** Null: too little is known to say anything. */
  state: ComponentState | null;
  /** What the state rests on. Empty where nothing measures it yet. */
  measuredBy: readonly MeasureSource[];
  /** The oldest first, `STATUS_DAYS` of them. */
  days: readonly StatusDay[];
  /** Null where nothing was measured in these days. */
  uptimePercent: number | null;
};

/** A text that operators wrote. Russian is shown where another language is missing. */
export type OperatorText = Readonly<Record<Lang, string | null>> & { ru: string };

export type PublicIncident = {
  id: number;
  title: OperatorText;
  impact: (typeof INCIDENT_IMPACTS)[number];
  components: readonly Component[];
  state: (typeof INCIDENT_STATES)[number];
  /** All times are instants in ISO form. */
  startedAt: string;
  publishedAt: string;
  resolvedAt: string | null;
  /** Of maintenance, its planned times. */
  planned: { from: string; until: string } | null;
  /** The newest first. */
  updates: readonly {
    number: number;
    at: string;
    state: (typeof INCIDENT_STATES)[number];
    text: OperatorText;
  }[];
};

/** Everything that the status page shows, at one moment. It is kept in memory and in a file. */
export type StatusSnapshot = {
  /** When the database was read. */
  at: string;
  siteUrl: string;
  isSandbox: boolean;
  components: readonly StatusComponent[];
  /** The newest first: all that are open or planned, and those of the last year. */
  incidents: readonly PublicIncident[];
};

/** The words of the status page in one language. */
export type StatusTexts = {
  pageTitle: string;
  /** For search engines and previews. */
  description: string;
  title: string;
  /** Of the whole service. */
  overall: Record<ComponentState | 'unknown', string>;
  /** Where nothing is broken and some components have no data. */
  overallSomeUnknown: string;
  asOf: string;
  almaty: string;
  stale: string;
  apiSilent: string;
  apiSilentNote: string;
  components: string;
  componentNames: Record<Component, string>;
  states: Record<ComponentState | 'unknown', string>;
  sources: {
    traffic: string;
    probe: string;
    both: string;
    none: string;
  };
  uptime: string;
  uptimeUnknown: string;
  daysCaption: string;
  day: string;
  dayResult: string;
  noData: string;
  noFaults: string;
  measured: string;
  minutes: string;
  hours: string;
  days90: string;
  days30: string;
  today: string;
  faultyDays: string;
  active: string;
  incidentStates: Record<(typeof INCIDENT_STATES)[number], string>;
  impacts: Record<(typeof INCIDENT_IMPACTS)[number], string>;
  affects: string;
  maintenance: string;
  maintenanceStates: { scheduled: string; inProgress: string; completed: string };
  history: string;
  historyNone: string;
  /** How the figures come about. */
  method: string;
  methodText: readonly string[];
  subscribe: string;
  feed: string;
  summary: string;
  badge: string;
  /** The word before the state on the badge. */
  badgeLabel: string;
};
