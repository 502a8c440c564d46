/**
 * Payments by Freedom Pay: docs.freedompay.kz, init_payment.php, get_status3.php, revoke.php and the
 * notices to `pg_result_url` and `pg_refund_url`. The QR encodes the address of the payment page.
 * Every reply is signed like the requests, and one with a wrong signature counts as no reply.
 *
 * The field lists of get_status3.php and revoke.php come from what its users have published.
 */
import { createPace } from '../runtime/pace.ts';
import {
  createProviderClient,
  isSuccess,
  type ProviderAnswer,
} from '../runtime/provider-client.ts';
import {
  type Fields,
  isSigned,
  readForm,
  readXml,
  textOf,
  withSignature,
  writeXml,
} from './freedom-pay-message.ts';
import type {
  NoticeAnswer,
  NoticeRequest,
  PaymentNotice,
  PaymentProvider,
  PaymentStatus,
  ReportedPayment,
} from './payment.ts';

export type FreedomPaySettings = {
  url: string;
  merchantId: string;
  secret: string;
  /** The address of this service; known once it listens. */
  readonly publicUrl: string;
  /** Between calls. */
  pauseMs?: number | undefined;
};

/** Long enough to find the phone and to confirm in the bank's app. The provider takes 300 or more. */
const LIFETIME_SECONDS = 20 * 60;
const CURRENCY = 'KZT';
const LANGUAGES = { ru: 'ru', kk: 'kz', en: 'en' } as const;
const DESCRIPTION_LENGTH_MAX = 255;
const URL_LENGTH_MAX = 2_000;
/** Top-ups are rare. */
const CONNECTIONS = 8;
/** Its documentation asks for 1.5 to 2 seconds between calls. */
const PAUSE_MS = 2_000;
/** Its ids begin with 1. */
const NOBODYS_PAYMENT = '0';

export function openFreedomPay(settings: FreedomPaySettings): PaymentProvider {
  const { merchantId, secret } = settings;
  const client = createProviderClient({ url: settings.url, connections: CONNECTIONS });
  const pace = createPace(settings.pauseMs ?? PAUSE_MS);

  const call = async (
    script: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Reply> => {
    const form = withSignature(script, { pg_merchant_id: merchantId, ...values }, { secret });
    const answer = await client.call({
      method: 'POST',
      path: `/${script}`,
      headers: {
        accept: 'application/xml, text/xml',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
      signal,
    });
    return readReply(script, answer, secret);
  };

  return {
    name: 'freedom-pay',
    confirmation: 'notice',
    lifetimeSeconds: LIFETIME_SECONDS,

    async create(order, signal) {
      pace.note();
      const noticeUrl = `${settings.publicUrl}/payments/freedom-pay`;
      const page = `${settings.publicUrl}/app/balance`;
      const reply = await call(
        'init_payment.php',
        {
          pg_order_id: order.reference,
          pg_amount: String(order.amount),
          pg_currency: CURRENCY,
          pg_description: order.description.slice(0, DESCRIPTION_LENGTH_MAX),
          pg_lifetime: String(LIFETIME_SECONDS),
          pg_language: LANGUAGES[order.language],
          pg_result_url: `${noticeUrl}/result`,
          pg_refund_url: `${noticeUrl}/refund`,
          pg_request_method: 'POST',
          pg_success_url: page,
          pg_failure_url: page,
          // Money is taken at once, and not only held on the card.
          pg_auto_clearing: '1',
          // A repeated call gets the same payment.
          pg_idempotency_key: order.reference,
        },
        signal,
      );
      if (reply.kind === 'refused') return { result: 'refused', reason: reply.reason };
      if (reply.kind === 'none') return { result: 'unavailable', reason: reply.reason };
      const providerId = textOf(reply.fields, 'pg_payment_id');
      const payUrl = textOf(reply.fields, 'pg_redirect_url');
      if (providerId === undefined || payUrl === undefined || !isWebAddress(payUrl)) {
        return { result: 'unavailable', reason: UNREADABLE };
      }
      return { result: 'created', providerId, qr: payUrl, payUrl };
    },

    async readStatus({ reference, providerId }, signal) {
      const reply = await call('get_status3.php', { pg_payment_id: providerId }, signal);
      if (reply.kind === 'none') return { state: 'unclear', reason: reply.reason };
      if (reply.kind === 'refused') {
        return { state: 'unclear', reason: reply.reason, hasAnswered: true };
      }
      return readStatus(reply.fields, { reference, providerId });
    },

    waitForTurn: (signal) => pace.wait(signal),

    readNotice: (request) => readNotice(request, secret),

    async refund(refund, signal) {
      const reply = await call(
        'revoke.php',
        {
          pg_payment_id: refund.paymentId,
          // 0 would mean all of it.
          pg_refund_amount: String(refund.amount),
          pg_idempotency_key: refund.refundId,
        },
        signal,
      );
      if (reply.kind === 'ok') return { result: 'done', providerRefundId: refund.refundId };
      if (reply.kind === 'refused') return { result: 'refused', reason: reply.reason };
      return { result: 'unclear', reason: reply.reason };
    },

    async check(signal) {
      const reply = await call('get_status3.php', { pg_payment_id: NOBODYS_PAYMENT }, signal);
      return reply.kind === 'none'
        ? { ok: false, detail: reply.detail }
        : { ok: true, detail: 'Knows the merchant, and its answers are signed.' };
    },

    close: () => client.close(),
  };
}

type Reply =
  | { kind: 'ok'; fields: Fields }
  /** The provider will not do it. */
  | { kind: 'refused'; reason: string }
  /** Nothing is known: no answer, one that makes no sense, or our credentials are wrong. */
  | ({ kind: 'none' } & Failure);

/** `detail` is for the operator, in English. */
type Failure = { reason: string; detail: string };

const UNREADABLE = 'Провайдер ответил непонятно';
const FAILURES = {
  unreachable: { reason: 'Провайдер недоступен', detail: 'Could not be reached.' },
  silent: { reason: 'Провайдер не ответил', detail: 'Did not answer.' },
  unreadable: { reason: UNREADABLE, detail: 'Gave an answer that makes no sense.' },
  unsigned: {
    reason: 'Ответ не подписан',
    detail: 'Its answer has another signature: check FREEDOM_PAY_SECRET.',
  },
  unknownMerchant: {
    reason: 'Провайдер не знает мерчанта (9998)',
    detail: 'Does not know the merchant: check FREEDOM_PAY_MERCHANT_ID.',
  },
} as const satisfies Record<string, Failure>;

function none(failure: keyof typeof FAILURES): Reply {
  return { kind: 'none', ...FAILURES[failure] };
}

/** A wrong signature, a merchant unknown to the provider, its own failure: not about this payment. */
const GENERAL_ERRORS = new Set(['1100', '9998', '9999']);
const REASON_LENGTH_MAX = 200;

function readReply(script: string, answer: ProviderAnswer, secret: string): Reply {
  if (answer.kind !== 'answer') {
    return none(answer.kind === 'broken' ? 'silent' : 'unreachable');
  }
  const fields = isSuccess(answer.status) ? readXml(answer.text) : undefined;
  if (fields === undefined) return none('unreadable');
  const error = textOf(fields, 'pg_error_code');
  if (!isSigned(script, fields, secret)) {
    // The one error that comes without a signature; anybody could have sent it.
    return none(error === '9998' ? 'unknownMerchant' : 'unsigned');
  }
  // revoke.php is said to answer `success`.
  const status = textOf(fields, 'pg_status');
  if (status === 'ok' || status === 'success') return { kind: 'ok', fields };
  if (status !== 'error' && status !== 'rejected') return none('unreadable');
  const description = textOf(fields, 'pg_error_description') ?? 'Провайдер отказал';
  const reason = `${description.slice(0, REASON_LENGTH_MAX)} (${error ?? 'без кода'})`;
  if (!GENERAL_ERRORS.has(error ?? '')) return { kind: 'refused', reason };
  return { kind: 'none', reason, detail: `Refuses every call with error ${error}.` };
}

/** What `pg_payment_status` means. The payer can try again after a failed payment. */
const STATES: Readonly<Record<string, 'paid' | 'returned' | 'waiting' | 'expired' | 'cancelled'>> =
  {
    success: 'paid',
    ok: 'paid',
    refunded: 'returned',
    revoked: 'returned',
    new: 'waiting',
    partial: 'waiting',
    pending: 'waiting',
    process: 'waiting',
    error: 'waiting',
    failed: 'waiting',
    rejected: 'waiting',
    incomplete: 'expired',
    expired: 'expired',
    canceled: 'cancelled',
    cancelled: 'cancelled',
  };

function readStatus(
  fields: Fields,
  { reference, providerId }: { reference: string; providerId: string },
): PaymentStatus {
  const isOurs =
    (textOf(fields, 'pg_payment_id') ?? providerId) === providerId &&
    (textOf(fields, 'pg_order_id') ?? reference) === reference;
  if (!isOurs) return { state: 'unclear', reason: 'Ответ о другом платеже' };
  const word = textOf(fields, 'pg_payment_status')?.toLowerCase() ?? '';
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  if (state === undefined) return { state: 'unclear', reason: `Неизвестный статус: ${word}` };
  if (state !== 'paid' && state !== 'returned') return { state };
  if (isOnlyHeld(fields)) return { state: 'waiting' };
  const payment = readPayment(fields, providerId);
  if (payment === undefined) return { state: 'unclear', reason: UNREADABLE };
  const isReturned = state === 'returned' && payment.refunded === 0;
  return {
    state: 'paid',
    payments: [isReturned ? { ...payment, refunded: payment.amount } : payment],
  };
}

/** The money is held on the card, and not taken. */
function isOnlyHeld(fields: Fields): boolean {
  return textOf(fields, 'pg_captured') === '0';
}

/** Undefined when the amount is not a number. */
function readPayment(fields: Fields, paymentId: string): ReportedPayment | undefined {
  const amount = readAmount(textOf(fields, 'pg_amount'));
  const refunded = readAmount(textOf(fields, 'pg_refund_amount') ?? '0');
  if (amount === undefined || refunded === undefined) return undefined;
  return {
    paymentId,
    amount,
    currency: textOf(fields, 'pg_currency') ?? CURRENCY,
    paidAt: readTime(textOf(fields, 'pg_payment_date')),
    // Comes with either sign.
    refunded: Math.abs(refunded),
  };
}

/** "5000" and "5000.00" are the same; a real fraction stays one, and is nobody's order. */
function readAmount(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,12}(\.\d{1,4})?$/.test(text) ? Number(text) : undefined;
}

/** A time without a zone is that of Kazakhstan. */
function readTime(text: string | undefined): Date | undefined {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(text ?? '') ?? [];
  if (day === undefined) return undefined;
  const at = new Date(`${day}T${time}${zone ?? '+05:00'}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function readNotice(request: NoticeRequest, secret: string): PaymentNotice | undefined {
  const { scriptName } = request;
  if (scriptName !== 'result' && scriptName !== 'refund') return undefined;
  const fields = readNoticeFields(request);
  if (fields === undefined || !isSigned(scriptName, fields, secret)) return undefined;
  const reference = textOf(fields, 'pg_order_id');
  const paymentId = textOf(fields, 'pg_payment_id');
  if (reference === undefined || paymentId === undefined) return undefined;
  // The currency of a payment is never assumed in a notice.
  const currency = textOf(fields, 'pg_currency') ?? '';
  // 0 is no order's amount: the provider is asked.
  const payment = readPayment(fields, paymentId) ?? { paymentId, amount: 0, refunded: 0 };
  const salt = textOf(fields, 'pg_salt') ?? '';
  const answer = (status: 'ok' | 'error', description: string): NoticeAnswer => ({
    contentType: 'application/xml; charset=utf-8',
    body: writeXml(
      'response',
      withSignature(
        scriptName,
        { pg_status: status, pg_description: description },
        { secret, salt },
      ),
    ),
  });
  return {
    reference,
    result: readResult(scriptName, fields),
    payment: { paidAt: undefined, ...payment, currency },
    answers: { stored: answer('ok', 'Принято'), failed: answer('error', 'Повторите позже') },
  };
}

function readResult(scriptName: 'result' | 'refund', fields: Fields): PaymentNotice['result'] {
  if (scriptName === 'refund') return 'refunded';
  if (textOf(fields, 'pg_result') !== '1') return 'failed';
  return isOnlyHeld(fields) ? 'waiting' : 'paid';
}

/** As a form, in the query, or as XML in a field of either. */
function readNoticeFields({ method, query, body }: NoticeRequest): Fields | undefined {
  const pairs =
    method === 'GET'
      ? Object.entries(query)
      : [...new URLSearchParams(body.toString('utf8')).entries()];
  const [, xml] = pairs.find(([name]) => name === 'pg_xml') ?? [];
  return xml === undefined ? readForm(pairs) : readXml(xml);
}

function isWebAddress(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}
