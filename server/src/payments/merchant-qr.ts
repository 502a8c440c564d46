/**
 * The static QR of a merchant: the payer types the amount and the reference. The bank tells nobody
 * but the account's owner, so the operator confirms by the statement, and sends refunds by hand.
 */
import type { PaymentProvider } from './payment.ts';

export type MerchantQrSettings = {
  /** What the QR encodes, usually an address of the bank. */
  qr: string;
};

/** A QR is paid at once, but the statement may come the next day. */
const LIFETIME_SECONDS = 24 * 3600;

export function openMerchantQr({ qr }: MerchantQrSettings): PaymentProvider {
  const payUrl = /^https:\/\//i.test(qr) ? qr : undefined;
  return {
    name: 'merchant-qr',
    confirmation: 'operator',
    lifetimeSeconds: LIFETIME_SECONDS,
    create: async ({ reference }) => ({ result: 'created', providerId: reference, qr, payUrl }),
  };
}
