import type { GroupStatement, Sql } from '../db/group-commit.ts';
import type { KeyId } from '../ids.ts';

type Use = { id: KeyId; isPrevious: boolean };

/** When keys were last used, and their previous secrets. Nobody waits for it. */
export const recordUses: GroupStatement<Use, void> = {
  name: 'record key uses',
  itemsMax: 2_048,
  waitingMax: 20_000,
  gatherMs: 1_000,
  async run(sql, items) {
    await sql.query(
      `insert into key_use as u (key_id, used_at, previous_used_at)
       select id, clock_timestamp(), case when bool_or(is_previous) then clock_timestamp() end
       from unnest($1::bigint[], $2::boolean[]) as noted (id, is_previous) group by id order by id
       on conflict (key_id) do update set used_at = excluded.used_at,
         previous_used_at = coalesce(excluded.previous_used_at, u.previous_used_at)`,
      [items.map(({ id }) => id), items.map(({ isPrevious }) => isPrevious)],
      'record-key-uses',
    );
    return items.map(() => undefined);
  },
};

/** A secret that has just been replaced was not used since. */
export async function forgetPreviousUse(sql: Sql, id: KeyId): Promise<void> {
  await sql.query('update key_use set previous_used_at = null where key_id = $1', [id]);
}
