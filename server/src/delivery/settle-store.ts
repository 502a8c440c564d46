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

/** A send whose caller was told of a failure, while nobody knew what had been written about it. */
export type Disowned = {
  companyId: CompanyId;
  id: MessageId;
  /** Whether a channel has or may have taken it; if not, the phone gets its minute back. */
  hasLeft: boolean;
};

const REASON = 'База данных была недоступна';
const IS_FALLING_BACK = `(m.hold > 0 or exists (select 1 from attempt a where a.company_id = m.company_id
  and a.message_id = m.id and a.number = m.attempt and a.state = 'sending'))`;

/**
 * Makes disowned sends free: a hold is released, and a charge that was committed all the same is
 * given back. One that is not there, or was made free before, is left as it is. False for one whose
 * fallback is under way: that has to end first.
 */
export const settleDisowned: GroupStatement<Disowned, boolean> = {
  name: 'settle disowned',
  itemsMax: 512,
  waitingMax: 100_000,
  // Nobody waits for it.
  gatherMs: 100,
  async run(sql, items) {
    await settle.run(sql, items.map(toFreeSettlement));
    await sql.query(
      `with charged as (
         select m.company_id, m.id, m.charged from unnest($1::bigint[], $2::uuid[]) as i(company, id)
         join message m on m.company_id = i.company and m.id = i.id
         where m.state = 'sent' and m.charged > 0 and not ${IS_FALLING_BACK}
         order by m.company_id, m.id for update of m
       ), freed as (
         update message m set charged = 0, state = 'unknown', route = '', reason = $3
         from charged c where m.company_id = c.company_id and m.id = c.id
         returning c.company_id, c.charged
       ), sums as (
         select f.company_id, sum(f.charged) as charged, count(*) as n from freed f group by f.company_id
       ), repaid as (
         update account a set balance = a.balance + s.charged
         from sums s where a.company_id = s.company_id
         returning a.company_id, a.balance, s.charged, s.n
       )
       insert into entry (company_id, kind, cause, amount, messages, balance_after, created_at)
       select r.company_id, 'charge_moved', $4, r.charged, -r.n, r.balance, clock_timestamp()
       from repaid r`,
      [
        items.map((item) => item.companyId),
        items.map((item) => item.id),
        REASON,
        newId(Date.now()),
      ],
      'free-disowned',
    );
    const rows = await sql.query<{ is_free: boolean }>(
      `select not coalesce(${IS_FALLING_BACK}, false) as is_free
       from unnest($1::bigint[], $2::uuid[]) with ordinality as i(company, id, n)
       left join message m on m.company_id = i.company and m.id = i.id
       order by i.n`,
      [items.map((item) => item.companyId), items.map((item) => item.id)],
      'find-free-disowned',
    );
    return rows.map((row) => row.is_free);
  },
};

function toFreeSettlement({ companyId, id, hasLeft }: Disowned): Settlement {
  return {
    companyId,
    id,
    state: hasLeft ? 'unknown' : 'failed',
    channel: null,
    price: 0,
    providerId: null,
    reason: REASON,
    route: '',
    attempts: [],
  };
}

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
