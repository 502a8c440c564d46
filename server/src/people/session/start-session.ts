import type { PersonId } from '../../ids.ts';
import type { Auth } from '../auth.ts';
import type { People } from '../people.ts';
import { hasSecondFactor } from '../second-factor/second-factor-store.ts';
import { endSessionByToken } from './session-store.ts';

/** Where better-auth finds the address of a caller: in headers that we make, never in theirs. */
export const ADDRESS_HEADER = 'x-zhiber-address';

/** The browser that somebody signs in with. */
export type Caller = { cookie: string | undefined; address: string; device: string };

export type Started = {
  /** For the browser, as they are. */
  cookies: string[];
  /** The session opens nothing until the second factor has been shown. */
  isHalf: boolean;
};

type SignIn = (
  auth: Auth,
  headers: Headers,
) => Promise<{ headers: Headers; response: { user: { id: string } } }>;

/** Every sign-in comes through here: a new session, and the end of the one this browser had. */
export async function startSession(
  people: People,
  caller: Caller,
  signIn: SignIn,
): Promise<Started> {
  const { headers, response } = await signIn(await people.auth(), headersOf(caller));
  const previous = people.tokenOf(caller.cookie);
  if (previous !== undefined) await endSessionByToken(people.ctx.db, previous);
  return {
    cookies: headers.getSetCookie(),
    isHalf: await hasSecondFactor(people.ctx.db, response.user.id as PersonId),
  };
}

/** For a person whose identity has been proven. */
export function openSession(personId: PersonId, facts: { secondFactorAt?: Date } = {}): SignIn {
  return (auth, headers) =>
    auth.api.openSession({ headers, body: { personId, ...facts }, returnHeaders: true });
}

/** None of the caller's own headers but these: better-auth believes what stands in them. */
export function headersOf({ cookie, address, device }: Caller): Headers {
  return new Headers({
    [ADDRESS_HEADER]: address,
    'user-agent': device,
    ...(cookie !== undefined && { cookie }),
  });
}
