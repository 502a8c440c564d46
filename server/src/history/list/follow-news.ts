import type { Context } from '../../context.ts';
import { perDatabase } from '../../db/per-database.ts';
import { type CompanyId, lowestIdAt, type MessageId } from '../../ids.ts';
import { countNews, type ShownList } from './message-list-store.ts';

export type NewsPage = ShownList & {
  /** Told whenever it changes; 100 stands for any more. */
  onCount(count: number): void;
};

export type Following = {
  /** Counts from the beginning, for what old messages have become. */
  recount(): void;
  stop(): void;
};

/** How many pages are told at most. */
const COUNT_MAX = 100;
const ROWS_PER_STATEMENT = 2_000;
/** So that a flood of messages does not keep one look busy; the next one goes on. */
const STATEMENTS_PER_LOOK = 5;
/**
 * Messages of the last minute are counted at every look: they still change. What an older one becomes
 * is seen at a recount.
 */
const CHANGING_MS = 60_000;

/** A page that follows. `before` counts what it has not shown up to the position of its feed. */
type Reader = { page: NewsPage; before: number | undefined; told: number };

/** One for each company, however many pages follow: the cost is that of the messages, once. */
type Feed = {
  /** Everything up to here is counted in `before` of each reader. */
  position: MessageId;
  readers: Set<Reader>;
  timer: NodeJS.Timeout | undefined;
};

const feedsOf = perDatabase(() => new Map<CompanyId, Feed>());

/** Tells a page how many messages there are past the newest it shows. */
export function followNews(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  companyId: CompanyId,
  page: NewsPage,
  lookMs: number,
): Following {
  const feeds = feedsOf(ctx.db);
  let feed = feeds.get(companyId);
  if (feed === undefined) {
    feed = { position: changingSince(ctx), readers: new Set(), timer: undefined };
    feeds.set(companyId, feed);
    lookAgain(ctx, companyId, feed, lookMs);
  }
  const { readers } = feed;
  const reader: Reader = { page, before: undefined, told: 0 };
  readers.add(reader);
  return {
    recount() {
      reader.before = undefined;
    },
    stop() {
      readers.delete(reader);
      if (readers.size > 0 || feeds.get(companyId)?.readers !== readers) return;
      clearTimeout(feeds.get(companyId)?.timer);
      feeds.delete(companyId);
    },
  };
}

function changingSince({ clock }: Pick<Context, 'clock'>): MessageId {
  return lowestIdAt(clock.now().getTime() - CHANGING_MS);
}

function lookAgain(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  companyId: CompanyId,
  feed: Feed,
  lookMs: number,
): void {
  feed.timer = setTimeout(() => {
    look(ctx, companyId, feed)
      // The pages go on with what they have; the next look may succeed.
      .catch((error) => ctx.log.debug(error, 'news for the list of messages'))
      .finally(() => {
        if (feed.readers.size > 0) lookAgain(ctx, companyId, feed, lookMs);
      });
  }, lookMs);
}

async function look(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  feed: Feed,
): Promise<void> {
  for (const reader of feed.readers) {
    reader.before ??= await countBefore(ctx, companyId, reader.page, feed.position);
  }
  const readers = [...feed.readers].filter(({ before }) => before !== undefined);
  const bound = changingSince(ctx);
  const pages = readers.map(({ page }) => page);
  for (let statements = 0; statements < STATEMENTS_PER_LOOK; statements++) {
    const span = { after: feed.position, bound, rowsMax: ROWS_PER_STATEMENT };
    const { counts, boundCounts, lastId } = await countNews(ctx.db, companyId, pages, span);
    const isLast = lastId === null;
    for (const [i, reader] of readers.entries()) {
      tell(reader, (reader.before ?? 0) + (counts[i] ?? 0));
      reader.before = add(reader.before, isLast ? boundCounts[i] : counts[i]);
    }
    if (!isLast) feed.position = lastId;
    else if (bound > feed.position) feed.position = bound;
    if (isLast) return;
  }
}

/** A recount that was asked for meanwhile stays asked for. */
function add(before: number | undefined, count = 0): number | undefined {
  return before === undefined ? undefined : before + count;
}

/** What a page has not shown of the messages that its feed has passed, out of a bounded number. */
async function countBefore(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  page: ShownList,
  position: MessageId,
): Promise<number> {
  if (page.after >= position) return 0;
  const span = { after: page.after, until: position, bound: position, rowsMax: ROWS_PER_STATEMENT };
  return (await countNews(db, companyId, [page], span)).counts[0] ?? 0;
}

function tell(reader: Reader, total: number): void {
  const count = Math.min(total, COUNT_MAX);
  if (count !== reader.told) reader.page.onCount(count);
  reader.told = count;
}
