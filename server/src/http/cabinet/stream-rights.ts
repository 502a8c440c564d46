import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { listSessionRoles } from '../../accounts/sessions.ts';
import type { Context } from '../../context.ts';
import { logUnlessAway } from '../../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../../runtime/repeat.ts';
import type { EventStreams } from '../transport/event-stream.ts';

const CHECK_MS = 1_000;

/**
 * Ends the streams of people who have signed out, were removed from the company or lost the right,
 * on whichever node that happened. One statement checks all streams; without any there is none.
 */
export function endStreamsWithoutRight(
  ctx: Pick<Context, 'db' | 'config' | 'log'>,
  streams: EventStreams,
  checkMs = CHECK_MS,
): Repetition {
  return repeatEvery({
    pauseMs: checkMs,
    // The streams stay open; the next check may succeed.
    onError: logUnlessAway(ctx.log, 'the rights of event streams were not checked'),
    async run() {
      const owners = streams.owners();
      if (owners.length === 0) return false;
      const roles = await listSessionRoles(ctx, owners);
      for (const owner of owners) {
        const role = roles.get(owner);
        if (role === undefined || !hasRight(role, owner.right)) streams.end(owner);
      }
      return false;
    },
  });
}
