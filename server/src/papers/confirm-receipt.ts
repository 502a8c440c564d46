import type { Context } from '../context.ts';
import { readReceiptCode } from './receipt-code.ts';
import { findReceiptByNumber } from './receipt-store.ts';
import { readSeller } from './seller.ts';

/** What a genuine receipt says to whoever holds it. */
export type ConfirmedReceipt = {
  number: number;
  amount: number;
  refunded: number;
  paidAt: Date;
  seller: string;
  /** Masked: the holder can compare it with the paper, and nobody learns it from here. */
  payer: string;
  isSample: boolean;
};

/** Undefined for a code that no paper of ours has. */
export async function confirmReceipt(
  ctx: Pick<Context, 'db' | 'config' | 'channels' | 'secrets'>,
  code: string,
): Promise<ConfirmedReceipt | undefined> {
  const number = readReceiptCode(ctx.secrets, code);
  const receipt = number === undefined ? undefined : await findReceiptByNumber(ctx.db, number);
  if (receipt === undefined) return undefined;
  const seller = readSeller(ctx);
  return {
    number: receipt.number,
    amount: receipt.amount,
    refunded: receipt.refunded,
    paidAt: receipt.paid_at,
    seller: seller.name,
    payer: maskName(receipt.payer_name ?? receipt.company_name),
    isSample: seller.isSample,
  };
}

/** `ТОО «Ромашка Плюс»` → `ТОО «Ро… Пл…»`: words of more than three letters keep two of them. */
export function maskName(name: string): string {
  return name.replaceAll(/\p{L}{4,}|\d{4,}/gu, (word) => `${[...word].slice(0, 2).join('')}…`);
}
