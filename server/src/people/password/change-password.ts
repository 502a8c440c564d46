import type { People } from '../people.ts';
import { endOtherSessions } from '../session/session-store.ts';
import type { Visitor } from '../visitor.ts';
import { checkPassword } from './check-password.ts';
import { refuseCommon } from './common-passwords.ts';
import { findPasswordHash, setPasswordHash } from './credential-store.ts';

/** Asks for the present password where there is one. All other sessions end. */
export async function changePassword(
  people: People,
  visitor: Visitor,
  typed: { current?: string | undefined; password: string; address: string },
): Promise<void> {
  const { ctx, passwords } = people;
  refuseCommon(typed.password);
  const hasPassword = (await findPasswordHash(ctx.db, visitor.personId)) !== undefined;
  if (hasPassword) {
    await checkPassword(people, visitor, { ...typed, password: typed.current ?? '' });
  }
  const hash = await passwords.hash(typed.password);
  await ctx.db.transaction(async (tx) => {
    await setPasswordHash(tx, visitor.personId, hash);
    await endOtherSessions(tx, visitor);
  });
}
