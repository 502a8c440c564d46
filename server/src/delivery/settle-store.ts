import type { Channel } from '@zhiber/contract/api/channel.ts';
import { accountLocks } from '../billing/ledger-store.ts';
import { callFunction, type SchemaFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, type MessageId, newId } from '../ids.ts';

export type AttemptState = 'accepted' | 'refused' | 'unavailable' | 'unknown';

export type SettledAttempt = {
  channel: Channel;
  state: AttemptState;
  reason: string | null;
  providerId: string | null;
  price: number;
  startedSecondsAgo: number;
  settledSecondsAgo: number;
};

export type Settlement = {
  companyId: CompanyId;
  id: MessageId;
  state: 'sent' | 'failed' | 'unknown';
  /** Of the accepted attempt, or of the last one. */
  channel: Channel | null;
  price: number;
  providerId: string | null;
  reason: string | null;
  /** Channels left for a later fallback. */
  route: string;
  attempts: readonly SettledAttempt[];
};

export type Settled = {
  /**
   * False when it was already settled: by another worker, or by this one when an answer got lost.
   */
  isMoved: boolean;
  state: 'sent' | 'failed' | 'unknown';
  charged: number;
  balance: number;
};

const SETTLE = {
  name: 'settle',
  columns: 'moved, state, charged, balance',
  casts: { p_state: '::text[]::message_state[]', p_channel: '::text[]::channel[]' },
};

/** Captures or releases the holds of a batch of sends and records outcomes, in one statement. */
export const settle: GroupStatement<Settlement, Settled> = {
  name: 'settle',
  locks: accountLocks,
  itemsMax: 512,
  waitingMax: 8_192,
  run: (sql, items) => settleAll(sql, items, SETTLE),
};

/**
 * The same for messages of broadcasts. Nobody waits for the answer, so fewer commits and none that
 * waits for the disk leave more to the codes.
 */
export const settleBulk: GroupStatement<Settlement, Settled> = {
  ...settle,
  name: 'settle-bulk',
  gatherMs: 50,
  run: (sql, items) => settleAll(sql, items, { ...SETTLE, name: 'settle_bulk' }),
};

async function settleAll(
  sql: Sql,
  items: readonly Settlement[],
  settleFunction: SchemaFunction,
): Promise<Settled[]> {
  const column = <T>(read: (item: Settlement) => T) => items.map(read);
  const attempts = items.flatMap(attemptRows);
  const rows = await callFunction<Omit<Settled, 'isMoved'> & { moved: boolean }>(
    sql,
    settleFunction,
    {
      p_company: column((item) => item.companyId),
      p_id: column((item) => item.id),
      p_state: column((item) => item.state),
      p_channel: column((item) => item.channel),
      p_price: column((item) => item.price),
      p_provider_id: column((item) => item.providerId),
      p_reason: column((item) => item.reason),
      p_route: column((item) => item.route),
      p_attempt: column((item) => Math.max(item.attempts.length, 1)),
      p_attempts: attempts.length > 0 ? JSON.stringify(attempts) : null,
      p_cause: newId(Date.now()),
    },
  );
  return rows.map(({ moved, state, charged, balance }) => ({
    isMoved: moved,
    state,
    charged,
    balance,
  }));
}

/** A send with a single attempt has no attempt row: the message records it. */
function attemptRows(item: Settlement) {
  if (item.attempts.length < 2) return [];
  return item.attempts.map((attempt, index) => ({
    company_id: item.companyId,
    message_id: item.id,
    number: index + 1,
    channel: attempt.channel,
    state: attempt.state,
    reason: attempt.reason,
    provider_id: attempt.providerId,
    price: attempt.price,
    started_ago: attempt.startedSecondsAgo,
    settled_ago: attempt.settledSecondsAgo,
  }));
}
