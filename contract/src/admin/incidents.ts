import Type, { type Static } from 'typebox';
import {
  Cursor,
  Id,
  Instant,
  InstantInput,
  orNull,
  PLAIN_NAME,
  pageOf,
} from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** The life of an incident, in the words of status pages everywhere. */
export const INCIDENT_STATES = ['investigating', 'identified', 'watching', 'resolved'] as const;
export const INCIDENT_IMPACTS = ['minor', 'major', 'critical'] as const;
/** What an incident can concern, in the order of the status page. */
export const COMPONENTS = [
  'api',
  'cabinet',
  'whatsapp',
  'telegram',
  'sms',
  'links',
  'webhooks',
  'topup',
] as const;
export type Component = (typeof COMPONENTS)[number];

export const INCIDENT_TITLE_MAX = 200;
export const INCIDENT_TEXT_MAX = 2_000;

/** A text in three languages. Where one is missing, Russian is shown. */
const stored = Type.Object({
  ru: Type.String(),
  kk: orNull(Type.String()),
  en: orNull(Type.String()),
});
const title = Type.String({
  minLength: 1,
  maxLength: INCIDENT_TITLE_MAX,
  pattern: '\\S',
  format: PLAIN_NAME,
});
const TitleInput = Type.Object({
  ru: title,
  kk: Type.Optional(title),
  en: Type.Optional(title),
});
const text = Type.String({ minLength: 1, maxLength: INCIDENT_TEXT_MAX, pattern: '\\S' });
const TextInput = Type.Object({ ru: text, kk: Type.Optional(text), en: Type.Optional(text) });
const State = Type.Enum([...INCIDENT_STATES]);
const Impact = Type.Enum([...INCIDENT_IMPACTS]);
const Components = Type.Array(Type.Enum([...COMPONENTS]), {
  minItems: 1,
  maxItems: COMPONENTS.length,
  uniqueItems: true,
});

export const Incident = Type.Object({
  id: Id,
  title: stored,
  impact: Impact,
  components: Type.Array(Type.Enum([...COMPONENTS])),
  state: State,
  started_at: Instant,
  /** Null for a draft, which nobody outside the desk sees. */
  published_at: orNull(Instant),
  resolved_at: orNull(Instant),
  /** Both are set for maintenance, and null for an incident. */
  planned_from: orNull(Instant),
  planned_until: orNull(Instant),
});
export type Incident = Static<typeof Incident>;

export const IncidentUpdate = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  at: Instant,
  state: State,
  text: stored,
  written_by: orNull(Type.String()),
});
export type IncidentUpdate = Static<typeof IncidentUpdate>;

/** With both times it is maintenance, which is planned; with none, an incident. */
const Facts = {
  title: TitleInput,
  impact: Impact,
  components: Components,
  planned_from: Type.Optional(InstantInput),
  planned_until: Type.Optional(InstantInput),
};
const Changed = Type.Object({ success: Type.Literal(true), is_changed: Type.Boolean() });

export const ADMIN_INCIDENTS_ENDPOINTS = {
  incidents: {
    method: 'GET',
    path: '/incidents',
    policy: 'operator',
    query: Type.Object({ cursor: Cursor }),
    answer: pageOf(Incident),
  },
  /** An incident with everything that was said about it, newest first. */
  incident: {
    method: 'GET',
    path: '/incidents/:incident_id',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      incident: Incident,
      updates: Type.Array(IncidentUpdate),
    }),
  },
  /** Makes a draft with its first text. */
  createIncident: {
    method: 'POST',
    path: '/incidents',
    policy: 'operator',
    body: Type.Object({ ...Facts, state: State, text: TextInput }),
    answer: Type.Object({ success: Type.Literal(true), id: Id }),
  },
  changeIncident: {
    method: 'PUT',
    path: '/incidents/:incident_id',
    policy: 'operator',
    body: Type.Object(Facts),
    answer: Changed,
  },
  /** A new text, with the state from now on. `resolved` ends the incident; another one reopens it. */
  updateIncident: {
    method: 'POST',
    path: '/incidents/:incident_id/updates',
    policy: 'operator',
    body: Type.Object({ state: State, text: TextInput }),
    answer: Type.Object({ success: Type.Literal(true), number: Type.Integer() }),
  },
  /** Everybody sees it from now on, and it stays in the history. */
  publishIncident: {
    method: 'POST',
    path: '/incidents/:incident_id/publish',
    policy: 'operator',
    needsProof: true,
    answer: Changed,
  },
  /** Only a draft can be discarded. */
  discardIncident: {
    method: 'DELETE',
    path: '/incidents/:incident_id',
    policy: 'operator',
    answer: Changed,
  },
} as const satisfies Record<string, AdminEndpoint>;
