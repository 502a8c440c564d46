import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyRequest } from 'fastify';
import { countNewer } from '../../../history/list/message-list-store.ts';
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
const COUNT_MAX = 100;
const WINDOW = 2_000;

/** Tells a page how many messages there are past the newest it shows, until its session ends. */
export function followMessages(
  cabinet: Pick<Cabinet, 'ctx' | 'people'>,
  stream: EventStream,
  following: Following,
  pace: Pace = PACE,
): void {
  const { ctx } = cabinet;
  const { companyId, query, after } = following;
  let told = 0;
  let checkedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const look = async () => {
    if (performance.now() - checkedAt > pace.checkMs) {
      if (!(await maySee(cabinet, following))) return stream.end();
      checkedAt = performance.now();
    }
    const bounds = { after, countMax: COUNT_MAX, window: WINDOW };
    const count = await countNewer(ctx.db, companyId, query, bounds);
    if (count !== told) stream.send('new', { count });
    told = count;
  };
  const goOn = () => {
    if (!isOver) timer = setTimeout(() => void lookAndGoOn(), pace.lookMs);
  };
  const lookAndGoOn = () =>
    look()
      // The page goes on with what it has; the next look may succeed.
      .catch((error) => ctx.log.debug(error, 'news for the list of messages'))
      .finally(goOn);

  stream.onEnd(() => {
    isOver = true;
    clearTimeout(timer);
  });
  goOn();
}

/** Still signed in, still in this company, and still allowed to. */
async function maySee(
  { people }: Pick<Cabinet, 'people'>,
  { request, companyId }: Following,
): Promise<boolean> {
  const membership = (await people.findVisitor(request.headers))?.membership;
  return membership?.companyId === companyId && hasRight(membership.role, 'messages.see');
}
