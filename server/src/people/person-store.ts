import type { Sql } from '../db/group-commit.ts';
import type { PersonId } from '../ids.ts';
import type { Phone } from '../phone.ts';

/** Of people without an e-mail address: the column wants one, and nobody ever can have this. */
export const NO_EMAIL_DOMAIN = 'phone.invalid';

/** The person of a phone, made now if there is none; two at once make one. */
export async function findOrAddByPhone(
  sql: Sql,
  person: { id: string; phone: Phone; name: string },
): Promise<PersonId> {
  const rows = await sql.query<{ id: PersonId }>(
    `insert into person (id, name, email, phone) values ($1, $2, $1 || '@${NO_EMAIL_DOMAIN}', $3)
     on conflict (phone) do update set phone = excluded.phone returning id`,
    [person.id, person.name, person.phone],
  );
  return (rows[0] as { id: PersonId }).id;
}
