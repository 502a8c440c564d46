import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { maskPhone, type Phone, parsePhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import { parseCell } from '../rows/judge-phone.ts';
import { readCursor } from '../rows/show-rows.ts';
import {
  addByCompany,
  deleteUnsubscribed,
  findSource,
  listUnsubscribed,
  type UnsubscribedPhone,
} from './unsubscribed-store.ts';

const PAGE_ROWS = 50;

/** A page of the phones that get no broadcasts of a company, and the cursor of the next one. */
export async function showUnsubscribed(
  { db }: Pick<Context, 'db'>,
  filter: { companyId: CompanyId; phone?: Phone | undefined; cursor?: string | undefined },
): Promise<{ rows: UnsubscribedPhone[]; next: string | null }> {
  const { companyId, phone, cursor } = filter;
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const limit = PAGE_ROWS + 1;
  const found = await listUnsubscribed(db, { companyId, phone, before, limit });
  const rows = found.slice(0, PAGE_ROWS);
  return { rows, next: found.length > PAGE_ROWS ? String(rows.at(-1)?.id) : null };
}

/** Adds the phones of a free text, separated by lines, commas or semicolons. */
export async function unsubscribePhones(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, text }: { companyId: CompanyId; text: string },
): Promise<{ added: number; invalid: number }> {
  const phones = new Set<Phone>();
  let invalid = 0;
  for (const part of text.split(/[\n\r,;\t]+/)) {
    if (part.trim() === '') continue;
    const facts = parseCell(part);
    if (typeof facts === 'string') invalid += 1;
    else phones.add(facts.phone);
  }
  const added = await db.transaction(async (tx) => {
    const count = await addByCompany(tx, companyId, [...phones]);
    if (count > 0) {
      const object = phones.size === 1 ? maskPhone([...phones][0] as Phone) : '';
      const event = { companyId, action: 'unsubscribed.added', object, after: { phones: count } };
      await recordAuditEvent(tx, actor, event as typeof event & { action: 'unsubscribed.added' });
    }
    return count;
  });
  return { added, invalid };
}

/** Takes a phone off the list. What a person asked for stays. */
export async function removeUnsubscribed(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, phone: typed }: { companyId: CompanyId; phone: string },
): Promise<void> {
  const phone = parsePhone(typed)?.phone;
  if (phone === undefined) throw new Problem('not_found');
  await db.transaction(async (tx) => {
    const source = await findSource(tx, companyId, phone);
    if (source === undefined) throw new Problem('not_found');
    if (source !== 'company') throw new Problem('unsubscribed_by_person');
    await deleteUnsubscribed(tx, companyId, phone);
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'unsubscribed.removed',
      object: maskPhone(phone),
    });
  });
}
