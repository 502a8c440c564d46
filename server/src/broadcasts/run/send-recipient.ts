import type { Context } from '../../context.ts';
import { retryWhileDatabaseAway } from '../../db/retry-conflicts.ts';
import { type Delivery, type Draft, deliver } from '../../delivery/deliver.ts';
import { toSettlement } from '../../delivery/send-by-route.ts';
import { settleBulk } from '../../delivery/settle-store.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { returnRecipient, type StoredBroadcast } from './broadcast-store.ts';
import type { ClaimedRecipient } from './claim-batch.ts';

/** `returned`: no channel was available, nothing left, and the recipient waits again. */
export type RecipientResult = 'sent' | 'failed' | 'unknown' | 'returned';

type Sending = {
  broadcast: Pick<StoredBroadcast, 'id' | 'companyId'>;
  key: ApiKey;
  recipient: ClaimedRecipient;
};

/** Asks the channels of a claimed recipient. Never throws. */
export async function deliverTo(
  ctx: Pick<Context, 'channels' | 'log'>,
  sending: Sending,
): Promise<Delivery> {
  return await deliver(ctx, toDraft(sending), sending.recipient.route);
}

/** Nothing was sent, although it was claimed. */
export const NOT_DELIVERED: Delivery = { attempts: [] };

/** Settles the message of a recipient. One that never left waits again. */
export async function settleRecipient(
  ctx: Pick<Context, 'bulk' | 'metrics'>,
  { broadcast, key, recipient }: Sending,
  delivery: Delivery,
): Promise<RecipientResult> {
  const { messageId, number, route } = recipient;
  const settlement = toSettlement({ key, messageId, route, fallsBack: true }, delivery);
  const { state, isMoved, charged } = await retryWhileDatabaseAway(() =>
    ctx.bulk.inGroup(settleBulk, settlement),
  );
  if (isMoved && delivery.accepted !== undefined) {
    ctx.metrics?.charged(delivery.accepted.channel, charged);
  }
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

function toDraft({ broadcast, key, recipient }: Sending): Draft {
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
