import type { Channel } from '@zhiber/contract/api/channel.ts';
import { accountLocks } from '../billing/ledger-store.ts';
import type { GroupStatement } from '../db/group-commit.ts';
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
  /** The attempt that stands: the accepted one, or the last. */
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
   * False when it was settled before: by another worker, or by this one before an answer got lost.
   */
  isMoved: boolean;
  state: 'sent' | 'failed' | 'unknown';
  charged: number;
  balance: number;
};

const SQL = `select moved, state, charged, balance
  from settle($1, $2, $3::text[]::message_state[], $4::text[]::channel[], $5, $6, $7, $8, $9, $10, $11)`;

/** Captures or releases the holds of many sends and records what came of them, in one statement. */
export const settle: GroupStatement<Settlement, Settled> = {
  name: 'settle',
  locks: accountLocks,
  itemsMax: 512,
  waitingMax: 8_192,
  async run(sql, items) {
    const column = <T>(read: (item: Settlement) => T) => items.map(read);
    const attempts = items.flatMap(attemptRows);
    const rows = await sql.query<{
      moved: boolean;
      state: Settled['state'];
      charged: number;
      balance: number;
    }>(
      SQL,
      [
        column((item) => item.companyId),
        column((item) => item.id),
        column((item) => item.state),
        column((item) => item.channel),
        column((item) => item.price),
        column((item) => item.providerId),
        column((item) => item.reason),
        column((item) => item.route),
        column((item) => Math.max(item.attempts.length, 1)),
        attempts.length > 0 ? JSON.stringify(attempts) : null,
        newId(Date.now()),
      ],
      'settle',
    );
    return rows.map(({ moved, state, charged, balance }) => ({
      isMoved: moved,
      state,
      charged,
      balance,
    }));
  },
};

/** A single attempt is recorded by the message itself. */
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
