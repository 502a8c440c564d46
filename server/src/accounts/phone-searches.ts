import { PHONE_SEARCHES_PER_HOUR_MAX } from '@zhiber/contract/cabinet/messages.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { maskPhone, type Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { takeAttempt } from './attempt-store.ts';

const HOUR = 3600;

export type PhoneSearch = {
  companyId: CompanyId;
  actor: Actor & { person: { id: PersonId } };
  phone: Phone;
};

/**
 * Counts the search for a phone by a person who sees phones masked: the mask hides three digits, so
 * that a thousand searches would find a whole number. Past the limit, throws `phone_search_limited`.
 * Recorded in the audit log. The same phone again within the hour is free: a page and its live
 * count ask several times.
 */
export async function countPhoneSearch(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  { companyId, actor, phone }: PhoneSearch,
): Promise<void> {
  const { id } = actor.person;
  const nameOf = (parts: unknown[]) =>
    secrets.macOfProof('search for a phone', JSON.stringify(parts));
  // One transaction: a refusal also undoes the mark of the phone, and a parallel search for the
  // same phone waits for it.
  await db.transaction(async (tx) => {
    const mark = { subject: nameOf([id, companyId, phone]), max: 1, seconds: HOUR };
    if ((await takeAttempt(tx, mark)).waitSeconds > 0) return;
    const allowance = { subject: nameOf([id]), max: PHONE_SEARCHES_PER_HOUR_MAX, seconds: HOUR };
    const { waitSeconds } = await takeAttempt(tx, allowance);
    if (waitSeconds > 0) throw new Problem('phone_search_limited', { retry_after: waitSeconds });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'phones.searched',
      object: maskPhone(phone),
    });
  });
}
