import type { Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/sql-errors.ts';
import { type MessageId, newId, type PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { setPasswordHash } from '../password/credential-store.ts';
import type { People } from '../people.ts';
import { addByEmail, setEmail } from '../person-store.ts';
import { type Caller, openSession, type Started, startSession } from '../session/start-session.ts';
import type { Visitor } from '../visitor.ts';
import { dropLinksOf, isOpenLink, type TakenLink, takeLink } from './letter-link-store.ts';
import { macOfToken } from './letter-token.ts';

/**
 * From the link of a letter. A new account is signed in with it. A new address of an old account is
 * confirmed only by who is signed in there: a mistyped one must not open the account to a stranger.
 */
export async function confirmEmail(
  people: People,
  { token, visitor }: { token: string; visitor: Visitor | undefined },
  caller: Caller,
): Promise<Started | undefined> {
  const { ctx } = people;
  const mac = macOfToken(ctx.secrets, token);
  const id = newId(ctx.clock.now().getTime());
  const visitorId = visitor?.personId ?? null;
  const confirmed = ctx.db.transaction(async (tx) => {
    const link = await takeLink(tx, { mac, kinds: ['sign_up', 'new_email'], visitorId });
    if (link === undefined) return undefined;
    return link.kind === 'sign_up' ? await addPerson(tx, id, link) : await moveAddress(tx, link);
  });
  const added = await confirmed.catch((error: unknown) => {
    if (isUniqueViolation(error, 'person_email_key')) return undefined;
    throw error;
  });
  if (added !== undefined) {
    return added.isNew
      ? await startSession(people, caller, openSession(added.personId))
      : undefined;
  }
  const isForOther = await isOpenLink(ctx.db, mac, 'new_email');
  throw new Problem(isForOther && visitor === undefined ? 'not_signed_in' : 'link_ended');
}

type Confirmed = { personId: PersonId; isNew: boolean } | undefined;

async function addPerson(tx: Transaction, id: MessageId, link: TakenLink): Promise<Confirmed> {
  const { email, name, language, password_hash: hash } = link;
  const personId = await addByEmail(tx, { id, email, name: name as string, language });
  if (personId === undefined) return undefined;
  await setPasswordHash(tx, personId, hash as string);
  return { personId, isNew: true };
}

async function moveAddress(tx: Transaction, link: TakenLink): Promise<Confirmed> {
  const personId = link.person_id as PersonId;
  await setEmail(tx, personId, link.email);
  await dropLinksOf(tx, personId);
  return { personId, isNew: false };
}
