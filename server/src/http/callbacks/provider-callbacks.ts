import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallbackContent, CallbackRequest, Provider } from '../../channels/provider.ts';
import { recordContact } from '../../contacts/contact-store.ts';
import type { Context } from '../../context.ts';
import { findByProviderId } from '../../delivery/receipts/provider-id-store.ts';
import { recordReport } from '../../delivery/receipts/record-receipt.ts';
import { Problem } from '../../problem.ts';

/** Meta sends up to a thousand receipts at once. */
const BODY_BYTES_MAX = 3 * 1024 * 1024;
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
    scope.route({
      method: ['GET', 'POST'],
      url: `/callbacks/${provider.name}`,
      bodyLimit: BODY_BYTES_MAX,
      async handler(request, reply) {
        const content = provider.readCallback?.(toCallbackRequest(request));
        if (content === undefined) {
          ctx.log.warn({ provider: provider.name }, 'a callback that is not from the provider');
          return reply.code(403).send({ success: false, message: 'Подпись не подтверждена' });
        }
        await store(ctx, provider, content);
        const { contentType, body } = content.answer ?? { contentType: 'text/plain', body: '' };
        return reply.type(contentType).send(body);
      },
    });
  }
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
