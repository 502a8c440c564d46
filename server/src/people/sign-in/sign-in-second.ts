import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { checkSecondFactor, type SecondProof } from '../second-factor/check-second-factor.ts';
import { findHalfSignedIn } from '../session/session-store.ts';
import { type Caller, openSession, type Started, startSession } from '../session/start-session.ts';

/** The second step: the session of the first one ends, and a whole one takes its place. */
export async function signInSecond(
  people: People,
  proof: SecondProof,
  caller: Caller,
): Promise<Started> {
  const token = people.tokenOf(caller.cookie);
  const half = token && (await findHalfSignedIn(people.ctx.db, token));
  if (!half) throw new Problem('not_signed_in');
  await checkSecondFactor(people, { ...half, address: caller.address }, proof);
  const secondFactorAt = people.ctx.clock.now();
  return await startSession(people, caller, openSession(half.personId, { secondFactorAt }));
}
