import type { RefusedSend } from '../context.ts';
import { callFunction } from '../db/call-function.ts';
import type { Sql } from '../db/sql.ts';
import { newId } from '../ids.ts';

const REASON = 'База данных была недоступна';

const REFUSE_SENDS = {
  name: 'refuse_sends',
  columns: 'is_done',
  casts: { p_kind: '::text[]::message_kind[]' },
};

/**
 * Releases the holds and refunds the charges of failed sends. False for a send whose fallback is
 * under way: that has to end first.
 */
export async function refuseSends(sql: Sql, sends: readonly RefusedSend[]): Promise<boolean[]> {
  const column = <T>(read: (send: RefusedSend) => T) => sends.map(read);
  const rows = await callFunction<{ is_done: boolean }>(sql, REFUSE_SENDS, {
    p_company: column((send) => send.companyId),
    p_id: column((send) => send.id),
    p_key: column((send) => send.keyId),
    p_kind: column((send) => send.kind),
    p_is_test: column((send) => send.isTest),
    p_recipient: column((send) => send.recipient),
    p_request: column((send) => send.requestId),
    p_has_left: column((send) => send.hasLeft),
    p_reason: REASON,
    p_cause: newId(Date.now()),
  });
  return rows.map((row) => row.is_done);
}
