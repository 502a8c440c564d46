import type { Context } from '../context.ts';
import { retryWhileDatabaseAway } from '../db/retry-conflicts.ts';
import { type Delivery, type Draft, deliver } from '../delivery/deliver.ts';
import { toSettlement } from '../delivery/send-by-route.ts';
import { settle } from '../delivery/settle-store.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { returnRecipient, type StoredBroadcast } from './broadcast-store.ts';
import type { ClaimedRecipient } from './claim-batch.ts';

/** `returned`: no channel was available, nothing left, and the recipient waits again. */
export type RecipientResult = 'sent' | 'failed' | 'unknown' | 'returned';

/**
 * Sends to a claimed recipient and settles its message. With `isLate` nothing is sent: the process
 * stood still for so long that another node may have taken the message for abandoned.
 */
export async function sendRecipient(
  ctx: Pick<Context, 'bulk' | 'channels' | 'log'>,
  request: {
    broadcast: Pick<StoredBroadcast, 'id' | 'companyId'>;
    key: ApiKey;
    recipient: ClaimedRecipient;
    isLate: boolean;
  },
): Promise<RecipientResult> {
  const { broadcast, key, recipient, isLate } = request;
  const { messageId, number, route } = recipient;
  const delivery: Delivery = isLate
    ? { attempts: [] }
    : await deliver(ctx, toDraft(request), route);
  const settlement = toSettlement({ key, messageId, route, fallsBack: true }, delivery);
  const { state } = await retryWhileDatabaseAway(() => ctx.bulk.inGroup(settle, settlement));
  if (state !== 'failed' || !couldNotLeave(delivery)) return state;
  const isReturned = await retryWhileDatabaseAway(() =>
    ctx.bulk.inGroup(returnRecipient, { broadcastId: broadcast.id, number, messageId }),
  );
  return isReturned ? 'returned' : 'failed';
}

/** Another try may succeed: a channel was not asked, or not available. */
function couldNotLeave({ attempts }: Delivery): boolean {
  return attempts.length === 0 || attempts.some(({ state }) => state === 'unavailable');
}

function toDraft({
  broadcast,
  key,
  recipient,
}: {
  broadcast: Pick<StoredBroadcast, 'companyId'>;
  key: ApiKey;
  recipient: ClaimedRecipient;
}): Draft {
  const { messageId, phone, texts, body, link, template } = recipient;
  return {
    ref: { companyId: broadcast.companyId, messageId, attempt: 1 },
    keyId: key.id,
    isTest: false,
    isBulk: true,
    sender: key.senderName ?? undefined,
    to: { phone },
    content: 'broadcast',
    language: key.language,
    compose: (channel) => ({
      text: texts[channel] ?? body,
      link,
      ...(channel === 'whatsapp' && { template }),
    }),
  };
}
