import type { Database } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  type Actor,
  type AuditEvent,
  findAuditEvents,
  recordAuditEvent,
  type StoredAuditEvent,
} from './audit-log-store.ts';
import { findOperatorActs, type StoredOperatorAct } from './operator-audit-store.ts';

export type AuditFilter = {
  action?: string | undefined;
  person?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  cursor?: string | undefined;
};

const PAGE_SIZE = 50;

/** A page of the audit log of a company, newest first, and the cursor of the next page. */
export async function listAuditEvents(
  { db }: { db: Database },
  companyId: CompanyId,
  filter: AuditFilter,
): Promise<{ events: StoredAuditEvent[]; next: string | null }> {
  return pageOf(await findAuditEvents(db, { companyId, ...termsOf(filter) }));
}

/** A page of what operators have done, newest first, and the cursor of the next page. */
export async function listOperatorActs(
  { db }: { db: Database },
  { company_id: companyId, ...filter }: AuditFilter & { company_id?: number | undefined },
): Promise<{ events: StoredOperatorAct[]; next: string | null }> {
  return pageOf(await findOperatorActs(db, { companyId, ...termsOf(filter) }));
}

function termsOf(filter: AuditFilter) {
  return {
    action: filter.action,
    personId: filter.person,
    from: toDate(filter.from),
    to: toDate(filter.to),
    before: filter.cursor === undefined ? undefined : readCursor(filter.cursor),
    limit: PAGE_SIZE + 1,
  };
}

/** One more than a page was asked for, to know whether there is another one. */
function pageOf<Event extends { id: number }>(found: readonly Event[]) {
  const events = found.slice(0, PAGE_SIZE);
  return { events, next: found.length > PAGE_SIZE ? String(events.at(-1)?.id) : null };
}

/** A date of ours: the database reads fewer time zones than the ISO form has. */
function toDate(instant: string | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}

function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

/** For a change that is made outside of any transaction of ours. */
export async function recordEvent(
  { db }: { db: Database },
  actor: Actor,
  event: AuditEvent,
): Promise<void> {
  await db.transaction((tx) => recordAuditEvent(tx, actor, event));
}
