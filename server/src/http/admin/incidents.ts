import type {
  ADMIN_INCIDENTS_ENDPOINTS,
  Incident,
  IncidentUpdate,
} from '@zhiber/contract/admin/incidents.ts';
import { actorOf } from '../../operators/sign-in.ts';
import type { StoredIncident, StoredUpdate, Translated } from '../../status/incident-store.ts';
import {
  changeIncident,
  createIncident,
  discardIncident,
  listIncidents,
  publishIncident,
  readIncident,
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
      facts: { ...facts, title: translated(facts.title) },
      said: { state, text: translated(text) },
    });
    return { success: true, id };
  },
  async changeIncident({ ctx }, { params, body, operator, origin }) {
    const is_changed = await changeIncident(ctx, actorOf(operator, origin), {
      id: readId(params.incident_id),
      facts: { ...body, title: translated(body.title) },
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
  };
}

function toUpdate({ number, at, state, text, writtenBy }: StoredUpdate): IncidentUpdate {
  return { number, at: at.toISOString(), state, text, written_by: writtenBy };
}
