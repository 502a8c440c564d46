import type { RefusedSend } from '../context.ts';
import type { Sql } from '../db/group-commit.ts';
import { newId } from '../ids.ts';

const REASON = 'База данных была недоступна';

/** Makes sends free; false for one whose fallback is under way, which has to end first. */
export async function refuseSends(sql: Sql, sends: readonly RefusedSend[]): Promise<boolean[]> {
  const column = <T>(read: (send: RefusedSend) => T) => sends.map(read);
  const rows = await sql.query<{ is_done: boolean }>(
    `select is_done from refuse_sends(p_company => $1, p_id => $2, p_key => $3,
       p_kind => $4::text[]::message_kind[], p_is_test => $5, p_recipient => $6, p_request => $7,
       p_has_left => $8, p_reason => $9, p_cause => $10)`,
    [
      column((send) => send.companyId),
      column((send) => send.id),
      column((send) => send.keyId),
      column((send) => send.kind),
      column((send) => send.isTest),
      column((send) => send.recipient),
      column((send) => send.requestId),
      column((send) => send.hasLeft),
      REASON,
      newId(Date.now()),
    ],
    'refuse-sends',
  );
  return rows.map((row) => row.is_done);
}
