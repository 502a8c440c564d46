import type { Context } from '../../context.ts';
import type { Phone } from '../../phone.ts';
import { findLinkedRecipient } from './stop-store.ts';
import { readToken } from './unsubscribe-token.ts';
import { addUnsubscribed } from './unsubscribed-store.ts';

/** From whom a person wants no more broadcasts. */
export type UnsubscribeScope = 'company' | 'everyone';

export type UnsubscribeState = {
  /** The name that people know. */
  company: string;
  phone: Phone;
  /** Null while this phone gets broadcasts of the company. */
  unsubscribedFrom: UnsubscribeScope | null;
};

type Tools = Pick<Context, 'db' | 'secrets'>;

/** Undefined when the link is not one of ours, or its broadcast was removed. */
export async function readUnsubscribeLink(
  { db, secrets }: Tools,
  token: string,
): Promise<UnsubscribeState | undefined> {
  const rowId = readToken(secrets, token);
  return rowId === undefined ? undefined : await findLinkedRecipient(db, rowId);
}

/** Unsubscribes the phone of the link. Repeating it is harmless. */
export async function unsubscribeByLink(
  { db, secrets }: Tools,
  token: string,
  scope: UnsubscribeScope,
): Promise<UnsubscribeState | undefined> {
  const rowId = readToken(secrets, token);
  const recipient = rowId === undefined ? undefined : await findLinkedRecipient(db, rowId);
  if (recipient === undefined || rowId === undefined) return undefined;
  const { phone, broadcastId } = recipient;
  const companyId = scope === 'everyone' ? null : recipient.companyId;
  await addUnsubscribed(db, { phone, companyId, source: 'link', broadcastId });
  return await findLinkedRecipient(db, rowId);
}
