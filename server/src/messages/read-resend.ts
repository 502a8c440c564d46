import type { LinkSendRequest } from '@zhiber/contract/api/links.ts';
import type { Context } from '../context.ts';
import type { CompanyId, KeyId, MessageId } from '../ids.ts';
import { findSentLink } from './message-store.ts';

export type Resend = {
  id: MessageId;
  keyId: KeyId;
  request: Pick<LinkSendRequest, 'phone' | 'url' | 'text'>;
};

/**
 * The request that sends the same text with the same link again. Undefined where there is none: for
 * a code, a message to a group or of a broadcast, and one whose link was removed.
 */
export async function readResend(
  { db, urls }: Pick<Context, 'db' | 'urls'>,
  companyId: CompanyId,
  id: MessageId,
): Promise<Resend | undefined> {
  const sent = await findSentLink(db, companyId, id);
  if (sent === undefined) return undefined;
  const { key_id: keyId, recipient, body, slug, url } = sent;
  const text = body.replaceAll(`${urls.shortLinkBase}/${slug}`, ':link');
  return { id, keyId, request: { phone: `+${recipient}`, url, text } };
}
