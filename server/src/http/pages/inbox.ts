import { INBOX_WAIT_SECONDS_MAX } from '@zhiber/contract/api/limits.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { parsePhone } from '../../phone.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { InboxQuery, PhoneMessage } from '../../sandbox/virtual-phone.ts';
import { checkKeyOrigin, keyOf } from '../api/authenticate.ts';

/**
 * The virtual phone's inbox for tests: what a person would read on the phone. Outside the contract.
 */
export function addInbox(app: FastifyInstance, ctx: Context, sandbox: Sandbox): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.get('/sandbox/messages', async (request, reply) => {
    const query = await readQuery(ctx, request);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const waitMs = readWait(request) * 1000;
    const over = AbortSignal.any([gone.signal, closing.signal]);
    const messages = await sandbox.phone.waitFor(query, waitMs, over);
    return { success: true, messages: messages.map(shown) };
  });

  app.delete('/sandbox/messages', async (request) => {
    sandbox.phone.clear(await readQuery(ctx, request));
    return { success: true, message: 'Сообщения удалены' };
  });
}

/** A test key, or in the sandbox any. */
export async function readSandboxKey(ctx: Context, request: FastifyRequest): Promise<ApiKey> {
  const { key } = await keyOf(ctx, request);
  checkKeyOrigin(key, request);
  if (!key.isTest && !ctx.channels.isSandbox) throw new Problem('not_found');
  return key;
}

async function readQuery(ctx: Context, request: FastifyRequest): Promise<InboxQuery> {
  const key = await readSandboxKey(ctx, request);
  const { phone, since } = request.query as { phone?: unknown; since?: unknown };
  return {
    keyId: key.id,
    phone: phone === undefined ? undefined : readRecipient(phone),
    since: since === undefined ? undefined : readTime(since),
  };
}

function readRecipient(value: unknown): string {
  // In a query string a plus stands for a space; an unescaped plus of a phone arrives as one.
  const facts = typeof value === 'string' ? parsePhone(value.replace(/^ /, '+')) : undefined;
  if (facts === undefined) throw new Problem('invalid_phone');
  return `+${facts.phone}`;
}

function readTime(value: unknown): Date {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) {
    throw new Problem('validation_error', { errors: { since: ['Время в формате ISO 8601'] } });
  }
  return time;
}

export function readWait(request: FastifyRequest): number {
  const { wait = '0' } = request.query as { wait?: string };
  const seconds = Number(wait);
  if (!(seconds >= 0 && seconds <= INBOX_WAIT_SECONDS_MAX)) {
    throw new Problem('validation_error', {
      errors: { wait: [`От 0 до ${INBOX_WAIT_SECONDS_MAX} секунд`] },
    });
  }
  return seconds;
}

export function shown(message: PhoneMessage) {
  return {
    message_id: message.messageId,
    phone: message.phone,
    channel: message.channel,
    kind: message.kind,
    text: message.text,
    code: message.code,
    link: message.link,
    at: message.at.toISOString(),
  };
}
