import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { type Caller, type Started, startSession } from '../session/start-session.ts';
import { countAttempt, endAttempts } from './attempts.ts';

/** The same answer, after the same work, for an address that nobody has and for a wrong password. */
export async function signInByEmail(
  people: People,
  typed: { email: string; password: string },
  caller: Caller,
): Promise<Started> {
  const body = { email: typed.email.toLowerCase(), password: typed.password };
  const attempts = {
    what: 'password',
    account: body.email,
    address: caller.address,
  } as const;
  people.passwords.refuseWhenFull();
  await countAttempt(people, attempts);
  try {
    const started = await startSession(people, caller, (auth, headers) =>
      auth.api.signInEmail({ headers, body, returnHeaders: true }),
    );
    await endAttempts(people.ctx, attempts);
    return started;
  } catch (error) {
    // A refusal of better-auth says why in more words than a stranger should hear.
    throw (error as Error).name === 'APIError' ? new Problem('wrong_credentials') : error;
  }
}
