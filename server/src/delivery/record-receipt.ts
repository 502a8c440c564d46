import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptReport } from '../channels/channel.ts';
import type { Provider, ProviderReport, UnnamedReport } from '../channels/provider.ts';
import { qualifiedId } from '../channels/qualified-id.ts';
import type { Context } from '../context.ts';
import { isDatabaseAway } from '../db/sql-errors.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { fallBack } from './fall-back.ts';
import {
  findByProviderId,
  findSent,
  type IdReport,
  recordReceiptsById,
} from './provider-id-store.ts';
import { recordReceipts } from './receipt-store.ts';
import { findFallbackMessage } from './watch-store.ts';

/**
 * Records a receipt of an accepted message. Returns once it is stored. A fallback that it causes
 * runs afterwards; if this process dies or stops first, the watch picks it up.
 */
export async function recordReceipt(
  ctx: Context,
  report: ReceiptReport,
): Promise<{ isNew: boolean }> {
  const recorded = await ctx.db.inGroup(recordReceipts, report);
  if (recorded.mayFallBack) fallBackSoon(ctx, report.ref);
  const { provider, receipt, ref } = report;
  if (recorded.isNew && provider !== undefined) {
    ctx.metrics?.received({ provider, receipt, messageId: ref.messageId });
  }
  return { isNew: recorded.isNew };
}

/**
 * Records the report of a provider, which names the message by our reference or by its own id. An
 * empty id names no message; another one may still be given to one.
 */
export async function recordReport(
  ctx: Context,
  provider: string,
  report: ProviderReport,
): Promise<{ isMatched: boolean }> {
  if ('ref' in report) {
    await recordReceipt(ctx, { ...report, provider });
    return { isMatched: true };
  }
  if (report.providerId === '') return { isMatched: false };
  const named = { ...report, providerId: qualifiedId(provider, report.providerId) };
  const isMatched = await recordById(ctx, provider, named);
  if (!isMatched) lookAgain(ctx, provider, named);
  return { isMatched };
}

/**
 * A receipt and the acceptance of its message may be written at the same moment. Where the id alone
 * does not make one wait for the other, because it is spelt differently or names no phone, neither
 * sees the other: so a receipt without a message is looked up once more.
 */
function lookAgain(ctx: Context, provider: string, report: IdReport): void {
  ctx.background.run(async () => {
    await pause(LOOK_AGAIN_MS);
    await recordById(ctx, provider, report).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
    });
  });
}

const LOOK_AGAIN_MS = 500;

/** False when no message has the id yet: the receipt waits. */
async function recordById(ctx: Context, provider: string, report: IdReport): Promise<boolean> {
  const { message, mayFallBack, isNew } = await ctx.db.inGroup(recordReceiptsById, report);
  if (isNew && message !== undefined) {
    const { messageId } = message;
    ctx.metrics?.received({ provider, receipt: report.receipt, messageId });
  }
  if (mayFallBack && message !== undefined) fallBackSoon(ctx, message);
  return message !== undefined;
}

type MessageRef = { companyId: CompanyId; messageId: MessageId };

function fallBackSoon(ctx: Context, message: MessageRef): void {
  ctx.fallbacks.run(() =>
    fallBackNow(ctx, message).catch((error: unknown) => {
      // The watch starts the fallback when the database is back.
      if (isDatabaseAway(error)) return;
      ctx.log.error({ err: error, message_id: message.messageId }, 'fallback after receipt failed');
    }),
  );
}

async function fallBackNow(ctx: Context, { companyId, messageId }: MessageRef): Promise<void> {
  const message = await findFallbackMessage(ctx.db, companyId, messageId);
  if (message?.receipt === 'failed') await fallBack(ctx, message);
}

type Identified = { given: UnnamedReport; report: ReceiptReport; isUnsubscribed: boolean };

/** Those of the reports that are of our messages, with our reference. */
export async function identifyReports(
  { db }: Pick<Context, 'db'>,
  provider: string,
  unnamed: readonly UnnamedReport[],
): Promise<Identified[]> {
  const sent = unnamed.map(({ providerId, phone }) => ({
    providerId: qualifiedId(provider, providerId),
    phone,
  }));
  const refs = await findSent(db, sent);
  return unnamed.flatMap((given, i) => {
    const ref = refs[i];
    const { receipt, reason, isUnsubscribed = false } = given;
    return ref === undefined ? [] : [{ given, report: { ref, receipt, reason }, isUnsubscribed }];
  });
}

/**
 * Mobizon waits five seconds for our answer: the wait for an acceptance and the query take at most
 * three and a half, and the rest is left to the database.
 */
const ACCEPTANCE_WAIT_MS = 1_000;
const STATUS_TIMEOUT_MS = 2_500;

/**
 * For a report that no signature covers: the provider is asked for the status, and its answer is
 * recorded. Until that succeeds the report is refused, so that the provider repeats it. A report of
 * a message that is not ours is taken and dropped: others may send through the same account.
 */
export async function recordIfConfirmed(
  ctx: Context,
  provider: Pick<Provider, 'name' | 'readStatus'>,
  providerId: string,
): Promise<void> {
  if (providerId === '') return;
  const found = await findOrAwait(ctx, qualifiedId(provider.name, providerId));
  if (found === undefined) return;
  const signal = AbortSignal.timeout(STATUS_TIMEOUT_MS);
  const question = { ...found, providerId, isTest: false, secondsAgo: 0 };
  const status = await provider.readStatus?.(question, signal);
  if (status?.known !== 'accepted' || status.receipt === undefined) {
    throw new Problem('service_unavailable');
  }
  const { receipt, reason } = status;
  await recordReport(ctx, provider.name, { providerId, receipt, reason });
}

/**
 * The acceptance of its message may be about to be committed. One that takes longer loses this
 * report; the watch asks for the status before a fallback.
 */
async function findOrAwait({ db }: Context, providerId: string) {
  const found = await findByProviderId(db, providerId);
  if (found !== undefined) return found;
  await pause(ACCEPTANCE_WAIT_MS);
  return await findByProviderId(db, providerId);
}
