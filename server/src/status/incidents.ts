import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import {
  deleteDraft,
  findIncident,
  findIncidents,
  findPublicIncidents,
  findUpdates,
  type IncidentFacts,
  type IncidentState,
  insertIncident,
  insertUpdate,
  lockIncident,
  type StoredIncident,
  type StoredUpdate,
  setFacts,
  setPublished,
  setState,
  type Translated,
} from './incident-store.ts';

type Ctx = Pick<Context, 'db'>;
export type IncidentWithUpdates = { incident: StoredIncident; updates: StoredUpdate[] };

const PAGE_SIZE = 50;

/** A page of all incidents, newest first, drafts too, and the cursor of the next page. */
export async function listIncidents(
  { db }: Ctx,
  cursor: string | undefined,
): Promise<{ incidents: StoredIncident[]; next: string | null }> {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const found = await findIncidents(db, { before, limit: PAGE_SIZE + 1 });
  const incidents = found.slice(0, PAGE_SIZE);
  return { incidents, next: found.length > PAGE_SIZE ? String(incidents.at(-1)?.id) : null };
}

function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

export async function readIncident({ db }: Ctx, id: number): Promise<IncidentWithUpdates> {
  const incident = await findIncident(db, id);
  if (incident === undefined) throw new Problem('not_found');
  return { incident, updates: await findUpdates(db, id) };
}

/** What everybody may know: no draft, and nothing that was resolved before a time. Newest first. */
export async function listPublicIncidents(
  { db }: Ctx,
  since: Date,
): Promise<IncidentWithUpdates[]> {
  const incidents = await findPublicIncidents(db, since);
  return await Promise.all(
    incidents.map(async (incident) => ({ incident, updates: await findUpdates(db, incident.id) })),
  );
}

/** The times of maintenance. Both or none; a Problem when they make no sense. */
export function readPlanned(
  from: Date | undefined,
  until: Date | undefined,
): IncidentFacts['planned'] {
  if (from === undefined && until === undefined) return null;
  if (from === undefined || until === undefined) {
    const field = from === undefined ? 'planned_from' : 'planned_until';
    throw new Problem('validation_error', { errors: { [field]: ['Укажите время'] } });
  }
  if (from >= until) {
    const errors = { planned_until: ['Конец должен быть позже начала'] };
    throw new Problem('validation_error', { errors });
  }
  return { from, until };
}

export type Said = { state: IncidentState; text: Translated };

/** Makes a draft with its first text. */
export async function createIncident(
  { db }: Ctx,
  actor: Actor,
  { facts, said }: { facts: IncidentFacts; said: Said },
): Promise<number> {
  return await db.transaction(async (tx) => {
    const id = await insertIncident(tx, { ...facts, state: said.state });
    await insertUpdate(tx, { incidentId: id, ...said, by: actor.person?.name });
    const { title: _title, ...noted } = factsOf(facts);
    const after = { ...noted, state: said.state };
    await recordOperatorAct(tx, actor, {
      action: 'incident.created',
      object: facts.title.ru,
      after,
    });
    return id;
  });
}

/** Changes what it is about. False when it was so already. */
export async function changeIncident(
  { db }: Ctx,
  actor: Actor,
  { id, facts }: { id: number; facts: IncidentFacts },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await lockIncident(tx, id);
    if (stored === undefined) throw new Problem('not_found');
    if ((stored.planned === null) !== (facts.planned === null)) {
      throw new Problem('validation_error', {
        errors: { planned_from: ['Инцидент не становится работами, а работы инцидентом'] },
      });
    }
    const [before, after] = [factsOf(stored), factsOf(facts)];
    if (JSON.stringify(before) === JSON.stringify(after)) return false;
    await setFacts(tx, id, facts);
    const act = { action: 'incident.changed', object: facts.title.ru, before, after } as const;
    await recordOperatorAct(tx, actor, act);
    return true;
  });
}

function factsOf({ title, impact, components, planned }: IncidentFacts) {
  const { ru, kk, en } = title;
  return {
    title: { ru, kk, en },
    impact,
    components: [...components],
    ...(planned !== null && {
      planned_from: planned.from.toISOString(),
      planned_until: planned.until.toISOString(),
    }),
  };
}

/** Adds a text and moves the incident to its state. Returns the number of the text. */
export async function updateIncident(
  { db }: Ctx,
  actor: Actor,
  { id, said }: { id: number; said: Said },
): Promise<number> {
  return await db.transaction(async (tx) => {
    const stored = await lockIncident(tx, id);
    if (stored === undefined) throw new Problem('not_found');
    const number = await insertUpdate(tx, { incidentId: id, ...said, by: actor.person?.name });
    await setState(tx, id, said.state);
    await recordOperatorAct(tx, actor, {
      action: 'incident.updated',
      object: stored.title.ru,
      before: { state: stored.state },
      after: { state: said.state, text: said.text.ru },
    });
    return number;
  });
}

/** Everybody may see it from now on. False when it is public already. */
export async function publishIncident({ db }: Ctx, actor: Actor, id: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await lockIncident(tx, id);
    if (stored === undefined) throw new Problem('not_found');
    if (!(await setPublished(tx, id))) return false;
    await recordOperatorAct(tx, actor, { action: 'incident.published', object: stored.title.ru });
    return true;
  });
}

/** Removes a draft. False when it is none: what was public stays. */
export async function discardIncident({ db }: Ctx, actor: Actor, id: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await lockIncident(tx, id);
    if (stored === undefined || !(await deleteDraft(tx, id))) return false;
    await recordOperatorAct(tx, actor, { action: 'incident.discarded', object: stored.title.ru });
    return true;
  });
}
