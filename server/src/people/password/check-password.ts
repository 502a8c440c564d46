import { Problem } from '../../problem.ts';
import type { People } from '../people.ts';
import { countAttempt, endAttempts } from '../sign-in/attempts.ts';
import type { Visitor } from '../visitor.ts';
import { findPasswordHash } from './credential-store.ts';

/** Returns when this is the password of who is signed in; a wrong one costs an attempt. */
export async function checkPassword(
  people: People,
  { personId }: Visitor,
  typed: { password: string; address: string },
): Promise<void> {
  const { ctx, passwords } = people;
  const attempts = { what: 'password', account: personId, address: typed.address } as const;
  await countAttempt(people, attempts);
  const hash = await findPasswordHash(ctx.db, personId);
  const isRight =
    hash !== undefined && (await passwords.verify({ hash, password: typed.password }));
  if (!isRight) throw new Problem('wrong_credentials');
  await endAttempts(ctx, attempts);
}
