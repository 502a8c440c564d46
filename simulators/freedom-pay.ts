/**
 * Freedom Pay: init_payment.php, get_status3.php and revoke.php, answered in XML, and the notices to
 * `pg_result_url` and `pg_refund_url`. As strict as the vendor about signatures, amounts and the
 * lifetime of a payment; an unknown merchant gets the one error that is not signed. A repeated
 * `pg_idempotency_key` gets the first answer again. A notice that is not answered with 200 and a
 * signed `ok` is repeated.
 *
 * The `to` of a plan is the name of a script, like `revoke.php`. `isForged` signs the answers with
 * another secret.
 */
import { createHash, randomBytes } from 'node:crypto';
import { Agent, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { act } from './frame/control.ts';
import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import { isTaken, type Plan } from './frame/plan.ts';
import { readForm } from './frame/read-body.ts';
import { flag, integerFrom, oneOf, optional, text } from './frame/request-fields.ts';
import type { Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type FreedomPayOptions = SimulatorOptions & {
  merchantId: string;
  secret: string;
  /** Before the second try of a notice, and so much more before each further one; half an hour at the vendor. */
  repeatMs?: number;
};

type Values = Record<string, string>;

/** A payment as the provider keeps it. */
export type SimulatedPayment = {
  id: string;
  order: string;
  amount: string;
  currency: string;
  status: 'pending' | 'success' | 'error' | 'canceled';
  isCaptured: boolean;
  refunds: { id: string; amount: number }[];
  resultUrl: string;
  refundUrl: string;
};

const NOTICES = ['paid', 'failed', 'refunded'] as const;

export type NoticeOptions = {
  kind?: (typeof NOTICES)[number] | undefined;
  /** Instead of what is true. */
  amount?: string | undefined;
  currency?: string | undefined;
  order?: string | undefined;
  payment?: string | undefined;
  isForged?: boolean | undefined;
  /** How many at once. */
  copies?: number | undefined;
  triesMax?: number | undefined;
};

type Paid = {
  amount?: string | undefined;
  currency?: string | undefined;
  isHeld?: boolean | undefined;
};

export type FreedomPaySimulator = Simulator & {
  payments: readonly SimulatedPayment[];
  /** The payer pays; `amount` and `currency` where they pay something else. */
  pay(order: string, what?: Paid): void;
  fail(order: string): void;
  cancel(order: string): void;
  /** The merchant sends money back in the provider's console. */
  refund(order: string, amount: number): void;
  /** Sends a notice; returns the last status of each copy, and 0 where nobody answered. */
  notify(order: string, options?: NoticeOptions): Promise<number[]>;
};

const UNKNOWN_MERCHANT = 9998;
const BAD_SIGNATURE = 1100;
const BAD_REQUEST = 2000;
const NOT_FOUND = 340;
const TRIES_MAX = 40;
const REPEAT_MS = 250;
const CALL_LIMIT_MS = 60_000;

export async function startFreedomPay(options: FreedomPayOptions): Promise<FreedomPaySimulator> {
  const { merchantId, secret } = options;
  const payments: SimulatedPayment[] = [];
  const answered = new Map<string, Values>();
  const agent = new Agent({ keepAlive: true });
  let lastNumber = options.firstNumber ?? 100_000;
  const nextId = () => String(++lastNumber);
  const read = (order: string) => {
    const found = payments.findLast((payment) => payment.order === order);
    if (found === undefined) throw new Error(`there is no payment for ${order}`);
    return found;
  };

  const scripts: Record<string, (values: Values) => Values> = {
    'init_payment.php': (values) => {
      const {
        pg_order_id: order = '',
        pg_amount: amount = '',
        pg_currency: currency = 'KZT',
      } = values;
      const lifetime = Number(values.pg_lifetime ?? 86_400);
      const isRight = /^\d+(\.\d{1,2})?$/.test(amount) && Number(amount) > 0;
      if (order === '' || values.pg_description === undefined || !isRight)
        return failure(BAD_REQUEST);
      if (!(lifetime >= 300 && lifetime <= 604_800)) return failure(BAD_REQUEST);
      const id = nextId();
      const { pg_result_url: resultUrl = '', pg_refund_url: refundUrl = '' } = values;
      const made = { id, order, amount, currency, status: 'pending', isCaptured: false } as const;
      payments.push({ ...made, refunds: [], resultUrl, refundUrl });
      return {
        pg_status: 'ok',
        pg_payment_id: id,
        pg_redirect_url: `https://customer.freedompay.kz/pay.html?customer=${id}&lang=${values.pg_language ?? 'ru'}`,
        pg_redirect_url_type: 'need data',
      };
    },
    'get_status3.php': (values) => {
      const found = payments.find(({ id }) => id === values.pg_payment_id);
      if (found === undefined) return failure(NOT_FOUND);
      return { pg_status: 'ok', ...describe(found), pg_payment_status: found.status };
    },
    'revoke.php': (values) => {
      const found = payments.find(({ id }) => id === values.pg_payment_id);
      if (found?.status !== 'success') return failure(NOT_FOUND);
      const left = Number(found.amount) - refundedOf(found);
      // Without an amount, or with 0, all of it goes back.
      const amount = Number(values.pg_refund_amount ?? 0) || left;
      if (amount > left) return failure(BAD_REQUEST);
      found.refunds.push({ id: nextId(), amount });
      return { pg_status: 'ok' };
    },
  };

  const simulator = await startHttpSimulator(
    {
      name: 'freedom-pay',
      refusalCode: integerFrom(1),
      answer(call, context) {
        const script = call.path.slice(1);
        const run = scripts[script];
        if (run === undefined || call.method !== 'POST') return undefined;
        return answerCall({ script, values: readForm(call.body), run, context });
      },
      acts: {
        pay: act(
          { order: text, amount: optional(text), currency: optional(text), isHeld: optional(flag) },
          ({ order, ...what }) => {
            pay(order, what);
            return {};
          },
        ),
        fail: act({ order: text }, ({ order }) => {
          setStatus(order, 'error');
          return {};
        }),
        cancel: act({ order: text }, ({ order }) => {
          setStatus(order, 'canceled');
          return {};
        }),
        refund: act({ order: text, amount: integerFrom(1) }, ({ order, amount }) => {
          refund(order, amount);
          return {};
        }),
        notify: act(
          {
            order: text,
            as: optional(text),
            payment: optional(text),
            kind: optional(oneOf(NOTICES)),
            amount: optional(text),
            currency: optional(text),
            isForged: optional(flag),
            copies: optional(integerFrom(1)),
          },
          async ({ order, as, ...given }) => {
            const statuses = await notify(order, { ...given, order: as });
            return { statuses };
          },
        ),
      },
    },
    options,
  );

  function answerCall(call: {
    script: string;
    values: Values;
    run: (values: Values) => Values;
    context: ProtocolContext;
  }): Reply | PlannedReply {
    const { script, values, run, context } = call;
    if (values.pg_merchant_id !== merchantId) {
      return xml(writeXml(failure(UNKNOWN_MERCHANT)));
    }
    if (values.pg_sig !== sign(script, values, secret)) {
      return xml(writeXml(signed(script, failure(BAD_SIGNATURE))));
    }
    const plan = context.planFor(script);
    const content = contentOf(plan, { script, values, run });
    context.journal.write({ event: 'call', path: `/${script}`, status: 200 });
    const key = plan.isForged === true ? 'another secret' : secret;
    return { ...xml(writeXml(signed(script, content, key))), plan, taken: undefined };
  }

  /** A plan may lose the call, or carry it out and break the answer. */
  function contentOf(
    plan: Plan,
    { script, values, run }: { script: string; values: Values; run: (values: Values) => Values },
  ): Values {
    if (plan.does === 'refuse') return failure(Number(plan.code ?? BAD_REQUEST));
    if (!isTaken(plan)) return {};
    const { pg_idempotency_key: key } = values;
    const known = key === undefined ? undefined : answered.get(`${script} ${key}`);
    if (known !== undefined) return known;
    const content = run(values);
    if (key !== undefined && content.pg_status === 'ok') answered.set(`${script} ${key}`, content);
    return content;
  }

  function signed(script: string, values: Values, key = secret, salt = newSalt()): Values {
    const salted = { ...values, pg_salt: salt };
    return { ...salted, pg_sig: sign(script, salted, key) };
  }

  function pay(order: string, what: Paid = {}) {
    const payment = read(order);
    const { amount = payment.amount, currency = payment.currency, isHeld = false } = what;
    Object.assign(payment, { status: 'success', isCaptured: !isHeld, amount, currency });
  }

  function setStatus(order: string, status: SimulatedPayment['status']): void {
    read(order).status = status;
  }

  function refund(order: string, amount: number) {
    read(order).refunds.push({ id: nextId(), amount });
  }

  async function notify(order: string, notice: NoticeOptions = {}): Promise<number[]> {
    const payment = read(order);
    const { kind = 'paid', copies = 1 } = notice;
    const url = kind === 'refunded' ? payment.refundUrl : payment.resultUrl;
    return await Promise.all(
      Array.from({ length: copies }, () =>
        sendNotice(url, noticeOf(payment, kind, notice), { ...notice, kind }),
      ),
    );
  }

  async function sendNotice(url: string, values: Values, notice: NoticeOptions): Promise<number> {
    const script = new URL(url).pathname.split('/').at(-1) ?? '';
    // Nobody repeats a forged notice.
    const { isForged = false, triesMax = isForged ? 1 : TRIES_MAX } = notice;
    const form = signed(script, values, isForged ? 'another secret' : secret);
    let status = 0;
    for (let tries = 1; tries <= triesMax; tries++) {
      // Ever longer pauses: many at once must not keep a busy service busy.
      if (tries > 1) await pause((options.repeatMs ?? REPEAT_MS) * (tries - 1));
      const answer = await post(url, form, agent).catch(() => undefined);
      status = answer?.status ?? 0;
      simulator.journal.write({
        event: 'receipt',
        id: values.pg_payment_id ?? '',
        receipt: notice.kind ?? 'paid',
        status,
      });
      if (status === 200 && isAccepted(script, answer?.body ?? '', form.pg_salt)) break;
    }
    return status;
  }

  /** The answer has to carry the salt of the notice, and a signature for our own script. */
  function isAccepted(script: string, body: string, salt: string | undefined): boolean {
    const values = Object.fromEntries(
      [...body.matchAll(/<(pg_\w+)>([^<]*)<\/\1>/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    const isRight = values.pg_status === 'ok' && values.pg_salt === salt;
    return isRight && values.pg_sig === sign(script, values, secret);
  }

  const { close } = simulator;
  return Object.assign(simulator, {
    async close() {
      agent.destroy();
      await close();
    },
    payments,
    pay,
    refund,
    notify,
    fail: (order: string) => setStatus(order, 'error'),
    cancel: (order: string) => setStatus(order, 'canceled'),
  });
}

function noticeOf(
  payment: SimulatedPayment,
  kind: NonNullable<NoticeOptions['kind']>,
  { order, payment: id, amount, currency }: NoticeOptions,
): Values {
  return {
    ...describe(payment),
    pg_result: kind === 'failed' ? '0' : '1',
    pg_can_reject: '0',
    pg_description: 'Пополнение баланса',
    pg_payment_method: 'bankcard',
    ...(order !== undefined && { pg_order_id: order }),
    ...(id !== undefined && { pg_payment_id: id }),
    ...(amount !== undefined && { pg_amount: amount }),
    ...(currency !== undefined && { pg_currency: currency }),
  };
}

function describe(payment: SimulatedPayment): Values {
  const refunded = refundedOf(payment);
  return {
    pg_payment_id: payment.id,
    pg_order_id: payment.order,
    pg_amount: /\./.test(payment.amount) ? payment.amount : `${payment.amount}.00`,
    pg_currency: payment.currency,
    pg_captured: payment.isCaptured ? '1' : '0',
    pg_payment_date: almatyTime(new Date()),
    // From the merchant's point of view.
    ...(refunded > 0 && { pg_refund_amount: `-${refunded}.00` }),
  };
}

function refundedOf({ refunds }: SimulatedPayment): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

function almatyTime(at: Date): string {
  const shifted = new Date(at.getTime() + 5 * 3_600_000);
  return shifted.toISOString().slice(0, 19).replace('T', ' ');
}

function failure(code: number): Values {
  return {
    pg_status: 'error',
    pg_error_code: String(code),
    pg_error_description: 'Операция невозможна',
  };
}

function sign(script: string, values: Values, secret: string): string {
  const names = Object.keys(values).filter((name) => name !== 'pg_sig');
  const signed = [script, ...names.sort().map((name) => values[name]), secret].join(';');
  return createHash('md5').update(signed).digest('hex');
}

function newSalt(): string {
  return randomBytes(8).toString('hex');
}

function writeXml(values: Values): string {
  const inside = Object.entries(values).map(
    ([name, value]) => `<${name}>${escapeXml(value)}</${name}>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<response>${inside.join('')}</response>\n`;
}

function escapeXml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function xml(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body };
}

/** Without `fetch`, which costs several times as much when a thousand notices are sent at once. */
function post(url: string, form: Values, agent: Agent): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const body = new URLSearchParams(form).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
    };
    const isSecure = new URL(url).protocol === 'https:';
    const request = isSecure ? secureRequest : plainRequest;
    const sending = request(
      url,
      { method: 'POST', headers, timeout: CALL_LIMIT_MS, ...(!isSecure && { agent }) },
      (response) => {
        readText(response).then(
          (answer) => resolve({ status: response.statusCode ?? 0, body: answer }),
          reject,
        );
      },
    );
    sending.on('timeout', () => sending.destroy(new Error('no answer in time')));
    sending.on('error', reject);
    sending.end(body);
  });
}
