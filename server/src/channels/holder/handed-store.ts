import type { GroupStatement } from '../../db/group-commit.ts';
import type { Sql } from '../../db/sql.ts';
import type { Outcome } from '../channel.ts';

export type HandedMessage = {
  id: string;
  provider: string;
  sealed: Buffer;
  takeSeconds: number;
};

/** Puts messages where the holder of the provider finds them. */
export const handMessages: GroupStatement<HandedMessage, void> = {
  name: 'hand-messages',
  itemsMax: 256,
  waitingMax: 4_096,
  async run(sql, items) {
    await sql.query(
      `insert into handed_message (id, provider, sealed, take_until)
       select i.id, i.provider, i.sealed, clock_timestamp() + make_interval(secs => i.seconds)
       from unnest($1::uuid[], $2::text[], $3::bytea[], $4::double precision[]) as i(id, provider, sealed, seconds)`,
      [
        items.map(({ id }) => id),
        items.map(({ provider }) => provider),
        items.map(({ sealed }) => sealed),
        items.map(({ takeSeconds }) => takeSeconds),
      ],
      'hand-messages',
    );
    return items.map(() => undefined);
  },
};

/** Takes the oldest messages that nobody has taken yet. */
export async function takeHanded(
  sql: Sql,
  { provider, node, max }: { provider: string; node: string; max: number },
): Promise<Pick<HandedMessage, 'id' | 'sealed'>[]> {
  return await sql.query(
    `update handed_message set taken_by = $2
     where id in (
       select id from handed_message
       where provider = $1 and taken_by is null and take_until > clock_timestamp()
       order by take_until limit $3 for update skip locked)
     returning id, sealed`,
    [provider, node, max],
    'take-handed',
  );
}

/** Stores outcomes. True for a message that nobody waits for any more. */
export const answerHanded: GroupStatement<{ id: string; outcome: Outcome }, boolean> = {
  name: 'answer-handed',
  itemsMax: 256,
  waitingMax: 4_096,
  async run(sql, items) {
    const rows = await sql.query<{ id: string; is_given_up: boolean }>(
      `update handed_message h set outcome = i.outcome
       from unnest($1::uuid[], $2::jsonb[]) as i(id, outcome) where h.id = i.id
       returning h.id, h.is_given_up`,
      [items.map(({ id }) => id), items.map(({ outcome }) => JSON.stringify(outcome))],
      'answer-handed',
    );
    const awaited = new Set(rows.filter((row) => !row.is_given_up).map(({ id }) => id));
    return items.map(({ id }) => !awaited.has(id));
  },
};

/** Removes the messages that have their outcome, and returns them. */
export async function collectOutcomes(
  sql: Sql,
  ids: readonly string[],
): Promise<{ id: string; outcome: Outcome }[]> {
  return await sql.query(
    'delete from handed_message where id = any ($1) and outcome is not null returning id, outcome',
    [ids],
    'collect-outcomes',
  );
}

/** Removes a message that nobody has taken. False when the holder has it, or its outcome is there. */
export async function withdrawHanded(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query(
    'delete from handed_message where id = $1 and taken_by is null returning id',
    [id],
    'withdraw-handed',
  );
  return rows.length === 1;
}

/** Tells the holder that its outcome comes too late. False when it is there. */
export async function giveUpHanded(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query(
    'update handed_message set is_given_up = true where id = $1 and outcome is null returning id',
    [id],
    'give-up-handed',
  );
  return rows.length === 1;
}

/** Removes what nodes have left behind that died. */
export async function removeOldHanded(sql: Sql, provider: string): Promise<void> {
  await sql.query(
    `delete from handed_message where provider = $1 and take_until < clock_timestamp() - interval '1 minute'`,
    [provider],
    'remove-old-handed',
  );
}
