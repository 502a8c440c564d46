import type { GroupStatement } from '../db/group-commit.ts';
import type { KeyId } from '../ids.ts';

/** When keys were last used. Nobody waits for it. */
export const recordUses: GroupStatement<KeyId, void> = {
  name: 'record key uses',
  itemsMax: 2_048,
  waitingMax: 20_000,
  gatherMs: 1_000,
  async run(sql, items) {
    await sql.query(
      `insert into key_use (key_id, used_at)
       select distinct id, clock_timestamp() from unnest($1::bigint[]) as id order by id
       on conflict (key_id) do update set used_at = excluded.used_at`,
      [items],
      'record-key-uses',
    );
    return items.map(() => undefined);
  },
};
