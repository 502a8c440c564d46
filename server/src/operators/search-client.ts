import { SEARCH_DAYS_MAX } from '@zhiber/contract/admin/search.ts';
import { almatyDay, almatyTime, HOUR_MS } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import {
  type FoundStory,
  findStory,
  readStorySearch,
  type StorySearch,
} from '../messages/find-story.ts';
import { maskPhone } from '../phone.ts';
import { Problem } from '../problem.ts';

const DAY_MS = 24 * HOUR_MS;

/**
 * Finds out for an operator why a client got no code. The search is recorded before anything is
 * shown: it reads the messages of companies that the operator does not belong to.
 */
export async function searchClient(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  asked: { text: string; from?: Date | undefined; to?: Date | undefined },
): Promise<FoundStory> {
  const search = readStorySearch(asked.text);
  if (search === undefined) refuse('search', 'Это не телефон и не номер сообщения или запроса');
  const now = ctx.clock.now();
  const from = asked.from ?? almatyDay(now);
  // The clock of the database may be ahead of ours.
  const to = asked.to ?? new Date(now.getTime() + HOUR_MS);
  if (from >= to) refuse('to', 'Конец раньше начала');
  if (to.getTime() - from.getTime() > SEARCH_DAYS_MAX * DAY_MS) {
    refuse('from', `Не больше ${SEARCH_DAYS_MAX} дней за раз`);
  }
  await ctx.db.transaction((tx) =>
    recordOperatorAct(tx, actor, {
      action: 'client.searched',
      object: labelOf(search),
      after: { from: almatyTime(from), to: almatyTime(to) },
    }),
  );
  return await findStory(ctx, search, { from, to });
}

function refuse(field: string, message: string): never {
  throw new Problem('validation_error', { errors: { [field]: [message] } });
}

/** A log keeps no whole phone. */
function labelOf(search: StorySearch): string {
  if ('phone' in search) return maskPhone(search.phone);
  return 'id' in search ? search.id : search.requestId;
}
