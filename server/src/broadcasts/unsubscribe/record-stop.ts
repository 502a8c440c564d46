import type { Stop } from '../../channels/provider.ts';
import type { Clock } from '../../clock.ts';
import { findPhoneOfChat } from '../../contacts/contact-store.ts';
import type { Database } from '../../db/database.ts';
import type { Phone } from '../../phone.ts';
import { findLastBroadcast, findRecipient } from './stop-store.ts';
import { addUnsubscribed } from './unsubscribed-store.ts';

/** A stop word answers the last broadcast of this time; later, nobody knows which one is meant. */
const ANSWER_DAYS_MAX = 90;
const DAY_MS = 24 * 3_600_000;

/** Undefined when it is not known whose phone it is. */
export type RecordedStop = { phone: Phone; isNew: boolean } | undefined;

/**
 * Stores that somebody wants no more broadcasts: of the company whose broadcast they answer, or of
 * anybody when there is none to answer. Repeating it is harmless.
 */
export async function recordStop(
  { db, clock }: { db: Database; clock: Clock },
  stop: Stop,
): Promise<RecordedStop> {
  if ('ref' in stop) {
    const recipient = await findRecipient(db, stop.ref);
    if (recipient === undefined) return undefined;
    const { companyId } = stop.ref;
    const isNew = await addUnsubscribed(db, { ...recipient, companyId, source: 'provider' });
    return { phone: recipient.phone, isNew };
  }
  const phone = 'phone' in stop ? stop.phone : await findPhoneOfChat(db, stop.chatId);
  if (phone === undefined) return undefined;
  const since = new Date(clock.now().getTime() - ANSWER_DAYS_MAX * DAY_MS);
  const answered = await findLastBroadcast(db, phone, since);
  const { companyId = null, broadcastId = null } = answered ?? {};
  const isNew = await addUnsubscribed(db, { phone, companyId, source: 'word', broadcastId });
  return { phone, isNew };
}
