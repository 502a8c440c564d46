import assert from 'node:assert/strict';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  approveBroadcast,
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  startBroadcast,
} from '../../src/broadcasts/run/control-broadcast.ts';
import { createRunner } from '../../src/broadcasts/run/run-broadcasts.ts';
import { tickBroadcast } from '../../src/broadcasts/run/tick-broadcasts.ts';
import type { Context } from '../../src/context.ts';
import { type BroadcastId, type CompanyId, newId, type PersonId } from '../../src/ids.ts';
import type { RunSql } from '../harness.ts';

export const AUTHOR = { person: { id: 'author' as PersonId, name: 'Автор' } };

export type DraftOptions = {
  channels?: readonly Channel[];
  text?: string;
  url?: string;
  spreadMinutes?: number;
  startAt?: Date;
  /** By default none, so that tests run at any hour. */
  quiet?: { from: number; to: number; skipsDaysOff: boolean };
};

/** Makes broadcasts directly in the database, and runs them step by step. */
export function createBroadcastRig(ctx: () => Context, sql: RunSql) {
  const draft = async (
    companyId: CompanyId,
    phones: readonly string[],
    options: DraftOptions = {},
  ): Promise<BroadcastId> => {
    const id = newId(Date.now()) as unknown as BroadcastId;
    const { quiet = { from: 0, to: 0, skipsDaysOff: false } } = options;
    await sql(
      `insert into person (id, name) values ('author', 'Автор'), ('other', 'Другой') on conflict do nothing`,
    );
    await sql(
      `insert into broadcast (id, company_id, name, created_by, columns, phone_column, rows_state, rows_count, text, url,
         channels, spread_minutes, start_at, quiet_from, quiet_to, skips_days_off, consent_basis)
       values ($1, $2, 'Скидки', 'author', '{Телефон}', 1, 'checked', $3, $4, $5, $6, $7, $8, $9, $10, $11, 'form')`,
      [
        id,
        companyId,
        phones.length,
        options.text ?? 'Скидка 20 % до пятницы',
        options.url ?? null,
        options.channels ?? ['sms'],
        options.spreadMinutes ?? null,
        options.startAt ?? null,
        quiet.from,
        quiet.to,
        quiet.skipsDaysOff,
      ],
    );
    await sql(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       select $1, n, $2, array[phone], substr(phone, 2)::bigint, 'send'
       from unnest($3::text[]) with ordinality as i(phone, n)`,
      [id, companyId, phones],
    );
    return id;
  };

  const read = async (id: BroadcastId) => {
    const rows = await sql<{
      company_id: CompanyId;
      state: string;
      version: number;
      held: number;
      pause_reason: string | null;
      pause_detail: string | null;
      resume_at: Date | null;
      started_at: Date | null;
      ended_at: Date | null;
    }>('select * from broadcast where id = $1', [id]);
    assert(rows[0] !== undefined);
    return rows[0];
  };

  /** What a page shows of a draft, and sends with its button. */
  const shown = async (id: BroadcastId) => {
    const { company_id: companyId, version } = await read(id);
    const [row] = await sql<{ count: number }>(
      `select count(*)::integer as count from broadcast_row where broadcast_id = $1 and verdict = 'send'`,
      [id],
    );
    return { companyId, id, version, recipients: row?.count ?? 0 };
  };
  const start = async (id: BroadcastId) => startBroadcast(ctx(), AUTHOR, await shown(id));
  const target = async (id: BroadcastId) => ({ companyId: (await read(id)).company_id, id });

  return {
    draft,
    read,
    start,
    tick: (id: BroadcastId) => tickBroadcast(ctx(), id),
    approve: async (id: BroadcastId, by: string) =>
      approveBroadcast(ctx(), { person: { id: by as PersonId, name: by } }, await shown(id)),
    pause: async (id: BroadcastId) => pauseBroadcast(ctx(), AUTHOR, await target(id)),
    resume: async (id: BroadcastId) => resumeBroadcast(ctx(), AUTHOR, await target(id)),
    cancel: async (id: BroadcastId, name = 'Скидки') =>
      cancelBroadcast(ctx(), AUTHOR, { ...(await target(id)), name }),
    /** Sends all that can be sent now, and waits for it. */
    async sendAll() {
      const runner = createRunner(ctx());
      while (await runner.runOnce());
      await runner.idle();
      // Once more with the tokens that the first messages have freed.
      while (await runner.runOnce());
      await runner.idle();
    },
    /** How many recipients are in which state, by the database alone. */
    async outcomes(id: BroadcastId): Promise<Record<string, number>> {
      const rows = await sql<{ outcome: string; count: number }>(
        `select coalesce(w.skipped, m.state::text, 'waiting') as outcome, count(*) as count
         from broadcast_row w left join message m on m.company_id = w.company_id and m.id = w.message_id
         where w.broadcast_id = $1 and w.verdict = 'send' group by 1 order by 1`,
        [id],
      );
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
    },
  };
}
