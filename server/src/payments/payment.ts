import type { IncomingHttpHeaders } from 'node:http';
import { PAYMENT_PROVIDERS } from '@zhiber/contract/cabinet/topups.ts';
import type { CircuitState } from '../runtime/circuit.ts';

export { PAYMENT_PROVIDERS };
export type PaymentProviderName = (typeof PAYMENT_PROVIDERS)[number];

/**
 * One way to pay: a small file that implements the protocol of its provider. Every call is bounded
 * by the signal, answers with an outcome, and never exposes a credential.
 */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  /**
   * How a payment becomes known: the provider reports it, has to be asked, or the operator confirms
   * it by the bank statement.
   */
  readonly confirmation: 'notice' | 'poll' | 'operator';
  /** How long an order can be paid. */
  readonly lifetimeSeconds: number;
  create(order: OrderToPay, signal: AbortSignal): Promise<Created>;
  /** Absent where only the bank statement tells. */
  readStatus?(order: PaidOrder, signal: AbortSignal): Promise<PaymentStatus>;
  /** Reads a notice. Undefined when it does not come from the provider. */
  readNotice?(request: NoticeRequest): PaymentNotice | undefined;
  /**
   * Only where the provider asks for pauses between calls: waits until `readStatus` or `refund` may
   * be called. Nobody waits before `create`, because a person waits for that.
   */
  waitForTurn?(signal: AbortSignal): Promise<void>;
  /** Absent where money is sent back by hand. */
  refund?(refund: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>;
  /**
   * For `zhiber doctor`: whether the provider answers and takes our credentials, by a question that
   * changes nothing. Absent where nobody can be asked.
   */
  check?(signal: AbortSignal): Promise<PaymentCheck>;
  /** The state of its circuit breaker in this process; absent where it has none. */
  circuit?(): CircuitState;
  close?(): Promise<void>;
};

/** `detail` is one English sentence for the operator; never a credential. */
export type PaymentCheck = { ok: boolean; detail: string };

/** What the payer is asked for. The reference identifies the order at the provider. */
export type OrderToPay = {
  reference: string;
  amount: number;
  description: string;
  language: 'ru' | 'kk' | 'en';
};

export type Created =
  | {
      result: 'created';
      providerId: string;
      /** What the QR encodes; undefined when there is nothing to scan. */
      qr: string | undefined;
      /** Opens the payer's bank on a phone. */
      payUrl: string | undefined;
      /** Where the provider sets it; otherwise by the lifetime. */
      expiresAt?: Date | undefined;
      checkAfterSeconds?: number | undefined;
    }
  /** The provider did not answer, or its answer made no sense. */
  | { result: 'unavailable'; reason: string }
  | { result: 'refused'; reason: string };

export type PaidOrder = { reference: string; providerId: string };

/** Money that the provider says has arrived. */
export type ReportedPayment = {
  paymentId: string;
  amount: number;
  /** ISO 4217. Anything but KZT is left to the operator. */
  currency: string;
  paidAt: Date | undefined;
  /** What the provider has sent back of it, all refunds together. */
  refunded: number;
};

export type PaymentStatus =
  | { state: 'waiting'; checkAfterSeconds?: number | undefined }
  /**
   * With a time while the order can still be paid once more: it is asked about again then, although
   * it is paid.
   */
  | {
      state: 'paid';
      payments: readonly ReportedPayment[];
      checkAfterSeconds?: number | undefined;
    }
  | { state: 'expired' }
  | { state: 'cancelled' }
  /**
   * The question failed, or its answer is not conclusive. `hasAnswered`: the provider works, but has
   * nothing to say about this order.
   */
  | { state: 'unclear'; reason: string; hasAnswered?: true };

export type NoticeRequest = {
  /** The last segment of the path that was called: some signatures cover it. */
  scriptName: string;
  method: 'GET' | 'POST';
  headers: IncomingHttpHeaders;
  query: Readonly<Record<string, string>>;
  /** The raw bytes: signatures cover them. */
  body: Buffer;
};

/**
 * An authenticated notice. The reference says which order it is about. Its amount is only compared
 * with the order; where they differ, the provider is asked.
 */
export type PaymentNotice = {
  reference: string;
  /** `waiting`: the payer has confirmed, and the money has not arrived. */
  result: 'paid' | 'waiting' | 'failed' | 'refunded';
  payment: ReportedPayment;
  /** The response that the provider expects: the notice is stored, or cannot be. */
  answers: { stored: NoticeAnswer; failed: NoticeAnswer };
};

export type NoticeAnswer = { contentType: string; body: string };

export type RefundRequest = {
  /** The same for every try of one refund. */
  refundId: string;
  providerId: string;
  paymentId: string;
  amount: number;
};

export type RefundOutcome =
  | { result: 'done'; providerRefundId: string }
  | { result: 'refused'; reason: string }
  /** It may have happened; the same refund is tried again. */
  | { result: 'unclear'; reason: string };
