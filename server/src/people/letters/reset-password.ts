import { Problem } from '../../problem.ts';
import { refuseCommon } from '../password/common-passwords.ts';
import { setPasswordHash } from '../password/credential-store.ts';
import type { People } from '../people.ts';
import { endAllSessions } from '../session/session-store.ts';
import { dropLinksOf, isOpenLink, takeLink } from './letter-link-store.ts';
import { macOfToken } from './letter-token.ts';

/** Ends every session and signs nobody in: the sign-in that follows asks for the second factor. */
export async function resetPassword(
  { ctx, passwords }: People,
  { token, password }: { token: string; password: string },
): Promise<void> {
  refuseCommon(password);
  const mac = macOfToken(ctx.secrets, token);
  // A hash is dear: nobody has one made without a link.
  if (!(await isOpenLink(ctx.db, mac, 'new_password'))) throw new Problem('link_ended');
  const hash = await passwords.hash(password);
  await ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { mac, kinds: ['new_password'], visitorId: null });
    const personId = link?.person_id;
    if (!personId) throw new Problem('link_ended');
    await setPasswordHash(tx, personId, hash);
    await dropLinksOf(tx, personId);
    await endAllSessions(tx, personId);
  });
}
