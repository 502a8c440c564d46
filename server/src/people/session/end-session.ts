import type { People } from '../people.ts';
import { type Caller, headersOf } from './start-session.ts';

/** Signs out; the cookies make the browser forget the session. */
export async function endSession(people: People, caller: Caller): Promise<string[]> {
  const auth = await people.auth();
  const { headers } = await auth.api.signOut({ headers: headersOf(caller), returnHeaders: true });
  return headers.getSetCookie();
}
