import type { Sql } from '../db/group-commit.ts';
import type { PersonId } from '../ids.ts';

export async function hasSecondFactor(sql: Sql, personId: PersonId): Promise<boolean> {
  const rows = await sql.query(
    'select from second_factor where person_id = $1 and confirmed_at is not null',
    [personId],
  );
  return rows.length > 0;
}
