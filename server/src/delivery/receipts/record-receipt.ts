import type { ReceiptReport } from '../../channels/channel.ts';
import type { ProviderReport } from '../../channels/provider.ts';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../db/sql-errors.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import { fallBack } from '../fall-back.ts';
import { findFallbackMessage } from '../watch-store.ts';
import { recordReceiptsById } from './provider-id-store.ts';
import { recordReceipts } from './receipt-store.ts';

/**
 * Records what a channel reports about a message it accepted. Returns once the receipt is stored; a
 * fallback that it causes goes on afterwards, and is picked up by the watch if this process dies or
 * stops first.
 */
export async function recordReceipt(
  ctx: Context,
  report: ReceiptReport,
): Promise<{ isNew: boolean }> {
  const recorded = await ctx.db.inGroup(recordReceipts, report);
  if (recorded.mayFallBack) fallBackSoon(ctx, report.ref);
  return { isNew: recorded.isNew };
}

/** Records a receipt as a provider names it: by our reference, or by its own id. */
export async function recordReport(
  ctx: Context,
  provider: string,
  report: ProviderReport,
): Promise<void> {
  if ('ref' in report) {
    await recordReceipt(ctx, report);
    return;
  }
  const { message, mayFallBack } = await ctx.db.inGroup(recordReceiptsById, {
    ...report,
    providerId: `${provider}:${report.providerId}`,
  });
  if (mayFallBack && message !== undefined) fallBackSoon(ctx, message);
}

type Named = { companyId: CompanyId; messageId: MessageId };

function fallBackSoon(ctx: Context, message: Named): void {
  ctx.fallbacks.run(() =>
    fallBackNow(ctx, message).catch((error: unknown) => {
      // The watch takes it up when the database is back.
      if (isDatabaseAway(error)) return;
      ctx.log.error({ err: error, message_id: message.messageId }, 'fallback after a receipt');
    }),
  );
}

async function fallBackNow(ctx: Context, { companyId, messageId }: Named): Promise<void> {
  const message = await findFallbackMessage(ctx.db, companyId, messageId);
  if (message?.receipt === 'failed') await fallBack(ctx, message);
}
