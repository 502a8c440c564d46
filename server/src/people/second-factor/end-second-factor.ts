import type { People } from '../people.ts';
import { endOtherSessions } from '../session/session-store.ts';
import type { Visitor } from '../visitor.ts';
import { turnOff } from './second-factor-store.ts';

/** Turns it off, with its recovery codes; all other sessions end. */
export async function endSecondFactor({ ctx }: People, visitor: Visitor): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await turnOff(tx, visitor.personId);
    await endOtherSessions(tx, visitor);
  });
}
