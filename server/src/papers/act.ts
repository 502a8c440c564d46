import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Month } from './month.ts';
import type { BalanceRow } from './paper-texts.ts';
import type { Seller } from './seller.ts';

/** Messages of one channel at one price. */
export type ActLine = { channel: Channel; count: number; price: number; amount: number };

/** The whole content of an act, as it is stored. Times are ISO text. */
export type Act = {
  number: number;
  month: Month;
  /** The month: from its first instant to the first of the next. */
  from: string;
  to: string;
  seller: Seller;
  buyer: { name: string; businessId: string | null };
  /** Empty when the messages of the month were already removed. */
  lines: ActLine[];
  /** What the ledger has charged beside the lines. */
  adjustment: number;
  /** What the ledger has charged in the month: the lines and the adjustment. */
  total: number;
  /** Charged messages, by the ledger. */
  messages: number;
  isFromLedger: boolean;
  balance: { opening: number; moves: Partial<Record<BalanceRow, number>>; closing: number };
};

/** The last day of its month. */
export function dateOfAct({ to }: Act): Date {
  return new Date(Date.parse(to) - 1);
}
