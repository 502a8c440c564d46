import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  CallbackAnswer,
  CallbackContent,
  CallbackRequest,
  Provider,
} from '../../channels/provider.ts';
import { recordContact } from '../../contacts/contact-store.ts';
import type { Context } from '../../context.ts';
import { findByProviderId } from '../../delivery/receipts/provider-id-store.ts';
import { recordReport } from '../../delivery/receipts/record-receipt.ts';
import { claimGroup } from '../../group/claim-group.ts';
import { Problem } from '../../problem.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** Larger ones are read before anybody knows whom they are from, so there may be few at once. */
const LARGE_AT_ONCE_MAX = 16;
/** Strangers must not fill the log. */
const FORGED_LOG_MS = 60_000;
/** Mobizon waits five seconds, in which the database may want two for what is found. */
const QUESTION_LIMIT_MS = 2_500;

/**
 * What providers report: receipts, and people who can be written to. Everything is stored before it
 * is answered, so that a provider whose report got lost on the way repeats it.
 */
export function addProviderCallbacks(
  scope: FastifyInstance,
  ctx: Context,
  providers: readonly Provider[],
): void {
  // The signature is over the bytes as they came, whatever type they say they are.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  for (const provider of providers) {
    if (provider.readCallback === undefined) continue;
    const noteForged = createForgedLog(ctx, provider.name);
    scope.route({
      method: ['GET', 'POST'],
      url: `/callbacks/${provider.name}`,
      bodyLimit: provider.callbackBytesMax ?? BODY_BYTES_MAX,
      onRequest: admitFewLarge(),
      async handler(request, reply) {
        const content = provider.readCallback?.(toCallbackRequest(request));
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
  let underWay = 0;
  return async ({ headers }: FastifyRequest, { raw }: FastifyReply) => {
    // One that does not tell its length may have any.
    const { 'content-length': length, 'transfer-encoding': encoding } = headers;
    if (Number(length ?? 0) <= BODY_BYTES_MAX && encoding === undefined) return;
    if (underWay >= LARGE_AT_ONCE_MAX) throw new Problem('service_unavailable');
    underWay += 1;
    raw.once('close', () => {
      underWay -= 1;
    });
  };
}

const NO_ANSWER: CallbackAnswer = { contentType: 'text/plain', body: '' };

async function answerTo(
  ctx: Context,
  { claim, answer }: CallbackContent,
): Promise<CallbackAnswer | undefined> {
  return claim === undefined ? answer : claim.answers[await claimGroup(ctx, claim)];
}

/** One line a minute, with how many there were since the last. */
function createForgedLog({ log }: Context, provider: string) {
  let count = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    if (performance.now() - saidAt < FORGED_LOG_MS) return;
    log.warn({ provider, count }, 'callbacks that are not from the provider');
    saidAt = performance.now();
    count = 0;
  };
}

function toCallbackRequest(request: FastifyRequest): CallbackRequest {
  const query = Object.entries(request.query as Record<string, unknown>);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    headers: request.headers,
    // A name that stands twice is nobody's: no provider does that.
    query: Object.fromEntries(
      query.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    ),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}

async function store(ctx: Context, provider: Provider, content: CallbackContent): Promise<void> {
  const { reports, contacts = [], unproven = [] } = content;
  await Promise.all([
    ...reports.map((report) => recordReport(ctx, provider.name, report)),
    ...contacts.map((contact) => recordContact(ctx.db, contact)),
    ...unproven.map((providerId) => recordIfTrue(ctx, provider, providerId)),
  ]);
}

/**
 * News that the signature does not cover is believed when the provider says it again. Until then it
 * is not taken, so that the provider repeats it.
 */
async function recordIfTrue(ctx: Context, provider: Provider, providerId: string): Promise<void> {
  const signal = AbortSignal.timeout(QUESTION_LIMIT_MS);
  const found = await findByProviderId(ctx.db, `${provider.name}:${providerId}`);
  // It may belong to a message whose acceptance is being written down: the provider comes again.
  if (found === undefined) throw new Problem('service_unavailable');
  const question = { ...found, providerId, isTest: false, secondsAgo: 0 };
  const status = await provider.readStatus?.(question, signal);
  if (status?.known !== 'accepted' || status.receipt === undefined) {
    throw new Problem('service_unavailable');
  }
  const { receipt, reason } = status;
  await recordReport(ctx, provider.name, { providerId, receipt, reason });
}
