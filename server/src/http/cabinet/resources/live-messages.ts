import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyRequest } from 'fastify';
import { followNews } from '../../../history/list/follow-news.ts';
import type { MessageQuery } from '../../../history/list/message-query.ts';
import type { CompanyId, MessageId } from '../../../ids.ts';
import type { EventStream } from '../../streams/event-stream.ts';
import type { Cabinet } from '../frame/endpoint.ts';

export type Following = {
  request: FastifyRequest;
  companyId: CompanyId;
  query: MessageQuery;
  after: MessageId;
};

/** How often the database is asked for news, and whether the session still stands. */
export type Pace = { lookMs: number; checkMs: number };

const PACE: Pace = { lookMs: 2_000, checkMs: 60_000 };

/** Tells a page how many messages there are past the newest it shows, until its session ends. */
export function followMessages(
  cabinet: Pick<Cabinet, 'ctx' | 'people'>,
  stream: EventStream,
  following: Following,
  pace: Pace = PACE,
): void {
  const { ctx } = cabinet;
  const { companyId, query, after } = following;
  const onCount = (count: number) => stream.send('new', { count });
  const news = followNews(ctx, companyId, { query, after, onCount }, pace.lookMs);
  const check = async () => {
    if (await maySee(cabinet, following)) news.recount();
    else stream.end();
  };
  const timer = setInterval(() => {
    // The next check may succeed.
    check().catch((error) => ctx.log.debug(error, 'who follows the list of messages'));
  }, pace.checkMs);
  stream.onEnd(() => {
    clearInterval(timer);
    news.stop();
  });
}

/** Still signed in, still in this company, and still allowed to. */
async function maySee(
  { people }: Pick<Cabinet, 'people'>,
  { request, companyId }: Following,
): Promise<boolean> {
  const membership = (await people.findVisitor(request.headers))?.membership;
  return membership?.companyId === companyId && hasRight(membership.role, 'messages.see');
}
