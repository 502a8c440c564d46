/**
 * Kaspi QR by its API with a key (`/r1/v01`). Built from what users of the API have published: its
 * documentation is part of a contract, and nothing here was confirmed by Kaspi. The names of the
 * statuses differ between sources, so an unknown one is unclear, never paid and never expired.
 *
 * An order has a QR for a computer's screen and a link for a phone, and Kaspi counts them as two
 * payments. The page shows one of them, by the screen. Both expire within minutes, neither can be
 * withdrawn. So every question is about both, and while one is paid and the other still open, the
 * order is to be asked about again: a second payment is credited and flagged, never lost.
 *
 * Left out on purpose: the schemes with client certificates, payments by phone number, refunds by
 * QR.
 */
import { randomUUID } from 'node:crypto';
import { asObject, type JsonObject, readObject } from '../json-object.ts';
import {
  createProviderClient,
  isSuccess,
  type ProviderAnswer,
} from '../runtime/provider-client.ts';
import type {
  Created,
  OrderToPay,
  PaymentProvider,
  PaymentStatus,
  RefundOutcome,
  RefundRequest,
  ReportedPayment,
} from './payment.ts';

export type KaspiSettings = {
  /** The address of the API with its version. */
  url: string;
  /** A secret. */
  apiKey: string;
  deviceId: string;
  tradePointId: string;
};

export type Kaspi = PaymentProvider & { close(): Promise<void> };

/** How long a QR waits to be scanned, when Kaspi does not say when it expires. */
const LIFETIME_SECONDS = 180;
/** Until Kaspi has told its own interval. */
const POLL_SECONDS_DEFAULT = 5;
const POLL_SECONDS_MAX = 60;
const CODE_OK = '0';
/** Its ids begin with 1. */
const NOBODYS_PAYMENT = '0';
/** The device has to be registered again. */
const CODE_UNKNOWN_DEVICE = '-1501';
/** Joins the ids of the QR and of the link in the provider's id of an order. */
const AND = '+';

type PartState = 'open' | 'paid' | 'ended';

const STATES: Readonly<Record<string, PartState>> = {
  Creating: 'open',
  QrTokenCreated: 'open',
  QrTokenScanned: 'open',
  RemotePaymentCreated: 'open',
  LinkCreated: 'open',
  LinkActivated: 'open',
  PaymentConfirmation: 'open',
  Wait: 'open',
  Processed: 'paid',
  Paid: 'paid',
  Error: 'ended',
  Expired: 'ended',
  Timeout: 'ended',
  Canceled: 'ended',
  Cancelled: 'ended',
};

/** What a call brought. `isSent` tells whether the request may have had an effect. */
type Reply =
  | { kind: 'content'; content: JsonObject }
  | { kind: 'refused'; code: string; reason: string }
  | ({ kind: 'none'; isSent: boolean } & Failure);

/** `detail` is for the operator, in English. */
type Failure = { reason: string; detail: string };

type Part = { id: string; expiresAt: Date | undefined; pollSeconds: number | undefined };
type Details = { total: number; returnable: number; paidAt: Date | undefined };

export function openKaspi(settings: KaspiSettings): Kaspi {
  const client = createProviderClient({ url: settings.url });
  const call = async (
    request: { method: 'GET' | 'POST'; path: string; body?: object; requestId?: string },
    signal: AbortSignal,
  ): Promise<Reply> => {
    const { method, path, body, requestId = randomUUID() } = request;
    const headers = {
      'api-key': settings.apiKey,
      'x-request-id': requestId,
      'content-type': 'application/json',
    };
    const answer = await client.call({
      method,
      path,
      headers,
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return readReply(answer);
  };
  const withDevice = createDevice((signal) =>
    call(
      {
        method: 'POST',
        path: '/device/register',
        body: { DeviceId: settings.deviceId, TradePointId: settings.tradePointId },
      },
      signal,
    ),
  );
  const post = (
    path: string,
    body: object,
    { signal, requestId = randomUUID() }: { signal: AbortSignal; requestId?: string },
  ) =>
    withDevice(signal, (DeviceToken) =>
      call({ method: 'POST', path, body: { DeviceToken, ...body }, requestId }, signal),
    );
  const readDetails = async (id: string, signal: AbortSignal): Promise<Details | undefined> => {
    const reply = await withDevice(signal, (DeviceToken) => {
      const query = new URLSearchParams({ QrPaymentId: id, DeviceToken });
      return call({ method: 'GET', path: `/payment/details?${query}` }, signal);
    });
    return reply.kind === 'content' ? toDetails(reply.content) : undefined;
  };
  let pollSeconds = POLL_SECONDS_DEFAULT;
  /** What was returnable before a return whose outcome is not known, by the id of the refund. */
  const unclear = new Map<string, number>();

  const create = async (order: OrderToPay, signal: AbortSignal): Promise<Created> => {
    const body = { Amount: order.amount, ExternalId: order.reference };
    const made = await post('/qr/create', body, { signal });
    if (made.kind !== 'content') return toFailure(made);
    const { QrToken, QrPaymentId, QrPaymentBehaviorOptions } = made.content;
    const qr = toPart(QrPaymentId, made.content, QrPaymentBehaviorOptions);
    if (qr === undefined || typeof QrToken !== 'string' || QrToken === '') return UNREADABLE;
    // Without a link the order can still be paid, by the QR alone.
    const linked = await post('/qr/create-link', body, { signal });
    const link = linked.kind === 'content' ? toLink(linked.content) : undefined;
    const parts = link === undefined ? [qr] : [qr, link.part];
    pollSeconds = qr.pollSeconds ?? pollSeconds;
    return {
      result: 'created',
      providerId: parts.map(({ id }) => id).join(AND),
      qr: QrToken,
      payUrl: link?.address,
      // The first to expire: until then, whatever the page shows can be paid.
      expiresAt: earliest(parts.map(({ expiresAt }) => expiresAt)),
      checkAfterSeconds: pollSeconds,
    };
  };

  const readPart = async (
    id: string,
    signal: AbortSignal,
  ): Promise<Exclude<PartState, 'paid'> | 'unclear' | 'silent' | ReportedPayment> => {
    const reply = await call({ method: 'GET', path: `/payment/status/${id}` }, signal);
    if (reply.kind === 'none') return 'silent';
    const name = reply.kind === 'content' ? String(reply.content.Status) : '';
    const state = Object.hasOwn(STATES, name) ? (STATES[name] as PartState) : 'unclear';
    if (state !== 'paid') return state;
    const details = await readDetails(id, signal);
    if (details === undefined) return 'unclear';
    const { total: amount, returnable, paidAt } = details;
    return { paymentId: id, amount, currency: 'KZT', paidAt, refunded: amount - returnable };
  };

  return {
    name: 'kaspi',
    confirmation: 'poll',
    lifetimeSeconds: LIFETIME_SECONDS,
    create,
    async readStatus({ providerId }, signal): Promise<PaymentStatus> {
      const ids = providerId.split(AND);
      if (!ids.every(isPaymentId)) return { state: 'unclear', reason: 'Неизвестный платёж Kaspi' };
      const parts = await Promise.all(ids.map((id) => readPart(id, signal)));
      const payments = parts.filter((part) => typeof part === 'object');
      const isOver = parts.every((part) => typeof part === 'object' || part === 'ended');
      if (payments.length > 0) {
        return { state: 'paid', payments, ...(!isOver && { checkAfterSeconds: pollSeconds }) };
      }
      if (isOver) return { state: 'expired' };
      const reason = 'Kaspi не сообщил состояние платежа';
      if (parts.includes('silent')) return { state: 'unclear', reason };
      return parts.includes('unclear')
        ? { state: 'unclear', reason, hasAnswered: true }
        : { state: 'waiting', checkAfterSeconds: pollSeconds };
    },
    refund: (refund, signal) => makeReturn(refund, { post, readDetails, unclear, signal }),
    async check(signal) {
      // A registration would take the device from a running server.
      const path = `/payment/status/${NOBODYS_PAYMENT}`;
      const reply = await call({ method: 'GET', path }, signal);
      return reply.kind === 'none'
        ? { ok: false, detail: reply.detail }
        : { ok: true, detail: 'Takes the API key; the device is registered with the first order.' };
    },
    close: () => client.close(),
  };
}

/**
 * A return has no id of its own at Kaspi, so a repeated one would pay twice. What can be returned is
 * read before and after: if it has gone down by the amount, the return was made.
 */
async function makeReturn(
  { refundId, paymentId, amount }: RefundRequest,
  kaspi: {
    post(
      path: string,
      body: object,
      options: { signal: AbortSignal; requestId: string },
    ): Promise<Reply>;
    readDetails(id: string, signal: AbortSignal): Promise<Details | undefined>;
    unclear: Map<string, number>;
    signal: AbortSignal;
  },
): Promise<RefundOutcome> {
  const { post, readDetails, unclear, signal } = kaspi;
  const done: RefundOutcome = { result: 'done', providerRefundId: refundId };
  if (!isPaymentId(paymentId)) return { result: 'refused', reason: 'Неизвестный платёж Kaspi' };
  const before = await readDetails(paymentId, signal);
  if (before === undefined) return UNCLEAR_RETURN;
  const earlier = unclear.get(refundId) ?? (before.total === amount ? amount : undefined);
  if (earlier !== undefined && before.returnable === earlier - amount) return done;
  // Another return was made there, or this one before a restart: a person has to look.
  if (before.returnable < amount) return UNCLEAR_RETURN;

  unclear.set(refundId, before.returnable);
  const body = { QrPaymentId: Number(paymentId), Amount: amount };
  const reply = await post('/payment/return', body, { signal, requestId: refundId });
  if (reply.kind === 'refused') {
    unclear.delete(refundId);
    return { result: 'refused', reason: reply.reason };
  }
  const isMade =
    reply.kind === 'content' ||
    (reply.isSent &&
      (await readDetails(paymentId, signal))?.returnable === before.returnable - amount);
  if (!isMade) return UNCLEAR_RETURN;
  unclear.delete(refundId);
  return done;
}

/** Registers the device once, and again when Kaspi has forgotten it. */
function createDevice(register: (signal: AbortSignal) => Promise<Reply>) {
  let known: string | undefined;
  let pending: Promise<Reply> | undefined;
  const open = async (signal: AbortSignal): Promise<string | Reply> => {
    if (known !== undefined) return known;
    pending ??= register(signal).finally(() => {
      pending = undefined;
    });
    const reply = await pending;
    if (reply.kind !== 'content') return reply;
    const { DeviceToken } = reply.content;
    if (typeof DeviceToken !== 'string' || DeviceToken === '') return NOTHING_READABLE;
    known = DeviceToken;
    return known;
  };
  return async (
    signal: AbortSignal,
    send: (deviceToken: string) => Promise<Reply>,
  ): Promise<Reply> => {
    const token = await open(signal);
    // Nothing was sent but the registration.
    if (typeof token !== 'string')
      return token.kind === 'none' ? { ...token, isSent: false } : token;
    const reply = await send(token);
    if (reply.kind !== 'refused' || reply.code !== CODE_UNKNOWN_DEVICE) return reply;
    if (known === token) known = undefined;
    const renewed = await open(signal);
    return typeof renewed === 'string' ? await send(renewed) : reply;
  };
}

const NOTHING_READABLE = {
  kind: 'none',
  isSent: true,
  reason: 'Kaspi ответил непонятно',
  detail: 'Gave an answer that makes no sense.',
} as const;
const UNREADABLE: Created = { result: 'unavailable', reason: NOTHING_READABLE.reason };
const UNCLEAR_RETURN: RefundOutcome = {
  result: 'unclear',
  reason: 'Неизвестно, вернул ли Kaspi деньги',
};

function readReply(answer: ProviderAnswer): Reply {
  if (answer.kind !== 'answer') {
    const isSent = answer.kind === 'broken';
    const detail = isSent ? 'Did not answer.' : 'Could not be reached.';
    return { kind: 'none', isSent, reason: 'Kaspi не ответил', detail };
  }
  if (answer.status === 401 || answer.status === 403) {
    const detail = 'Does not take the key: check KASPI_API_KEY.';
    return { kind: 'none', isSent: false, reason: 'Kaspi не принял ключ сервиса', detail };
  }
  const envelope = isSuccess(answer.status) ? readObject(answer.text) : undefined;
  const code = /^-?\d{1,12}$/.exec(String(envelope?.StatusCode))?.[0];
  if (envelope === undefined || code === undefined) return NOTHING_READABLE;
  if (code !== CODE_OK) return { kind: 'refused', code, reason: `Kaspi отказал (ошибка ${code})` };
  return { kind: 'content', content: asObject(envelope.Data) ?? {} };
}

function toFailure(reply: Exclude<Reply, { kind: 'content' }>): Created {
  const { reason } = reply;
  return reply.kind === 'refused'
    ? { result: 'refused', reason }
    : { result: 'unavailable', reason };
}

function toPart(id: unknown, { ExpireDate }: JsonObject, options: unknown): Part | undefined {
  const text = String(id);
  if (!isPaymentId(text)) return undefined;
  const seconds = Number(asObject(options)?.StatusPollingInterval);
  return {
    id: text,
    expiresAt: toTime(ExpireDate),
    pollSeconds: seconds >= 1 ? Math.min(seconds, POLL_SECONDS_MAX) : undefined,
  };
}

function toLink(content: JsonObject): { part: Part; address: string } | undefined {
  const { PaymentLink, PaymentId, PaymentBehaviorOptions } = content;
  const part = toPart(PaymentId, content, PaymentBehaviorOptions);
  // Its address becomes a button of ours: nothing but a web address may stand there.
  const isAddress = typeof PaymentLink === 'string' && /^https:\/\/[^\s"<>]+$/.test(PaymentLink);
  return part !== undefined && isAddress ? { part, address: PaymentLink } : undefined;
}

function toDetails({ TotalAmount, AvailableReturnAmount, TransactionDate }: JsonObject) {
  const [total, returnable] = [toTenge(TotalAmount), toTenge(AvailableReturnAmount)];
  if (total === undefined || returnable === undefined) return undefined;
  if (total < 1 || returnable > total) return undefined;
  return { total, returnable, paidAt: toTime(TransactionDate) };
}

/** Whole tenge, as we ask for; anything else is left to a person. */
function toTenge(value: unknown): number | undefined {
  const amount = typeof value === 'string' && value !== '' ? Number(value) : value;
  return Number.isSafeInteger(amount) && (amount as number) >= 0 ? (amount as number) : undefined;
}

/** Only with an offset: some sources show local times without one. */
function toTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/(?:Z|[+-]\d\d:\d\d)$/.test(value)) return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

function isPaymentId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}
