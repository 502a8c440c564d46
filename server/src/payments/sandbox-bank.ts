/**
 * The bank of the sandbox, so that top-ups can be tried without money. It behaves like a provider:
 * an order has a QR and an address that opens the bank, the bank sends signed notices over HTTP, can
 * be asked, and sends money back. `sandbox-bank-app.ts` is its other side, the app of the payer.
 *
 * A notice is a JSON object, signed with HMAC-SHA256 over the raw body:
 *   X-Bank-Signature: sha256=HEX
 *   {"reference", "result", "payment_id", "amount", "currency", "paid_at", "refunded"}
 */
import type { Clock } from '../clock.ts';
import type { Sql } from '../db/sql.ts';
import { readObject } from '../json-object.ts';
import type { Secrets } from '../secrets.ts';
import { isSameSecret } from '../token.ts';
import type { NoticeRequest, PaymentNotice, PaymentProvider, PaymentStatus } from './payment.ts';
import {
  findBankOrder,
  findBankPayments,
  insertBankOrder,
  refundBankPayment,
} from './sandbox-bank-store.ts';

export type SandboxBankDeps = {
  db: Sql;
  clock: Clock;
  secrets: Pick<Secrets, 'macOfBankNotice'>;
  /** The address of this service; known once it listens. */
  publicUrl(): string;
};

export const SIGNATURE_HEADER = 'x-bank-signature';
const LIFETIME_SECONDS = 20 * 60;
/** A cancelled order shows it soon: there is no notice that ends an order. */
const CHECK_AFTER_SECONDS = 5;
const RESULTS = ['paid', 'failed', 'refunded'] as const;
export type NoticeResult = (typeof RESULTS)[number];

export function openSandboxBank({
  db,
  clock,
  secrets,
  publicUrl,
}: SandboxBankDeps): PaymentProvider {
  return {
    name: 'sandbox-bank',
    confirmation: 'notice',
    lifetimeSeconds: LIFETIME_SECONDS,
    async create({ reference, amount, description }) {
      const expiresAt = new Date(clock.now().getTime() + LIFETIME_SECONDS * 1000);
      await insertBankOrder(db, { reference, amount, description, expires_at: expiresAt });
      const address = `${publicUrl()}${bankPath(reference)}`;
      return {
        result: 'created',
        providerId: reference,
        qr: address,
        payUrl: address,
        expiresAt,
        checkAfterSeconds: CHECK_AFTER_SECONDS,
      };
    },
    readStatus: ({ reference }) => readStatus({ db, clock }, reference),
    readNotice: (request) => readNotice(request, secrets),
    async refund({ refundId, paymentId, amount }) {
      return (await refundBankPayment(db, { paymentId, refundId, amount }))
        ? { result: 'done', providerRefundId: refundId }
        : { result: 'refused', reason: 'Банк песочницы не нашёл такой суммы к возврату' };
    },
  };
}

/** The page that plays the bank's app. */
export function bankPath(reference: string): string {
  return `/sandbox/bank/${reference}`;
}

export function signatureOf(body: Buffer, secrets: SandboxBankDeps['secrets']): string {
  return `sha256=${secrets.macOfBankNotice(body).toString('hex')}`;
}

async function readStatus(
  { db, clock }: Pick<SandboxBankDeps, 'db' | 'clock'>,
  reference: string,
): Promise<PaymentStatus> {
  const order = await findBankOrder(db, reference);
  if (order === undefined) return { state: 'unclear', reason: 'Банк песочницы не знает заказа' };
  const payments = await findBankPayments(db, reference);
  if (payments.length > 0) {
    return {
      state: 'paid',
      payments: payments.map(({ id, amount, paid_at, refunded }) => ({
        paymentId: id,
        amount,
        currency: 'KZT',
        paidAt: paid_at,
        refunded,
      })),
    };
  }
  if (order.cancelled_at !== null) return { state: 'cancelled' };
  return order.expires_at <= clock.now()
    ? { state: 'expired' }
    : { state: 'waiting', checkAfterSeconds: CHECK_AFTER_SECONDS };
}

function readNotice(
  { headers, body }: NoticeRequest,
  secrets: SandboxBankDeps['secrets'],
): PaymentNotice | undefined {
  if (!isSameSecret(headers[SIGNATURE_HEADER], signatureOf(body, secrets))) return undefined;
  const { reference, payment_id, amount, currency, paid_at, refunded, ...rest } =
    readObject(body.toString()) ?? {};
  const result = RESULTS.find((one) => one === rest.result);
  if (result === undefined || typeof reference !== 'string') return undefined;
  if (typeof payment_id !== 'string' || typeof currency !== 'string') return undefined;
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(refunded)) return undefined;
  const paidAt = new Date(String(paid_at));
  return {
    reference,
    result,
    payment: {
      paymentId: payment_id,
      amount: amount as number,
      currency,
      paidAt: Number.isNaN(paidAt.getTime()) ? undefined : paidAt,
      refunded: refunded as number,
    },
    answers: {
      stored: { contentType: 'application/json', body: '{"ok":true}' },
      failed: { contentType: 'application/json', body: '{"ok":false}' },
    },
  };
}
