/**
 * A bank transfer by invoice. There is nothing to scan: the payer's accountant copies the account and
 * the reference. The operator confirms by the bank statement, and sends refunds by hand.
 */
import type { PaymentProvider } from './payment.ts';

/** An invoice waits for a signature, a working day, a salary round. */
const LIFETIME_SECONDS = 30 * 24 * 3600;

/** Undefined while the seller has no bank account to pay to. */
export function openTransfer(seller: { iban?: string | undefined }): PaymentProvider | undefined {
  if (seller.iban === undefined) return undefined;
  return {
    name: 'transfer',
    confirmation: 'operator',
    lifetimeSeconds: LIFETIME_SECONDS,
    create: async ({ reference }) => ({
      result: 'created',
      providerId: reference,
      qr: undefined,
      payUrl: undefined,
    }),
  };
}
