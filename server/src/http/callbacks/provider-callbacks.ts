import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createShares } from '../../abuse/shares.ts';
import { recordStop } from '../../broadcasts/unsubscribe/record-stop.ts';
import type {
  CallbackAnswer,
  CallbackContent,
  Provider,
  Stop,
  UnnamedReport,
} from '../../channels/provider.ts';
import { storeContact } from '../../contacts/contacts.ts';
import type { Context } from '../../context.ts';
import { isDatabaseAway } from '../../db/sql-errors.ts';
import { identifyReports, recordIfConfirmed, recordReport } from '../../delivery/record-receipt.ts';
import { claimGroup } from '../../groups/claim-group.ts';
import { Problem } from '../../problem.ts';
import { createForgedLog } from './forged-log.ts';
import { readRawBodies, toRawRequest } from './raw-request.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** Larger bodies are buffered before their signature is checked, so few are allowed at once. */
const LARGE_AT_ONCE_MAX = 16;
/**
 * Of one network, so that a stranger's slow posts do not keep the provider's out. A /48 has four
 * times as many, which must not be all.
 */
const LARGE_PER_NETWORK_MAX = 3;

/**
 * Provider callbacks: receipts, contacts that can be messaged, and stop words. Everything is stored before the
 * answer, so that the provider repeats a report that was lost.
 */
export function addProviderCallbacks(
  scope: FastifyInstance,
  ctx: Context,
  providers: readonly Provider[],
): void {
  readRawBodies(scope);
  for (const provider of providers) {
    if (provider.readCallback === undefined) continue;
    const noteForged = createForgedLog(ctx, provider.name);
    scope.route<{ Params: { secret?: string } }>({
      method: ['GET', 'POST'],
      url: `/callbacks/${provider.name}${provider.hasPathSecret ? '/:secret' : ''}`,
      bodyLimit: provider.callbackBytesMax ?? BODY_BYTES_MAX,
      onRequest: admitFewLarge(),
      async handler(request, reply) {
        const { secret: pathSecret } = request.params;
        const content = provider.readCallback?.({ ...toRawRequest(request), pathSecret });
        if (content === undefined) {
          noteForged();
          return reply.code(403).send({ success: false, message: 'Подпись не подтверждена' });
        }
        await store(ctx, provider, content);
        const { contentType, body } = (await answerTo(ctx, content)) ?? NO_ANSWER;
        return reply.type(contentType).send(body);
      },
    });
  }
}

function admitFewLarge() {
  let inFlight = 0;
  const shares = createShares(LARGE_PER_NETWORK_MAX);
  return async ({ headers, ip }: FastifyRequest, { raw }: FastifyReply) => {
    // A chunked body does not declare its length, so it counts as large.
    const { 'content-length': length, 'transfer-encoding': encoding } = headers;
    if (Number(length ?? 0) <= BODY_BYTES_MAX && encoding === undefined) return;
    const release = inFlight < LARGE_AT_ONCE_MAX ? shares.take(ip) : undefined;
    if (release === undefined) throw new Problem('service_unavailable');
    inFlight += 1;
    raw.once('close', () => {
      inFlight -= 1;
      release();
    });
  };
}

const NO_ANSWER: CallbackAnswer = { contentType: 'text/plain', body: '' };

async function answerTo(
  ctx: Context,
  { claim, answer }: CallbackContent,
): Promise<CallbackAnswer | undefined> {
  if (claim === undefined) return answer;
  const outcome = await claimGroup(ctx, claim);
  return claim.answers?.[outcome];
}

const CONFIRM_TIMEOUT_MS = 4_000;

async function store(ctx: Context, provider: Provider, content: CallbackContent): Promise<void> {
  const { reports, contacts = [], unproven = [], stops = [], unnamed = [] } = content;
  // Before the reports: a failure may cause a fallback, which must not reach who wants no broadcasts.
  await Promise.all(stops.map((stop) => storeStop(ctx, provider, stop)));
  await Promise.all([
    ...reports.map((report) => recordReport(ctx, provider.name, report)),
    ...contacts.map((contact) => storeContact(ctx, contact)),
    ...unproven.map((providerId) => recordIfConfirmed(ctx, provider, providerId)),
    storeUnnamed(ctx, provider, unnamed),
  ]);
}

/** The acceptance of a message may be committed a moment after its receipt. */
const LOOK_AGAIN_MS = 1_000;

/**
 * What has no message is looked up once more, after the answer: most of it was sent by others from
 * the same account, and the provider should not wait for that.
 */
async function storeUnnamed(
  ctx: Context,
  provider: Provider,
  unnamed: readonly UnnamedReport[],
  isLast = false,
): Promise<void> {
  if (unnamed.length === 0) return;
  const found = await identifyReports(ctx, provider.name, unnamed);
  await Promise.all(
    found.map(async ({ report, isUnsubscribed }) => {
      if (isUnsubscribed) await recordStop(ctx, report);
      await recordReport(ctx, provider.name, report);
    }),
  );
  if (isLast || found.length === unnamed.length) return;
  const left = unnamed.filter((one) => found.every(({ given }) => given !== one));
  ctx.background.run(async () => {
    await pause(LOOK_AGAIN_MS);
    await storeUnnamed(ctx, provider, left, true).catch((error: unknown) => {
      if (!isDatabaseAway(error)) ctx.log.error({ err: error }, 'receipts were not stored');
    });
  });
}

/** A word is confirmed once, however often the provider reports it or the person repeats it. */
async function storeStop(ctx: Context, provider: Provider, stop: Stop): Promise<void> {
  const recorded = await recordStop(ctx, stop);
  const { confirmStop } = provider;
  if (!recorded?.isNew || !('phone' in stop) || confirmStop === undefined) return;
  ctx.background.run(() =>
    confirmStop(stop.phone, AbortSignal.timeout(CONFIRM_TIMEOUT_MS)).catch((error: unknown) => {
      ctx.log.warn({ err: error, provider: provider.name }, 'stop word was not confirmed');
    }),
  );
}
