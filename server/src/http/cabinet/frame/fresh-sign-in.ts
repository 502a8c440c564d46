import type { Context } from '../../../context.ts';
import type { Visitor } from '../../../people/visitor.ts';
import { Problem } from '../../../problem.ts';

/** After this long, what is dangerous asks again who is there. */
const FRESH_SIGN_IN_MINUTES = 30;

/** Refused when it was long ago that this person last proved to be the one. */
export function assertFreshSignIn({ clock }: Context, { confirmedAt }: Visitor): void {
  const ageMs = clock.now().getTime() - confirmedAt.getTime();
  if (ageMs > FRESH_SIGN_IN_MINUTES * 60_000) throw new Problem('stale_sign_in');
}
