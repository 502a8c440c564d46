import type { Context } from '../context.ts';
import { type CompanyId, lowestIdAt, type MessageId } from '../ids.ts';
import { countNewMessages, type ShownList } from './message-list-store.ts';

export type NewsPage = ShownList & {
  /** Called whenever the count changes; 100 means 100 or more. */
  onCount(count: number): void;
};

export type Following = {
  /** Counts again from the beginning, because old messages may have changed. */
  recount(): void;
  stop(): void;
};

/** The highest count that is reported. */
const COUNT_MAX = 100;
const ROWS_PER_STATEMENT = 2_000;
/** Bounds a poll under a flood of messages; the next poll continues. */
const STATEMENTS_PER_POLL = 5;
/**
 * Messages of the last minute are counted in every poll, because they still change. Changes of
 * older ones are seen only by a recount.
 */
const CHANGING_MS = 60_000;

/** A subscribed page. `before` counts what it has not shown, up to the position of its feed. */
type Reader = {
  page: NewsPage;
  before: number | undefined;
  /** How often a recount was requested. */
  recounts: number;
  reported: number;
};

/** One for each company, so that messages are read once for any number of pages. */
type Feed = {
  /** Everything up to here is counted in `before` of each reader. */
  position: MessageId;
  readers: Set<Reader>;
  timer: NodeJS.Timeout | undefined;
};

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>;

/** Tells pages how many messages are newer than the newest they show. */
export type MessageFeeds = {
  follow(companyId: CompanyId, page: NewsPage): Following;
};

/** How often the database is polled. */
const POLL_MS = 2_000;

export function createMessageFeeds(ctx: Ctx, pollMs = POLL_MS): MessageFeeds {
  const feeds = new Map<CompanyId, Feed>();
  const open = (companyId: CompanyId): Feed => {
    const feed = { position: changingSince(ctx), readers: new Set<Reader>(), timer: undefined };
    feeds.set(companyId, feed);
    schedulePoll(ctx, companyId, feed, pollMs);
    return feed;
  };
  return {
    follow(companyId, page) {
      const feed = feeds.get(companyId) ?? open(companyId);
      const reader: Reader = { page, before: undefined, recounts: 0, reported: 0 };
      feed.readers.add(reader);
      return {
        recount() {
          reader.before = undefined;
          reader.recounts += 1;
        },
        stop() {
          feed.readers.delete(reader);
          if (feed.readers.size > 0 || feeds.get(companyId) !== feed) return;
          clearTimeout(feed.timer);
          feeds.delete(companyId);
        },
      };
    },
  };
}

function changingSince({ clock }: Pick<Context, 'clock'>): MessageId {
  return lowestIdAt(clock.now().getTime() - CHANGING_MS);
}

function schedulePoll(ctx: Ctx, companyId: CompanyId, feed: Feed, pollMs: number): void {
  feed.timer = setTimeout(() => {
    poll(ctx, companyId, feed)
      // The pages keep their counts; the next poll may succeed.
      .catch((error) => ctx.log.debug(error, 'news for the list of messages'))
      .finally(() => {
        if (feed.readers.size > 0) schedulePoll(ctx, companyId, feed, pollMs);
      });
  }, pollMs);
}

async function poll(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  feed: Feed,
): Promise<void> {
  for (const reader of feed.readers) {
    if (reader.before !== undefined) continue;
    const { recounts } = reader;
    const count = await countBefore(ctx, companyId, reader.page, feed.position);
    // A count that was overtaken by another recount may be stale.
    if (reader.recounts === recounts) reader.before = count;
  }
  const readers = [...feed.readers].filter(({ before }) => before !== undefined);
  const bound = changingSince(ctx);
  const pages = readers.map(({ page }) => page);
  for (let statements = 0; statements < STATEMENTS_PER_POLL; statements++) {
    const span = { after: feed.position, bound, rowsMax: ROWS_PER_STATEMENT };
    const { counts, boundCounts, lastId } = await countNewMessages(ctx.db, companyId, pages, span);
    const isLast = lastId === null;
    for (const [i, reader] of readers.entries()) {
      report(reader, (reader.before ?? 0) + (counts[i] ?? 0));
      reader.before = add(reader.before, isLast ? boundCounts[i] : counts[i]);
    }
    if (!isLast) feed.position = lastId;
    else if (bound > feed.position) feed.position = bound;
    if (isLast) return;
  }
}

/** Keeps a recount (undefined) that was requested meanwhile. */
function add(before: number | undefined, count = 0): number | undefined {
  return before === undefined ? undefined : before + count;
}

/** Counts what a page has not shown of the messages that its feed has passed, up to a row limit. */
async function countBefore(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  page: ShownList,
  position: MessageId,
): Promise<number> {
  if (page.after >= position) return 0;
  const span = { after: page.after, until: position, bound: position, rowsMax: ROWS_PER_STATEMENT };
  return (await countNewMessages(db, companyId, [page], span)).counts[0] ?? 0;
}

function report(reader: Reader, total: number): void {
  const count = Math.min(total, COUNT_MAX);
  if (count !== reader.reported) reader.page.onCount(count);
  reader.reported = count;
}
