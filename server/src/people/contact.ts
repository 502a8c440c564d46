import { NO_EMAIL } from './person-store.ts';

/** How to reach a person: the e-mail address, or the phone of somebody who has none. */
export function contactOf(person: { email: string; phone: string | null }): string {
  const hasEmail = !person.email.endsWith(NO_EMAIL);
  return hasEmail || person.phone === null ? person.email : `+${person.phone}`;
}
