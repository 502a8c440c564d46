import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  PHONE_OTHERS_MAX,
  PHONE_OTHERS_PER_DAY_MAX,
  PHONE_OTHERS_SECONDS,
} from '@zhiber/contract/api/limits.ts';
import { accountLocks } from '../billing/ledger-store.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from '../ids.ts';

/**
 * At most so many sends to one recipient in a gap, in an hour and in a day; null means no such
 * limit.
 */
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
  /** In the order in which they are tried. */
  route: readonly Channel[];
  prices: readonly number[];
  requestId: string;
  lookSeconds: number;
  body: string | null;
  /** Null for recipients to whom no limit applies. */
  limits: SendLimits | null;
  /** Made by the batch: many macs and seals in a row cost half of as many here and there. */
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
  | { verdict: 'too_soon' | 'too_many'; waitSeconds: number };

type Row = {
  verdict: Reserved['verdict'];
  held: number;
  available: number | null;
  wait_seconds: number | null;
};

const SQL = `select verdict, held, available, wait_seconds from reserve(
  $1, $2, $3, $4::text[]::message_kind[], $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
  $20, $21, $22, $23, $24, $25, $26)`;

/** The limits, the hold, the message, the code and the link of many sends, in one statement. */
export const reserve: GroupStatement<Reservation, Reserved> = {
  name: 'reserve',
  locks: accountLocks,
  itemsMax: 512,
  waitingMax: 4_096,
  async run(sql, items) {
    const column = <T>(read: (item: Reservation) => T) => items.map(read);
    const rows = await sql.query<Row>(
      SQL,
      [
        column((item) => item.id),
        column((item) => item.companyId),
        column((item) => item.keyId),
        column((item) => item.kind),
        column((item) => item.isTest),
        column((item) => item.recipient),
        column((item) => item.prices.join(',')),
        column((item) => Math.max(...item.prices)),
        column((item) => item.requestId),
        column((item) => item.lookSeconds),
        column((item) => item.body),
        column((item) => item.limits?.gap?.seconds ?? null),
        column((item) => item.limits?.gap?.max ?? null),
        column((item) => item.limits?.hourMax ?? null),
        column((item) => item.limits?.dayMax ?? null),
        column((item) => item.code?.purpose ?? null),
        column((item) => item.code?.mac() ?? null),
        column((item) => item.code?.sealed?.() ?? null),
        column((item) => item.code?.ttlSeconds ?? null),
        column((item) => item.link?.slug ?? null),
        column((item) => item.link?.url ?? null),
        column((item) => item.link?.ttlSeconds ?? null),
        column((item) => item.route.join(',')),
        PHONE_OTHERS_SECONDS,
        PHONE_OTHERS_MAX,
        PHONE_OTHERS_PER_DAY_MAX,
      ],
      'reserve',
    );
    return rows.map(toReserved);
  },
};

function toReserved(row: Row): Reserved {
  switch (row.verdict) {
    case 'reserved':
      return { verdict: 'reserved', held: row.held };
    case 'short':
      return { verdict: 'short', available: row.available ?? 0 };
    case 'too_soon':
    case 'too_many':
      return { verdict: row.verdict, waitSeconds: row.wait_seconds ?? 1 };
  }
}
