import type { ReceiptReport } from '../../channels/channel.ts';
import { createPlaces } from '../../channels/places.ts';
import type { ProviderReport } from '../../channels/provider.ts';
import type { Context } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import { fallBack } from '../fall-back.ts';
import { findFallbackMessage } from '../watch-store.ts';
import { recordReceiptsById } from './provider-id-store.ts';
import { recordReceipts } from './receipt-store.ts';

/**
 * Records what a channel reports about a message it accepted. Returns once the receipt is stored; a
 * fallback that it causes goes on afterwards, and is picked up by the watch if this process dies.
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

/** A provider may report a thousand failures at once. Who waits for longer is left to the watch. */
const AT_ONCE_MAX = 32;
const WAIT_MS_MAX = 20_000;
const placesOf = perDatabase((_db) => createPlaces(AT_ONCE_MAX));
const NEVER = new AbortController().signal;

function fallBackSoon(ctx: Context, message: Named): void {
  const inTurn = async () => {
    const places = placesOf(ctx.db);
    const leave = await places.take({ signal: NEVER, isUrgent: false, waitMsMax: WAIT_MS_MAX });
    if (leave !== undefined) await fallBackNow(ctx, message).finally(leave);
  };
  inTurn().catch((error) => {
    ctx.log.error({ err: error, message_id: message.messageId }, 'fallback after a receipt');
  });
}

async function fallBackNow(ctx: Context, { companyId, messageId }: Named): Promise<void> {
  const message = await findFallbackMessage(ctx.db, companyId, messageId);
  if (message?.receipt === 'failed') await fallBack(ctx, message);
}
