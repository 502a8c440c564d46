import type {
  ADMIN_INCIDENTS_ENDPOINTS,
  Incident,
  IncidentUpdate,
} from '@zhiber/contract/admin/incidents.ts';
import { actorOf } from '../../operators/sign-in.ts';
import type {
  IncidentFacts,
  StoredIncident,
  StoredUpdate,
  Translated,
} from '../../status/incident-store.ts';
import {
  changeIncident,
  createIncident,
  discardIncident,
  listIncidents,
  publishIncident,
  readIncident,
  readPlanned,
  updateIncident,
} from '../../status/incidents.ts';
import { readId } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_INCIDENTS_HANDLERS: AdminHandlersOf<typeof ADMIN_INCIDENTS_ENDPOINTS> = {
  async incidents({ ctx }, { query }) {
    const { incidents, next } = await listIncidents(ctx, query.cursor);
    return { success: true, rows: incidents.map(toIncident), next };
  },
  async incident({ ctx }, { params }) {
    const { incident, updates } = await readIncident(ctx, readId(params.incident_id));
    return { success: true, incident: toIncident(incident), updates: updates.map(toUpdate) };
  },
  async createIncident({ ctx }, { body, operator, origin }) {
    const { state, text, ...facts } = body;
    const id = await createIncident(ctx, actorOf(operator, origin), {
      facts: toFacts(facts),
      said: { state, text: translated(text) },
    });
    return { success: true, id };
  },
  async changeIncident({ ctx }, { params, body, operator, origin }) {
    const is_changed = await changeIncident(ctx, actorOf(operator, origin), {
      id: readId(params.incident_id),
      facts: toFacts(body),
    });
    return { success: true, is_changed };
  },
  async updateIncident({ ctx }, { params, body, operator, origin }) {
    const number = await updateIncident(ctx, actorOf(operator, origin), {
      id: readId(params.incident_id),
      said: { state: body.state, text: translated(body.text) },
    });
    return { success: true, number };
  },
  async publishIncident({ ctx }, { params, operator, origin }) {
    const id = readId(params.incident_id);
    const is_changed = await publishIncident(ctx, actorOf(operator, origin), id);
    return { success: true, is_changed };
  },
  async discardIncident({ ctx }, { params, operator, origin }) {
    const id = readId(params.incident_id);
    const is_changed = await discardIncident(ctx, actorOf(operator, origin), id);
    return { success: true, is_changed };
  },
};

type Given = { ru: string; kk?: string | undefined; en?: string | undefined };

function translated({ ru, kk, en }: Given): Translated {
  return { ru: ru.trim(), kk: kk?.trim() ?? null, en: en?.trim() ?? null };
}

type GivenFacts = Pick<Incident, 'impact' | 'components'> & {
  title: Given;
  planned_from?: string | undefined;
  planned_until?: string | undefined;
};

function toFacts({ title, impact, components, ...times }: GivenFacts): IncidentFacts {
  const { planned_from: from, planned_until: until } = times;
  const planned = readPlanned(
    from === undefined ? undefined : new Date(from),
    until === undefined ? undefined : new Date(until),
  );
  return { title: translated(title), impact, components, planned };
}

function toIncident(incident: StoredIncident): Incident {
  const { id, title, impact, components, state, startedAt, publishedAt, resolvedAt } = incident;
  return {
    id,
    title,
    impact,
    components: [...components],
    state,
    started_at: startedAt.toISOString(),
    published_at: publishedAt?.toISOString() ?? null,
    resolved_at: resolvedAt?.toISOString() ?? null,
    planned_from: incident.planned?.from.toISOString() ?? null,
    planned_until: incident.planned?.until.toISOString() ?? null,
  };
}

function toUpdate({ number, at, state, text, writtenBy }: StoredUpdate): IncidentUpdate {
  return { number, at: at.toISOString(), state, text, written_by: writtenBy };
}
