import type { CompanyId, MessageId } from '../../ids.ts';
import type { MessageFeeds } from '../../messages/message-feeds.ts';
import type { MessageQuery } from '../../messages/message-query.ts';
import type { EventStream } from '../transport/event-stream.ts';

export type Following = { companyId: CompanyId; query: MessageQuery; after: MessageId };

/** Old messages may have changed since they were counted. */
const RECOUNT_MS = 60_000;

/** Streams the number of messages newer than the newest shown, until the stream ends. */
export function followMessages(
  feeds: MessageFeeds,
  stream: EventStream,
  { companyId, query, after }: Following,
  recountMs = RECOUNT_MS,
): void {
  const onCount = (count: number) => stream.send('new', { count });
  const feed = feeds.follow(companyId, { query, after, onCount });
  const timer = setInterval(() => feed.recount(), recountMs);
  stream.onEnd(() => {
    clearInterval(timer);
    feed.stop();
  });
}
