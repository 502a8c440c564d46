import type { ReceiptReport } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import { fallBack } from './fall-back.ts';
import { recordReceipts } from './receipt-store.ts';
import { findFallbackMessage } from './watch-store.ts';

/**
 * Records what a channel reports about a message it accepted. Returns once the receipt is stored; a
 * fallback that it causes goes on afterwards, and is picked up by the watch if this process dies.
 */
export async function recordReceipt(
  ctx: Context,
  report: ReceiptReport,
): Promise<{ isNew: boolean }> {
  const recorded = await ctx.db.inGroup(recordReceipts, report);
  if (recorded.mayFallBack) {
    fallBackNow(ctx, report).catch((error) => {
      ctx.log.error({ err: error, message_id: report.ref.messageId }, 'fallback after a receipt');
    });
  }
  return { isNew: recorded.isNew };
}

async function fallBackNow(ctx: Context, { ref }: ReceiptReport): Promise<void> {
  const message = await findFallbackMessage(ctx.db, ref.companyId, ref.messageId);
  if (message?.receipt === 'failed') await fallBack(ctx, message);
}
