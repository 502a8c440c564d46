import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyRequest } from 'fastify';
import type { CompanyId, MessageId } from '../../ids.ts';
import type { MessageQuery } from '../../messages/message-query.ts';
import type { EventStream } from '../transport/event-stream.ts';
import type { Cabinet } from './endpoint.ts';

export type Following = {
  request: FastifyRequest;
  companyId: CompanyId;
  query: MessageQuery;
  after: MessageId;
};

/** How often the session and its rights are checked again. */
const CHECK_MS = 60_000;

/** Streams the number of messages newer than the newest shown, until the session ends. */
export function followMessages(
  cabinet: Pick<Cabinet, 'ctx' | 'accounts' | 'feeds'>,
  stream: EventStream,
  following: Following,
  checkMs = CHECK_MS,
): void {
  const { ctx, feeds } = cabinet;
  const { companyId, query, after } = following;
  const onCount = (count: number) => stream.send('new', { count });
  const feed = feeds.follow(companyId, { query, after, onCount });
  const check = async () => {
    if (await canSee(cabinet, following)) feed.recount();
    else stream.end();
  };
  const timer = setInterval(() => {
    // A failed check keeps the stream open; the next one may succeed.
    check().catch((error) => ctx.log.debug(error, 'who follows the list of messages'));
  }, checkMs);
  stream.onEnd(() => {
    clearInterval(timer);
    feed.stop();
  });
}

/** Whether the person is still signed in, in this company, and has the right. */
async function canSee(
  { accounts }: Pick<Cabinet, 'accounts'>,
  { request, companyId }: Following,
): Promise<boolean> {
  const membership = (await accounts.findUser(request.headers))?.membership;
  return membership?.companyId === companyId && hasRight(membership.role, 'messages.see');
}
