import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  PHONE_OTHERS_MAX,
  PHONE_OTHERS_PER_DAY_MAX,
  PHONE_OTHERS_SECONDS,
  WRONG_IN_ROW_MAX,
  WRONG_PER_HOUR_MAX,
} from '@zhiber/contract/api/limits.ts';
import { accountLocks } from '../billing/ledger-store.ts';
import { callFunction } from '../db/call-function.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from '../ids.ts';

/** The maximum of sends to one recipient per gap, per hour and per day; null means no limit. */
export type SendLimits = {
  gap: { seconds: number; max: number } | null;
  hourMax: number | null;
  dayMax: number | null;
};

export type Reservation = {
  id: MessageId;
  companyId: CompanyId;
  keyId: KeyId;
  kind: MessageKind;
  isTest: boolean;
  /** E.164 digits, or the id of the group. */
  recipient: string;
  /** In the order they are tried. */
  route: readonly Channel[];
  prices: readonly number[];
  requestId: string;
  checkSeconds: number;
  body: string | null;
  /** Null for recipients to whom no limit applies. */
  limits: SendLimits | null;
  /** Functions, so that the batch computes them in a row, which halves their cost. */
  code: {
    purpose: string;
    mac(): Buffer;
    sealed: (() => Buffer) | null;
    ttlSeconds: number;
  } | null;
  link: { slug: string; url: string; ttlSeconds: number } | null;
};

export type Reserved =
  | { verdict: 'reserved'; held: number }
  | { verdict: 'short'; available: number }
  /** The key may spend no more this month. */
  | { verdict: 'capped'; waitSeconds: number }
  /** `locked`: no guess at a code is possible, so none is sent. */
  | { verdict: 'too_soon' | 'too_many' | 'locked'; waitSeconds: number };

type Row = {
  verdict: Reserved['verdict'];
  held: number;
  available: number | null;
  wait_seconds: number | null;
};

const RESERVE = {
  name: 'reserve',
  columns: 'verdict, held, available, wait_seconds',
  casts: { p_kind: '::text[]::message_kind[]' },
};

/**
 * Checks the limits, takes the holds and inserts messages, codes and links of a batch, in one
 * statement.
 */
export const reserve: GroupStatement<Reservation, Reserved> = {
  name: 'reserve',
  locks: accountLocks,
  itemsMax: 512,
  waitingMax: 4_096,
  async run(sql, items) {
    const column = <T>(read: (item: Reservation) => T) => items.map(read);
    const rows = await callFunction<Row>(sql, RESERVE, {
      p_id: column((item) => item.id),
      p_company: column((item) => item.companyId),
      p_key: column((item) => item.keyId),
      p_kind: column((item) => item.kind),
      p_is_test: column((item) => item.isTest),
      p_recipient: column((item) => item.recipient),
      p_route: column((item) => item.route.join(',')),
      p_prices: column((item) => item.prices.join(',')),
      p_dearest: column((item) => Math.max(...item.prices)),
      p_request: column((item) => item.requestId),
      p_check_seconds: column((item) => item.checkSeconds),
      p_body: column((item) => item.body),
      p_gap_seconds: column((item) => item.limits?.gap?.seconds ?? null),
      p_gap_max: column((item) => item.limits?.gap?.max ?? null),
      p_hour_max: column((item) => item.limits?.hourMax ?? null),
      p_day_max: column((item) => item.limits?.dayMax ?? null),
      p_purpose: column((item) => item.code?.purpose ?? null),
      p_mac: column((item) => item.code?.mac() ?? null),
      p_sealed: column((item) => item.code?.sealed?.() ?? null),
      p_ttl_seconds: column((item) => item.code?.ttlSeconds ?? null),
      p_slug: column((item) => item.link?.slug ?? null),
      p_url: column((item) => item.link?.url ?? null),
      p_link_ttl_seconds: column((item) => item.link?.ttlSeconds ?? null),
      p_others_seconds: PHONE_OTHERS_SECONDS,
      p_others_max: PHONE_OTHERS_MAX,
      p_others_day_max: PHONE_OTHERS_PER_DAY_MAX,
      p_wrong_per_hour: WRONG_PER_HOUR_MAX,
      p_wrong_in_row: WRONG_IN_ROW_MAX,
    });
    return rows.map(toReserved);
  },
};

function toReserved(row: Row): Reserved {
  switch (row.verdict) {
    case 'reserved':
      return { verdict: 'reserved', held: row.held };
    case 'short':
      return { verdict: 'short', available: row.available ?? 0 };
    case 'capped':
    case 'too_soon':
    case 'too_many':
    case 'locked':
      return { verdict: row.verdict, waitSeconds: row.wait_seconds ?? 1 };
  }
}
