/**
 * Kaspi QR by its API with a key, as its users describe it: device/register, qr/create,
 * qr/create-link, payment/status, payment/details, payment/return, and the emulation of payers under
 * test/payment. Every answer has status 200; errors are in `StatusCode`.
 *
 * Nothing is paid by itself. A payer acts through test/payment or the acts of the control API. Plans
 * apply to every call but those; the recipient of a plan is the last part of the path, such as
 * `create`, `create-link` or `return`. A plan that refuses answers with its `code`.
 */
import { act } from './frame/control.ts';
import {
  type PlannedReply,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import { type Json, readJson } from './frame/read-body.ts';
import { code, integerFrom } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type KaspiOptions = SimulatorOptions & {
  apiKey: string;
  deviceId: string;
  tradePointId: string;
};

type Payment = {
  id: number;
  externalId: string;
  amount: number;
  isLink: boolean;
  status: string;
  returned: number;
  paidAt: string | undefined;
  expiresAt: Date;
};

type Memory = {
  options: KaspiOptions;
  lastId: number;
  deviceToken: string | undefined;
  registrations: number;
  payments: Map<number, Payment>;
};

/** An answer: the data of a success, or the code of an error. */
type Answer = Json | number;
type Page = (given: Json, memory: Memory) => Answer;

const PREFIX = '/r1/v01';
const LIFETIME_MS = 180_000;
const UNKNOWN_DEVICE = -1501;
const UNKNOWN_TRADE_POINT = -14_000_002;
const UNKNOWN_PAYMENT = -1601;
const BAD_AMOUNT = -990_000_028;
const BAD_REQUEST = -10_000;
const TOO_MUCH = -99_000_005;

const PAGES: Readonly<Record<string, Page>> = {
  'POST /device/register': register,
  'POST /qr/create': (given, memory) => {
    const made = make(given, memory, false);
    if (typeof made === 'number') return made;
    return {
      QrToken: `5123690377728016783617816650374499${made.id}`,
      QrPaymentId: made.id,
      ExpireDate: made.expiresAt.toISOString(),
      PaymentMethods: ['Gold', 'Red', 'Loan'],
      QrPaymentBehaviorOptions: {
        StatusPollingInterval: 5,
        QrCodeScanWaitTimeout: LIFETIME_MS / 1000,
        PaymentConfirmationTimeout: 65,
      },
    };
  },
  'POST /qr/create-link': (given, memory) => {
    const made = make(given, memory, true);
    if (typeof made === 'number') return made;
    return {
      PaymentLink: `https://pay.kaspi.kz/pay/sim${made.id}`,
      PaymentId: made.id,
      ExpireDate: made.expiresAt.toISOString(),
      PaymentBehaviorOptions: { StatusPollingInterval: 5, LinkActivationWaitTimeout: 180 },
    };
  },
  'GET /payment/details': ({ QrPaymentId, DeviceToken }, memory) => {
    if (DeviceToken !== memory.deviceToken) return UNKNOWN_DEVICE;
    const payment = memory.payments.get(Number(QrPaymentId));
    if (payment?.status !== 'Processed') return UNKNOWN_PAYMENT;
    return {
      QrPaymentId: payment.id,
      TotalAmount: payment.amount,
      AvailableReturnAmount: payment.amount - payment.returned,
      TransactionDate: payment.paidAt,
    };
  },
  'POST /payment/return': ({ QrPaymentId, DeviceToken, Amount }, memory) => {
    if (DeviceToken !== memory.deviceToken) return UNKNOWN_DEVICE;
    const payment = memory.payments.get(Number(QrPaymentId));
    if (payment?.status !== 'Processed') return UNKNOWN_PAYMENT;
    if (typeof Amount !== 'number' || !(Amount > 0)) return BAD_AMOUNT;
    if (payment.returned + Amount > payment.amount) return TOO_MUCH;
    payment.returned += Amount;
    return { ReturnOperationId: payment.id + 500_000 };
  },
  'GET /health/ping': () => ({}),
};

/** What a payer does, with the state that the payment must be in and the one that follows. */
const PAYER = {
  scan: [['QrTokenCreated', 'RemotePaymentCreated'], 'Wait'],
  confirm: [['Wait'], 'Processed'],
  scanerror: [['QrTokenCreated', 'RemotePaymentCreated'], 'Error'],
  confirmerror: [['Wait'], 'Error'],
} as const satisfies Record<string, readonly [readonly string[], string]>;

export async function startKaspi(options: KaspiOptions): Promise<Simulator> {
  const { firstNumber: lastId = 0 } = options;
  const memory: Memory = {
    options,
    lastId: lastId % 1_000_000_000,
    deviceToken: undefined,
    registrations: 0,
    payments: new Map(),
  };
  const actOf = (name: keyof typeof PAYER) =>
    act({ qrPaymentId: integerFrom(1) }, (given) => envelopeOf(play(name, given, memory)));
  return await startHttpSimulator(
    {
      name: 'kaspi',
      refusalCode: code,
      acts: {
        scan: actOf('scan'),
        confirm: actOf('confirm'),
        scanerror: actOf('scanerror'),
        confirmerror: actOf('confirmerror'),
        /** Kaspi drops the registrations of devices, as after a change of the trade point. */
        'forget-device': act({}, () => {
          memory.deviceToken = undefined;
          return { registrations: memory.registrations };
        }),
      },
      answer(call, context): Reply | PlannedReply | undefined {
        if (!call.path.startsWith(`${PREFIX}/`)) return undefined;
        if (call.headers['api-key'] !== options.apiKey) return { status: 401, body: '' };
        if (!/^[0-9a-f-]{36}$/.test(String(call.headers['x-request-id']))) {
          return answerWith(BAD_REQUEST);
        }
        const path = call.path.slice(PREFIX.length);
        const payerAct = /^\/test\/payment\/(\w+)$/.exec(path)?.[1];
        if (payerAct !== undefined && Object.hasOwn(PAYER, payerAct)) {
          return answerWith(play(payerAct as keyof typeof PAYER, readGiven(call), memory));
        }
        const plan = context.planFor(path.split('/').find((part) => isPlanned(part)) ?? '');
        if (plan.does === 'refuse') {
          return { ...answerWith(Number(plan.code ?? BAD_REQUEST)), plan, taken: undefined };
        }
        // The call has its effect, whatever becomes of the answer.
        const isLost = plan.isTaken === false || plan.does === 'reset_before';
        const reply = isLost ? { status: 200, body: '' } : answerWith(respond(call, path, memory));
        context.journal.write({ event: 'call', path, status: reply.status });
        return { ...reply, plan, taken: undefined };
      },
    },
    options,
  );
}

/** The last word of the path, except for the id at the end of a status. */
function isPlanned(part: string): boolean {
  return ['register', 'create', 'create-link', 'status', 'details', 'return', 'ping'].includes(
    part,
  );
}

function respond(call: SimulatedCall, path: string, memory: Memory): Answer {
  const status = /^\/payment\/status\/(\d+)$/.exec(path)?.[1];
  if (status !== undefined && call.method === 'GET') return readStatus(Number(status), memory);
  const page = PAGES[`${call.method} ${path}`];
  return page === undefined ? BAD_REQUEST : page(readGiven(call), memory);
}

function register({ DeviceId, TradePointId }: Json, memory: Memory): Answer {
  const { deviceId, tradePointId } = memory.options;
  if (DeviceId !== deviceId || String(TradePointId) !== tradePointId) return UNKNOWN_TRADE_POINT;
  memory.registrations += 1;
  memory.deviceToken = `device-${memory.registrations}`;
  return { DeviceToken: memory.deviceToken };
}

function make(given: Json, memory: Memory, isLink: boolean): Payment | number {
  const { DeviceToken, Amount, ExternalId } = given;
  if (DeviceToken !== memory.deviceToken) return UNKNOWN_DEVICE;
  if (typeof Amount !== 'number' || !(Amount > 0)) return BAD_AMOUNT;
  const id = ++memory.lastId;
  const payment: Payment = {
    id,
    externalId: String(ExternalId),
    amount: Amount,
    isLink,
    status: isLink ? 'RemotePaymentCreated' : 'QrTokenCreated',
    returned: 0,
    paidAt: undefined,
    expiresAt: new Date(Date.now() + LIFETIME_MS),
  };
  memory.payments.set(id, payment);
  return payment;
}

function readStatus(id: number, memory: Memory): Answer {
  const payment = memory.payments.get(id);
  return payment === undefined ? UNKNOWN_PAYMENT : { Status: payment.status };
}

function play(name: keyof typeof PAYER, given: Json, memory: Memory): Answer {
  const payment = memory.payments.get(Number(given.qrPaymentId));
  const [from, to] = PAYER[name];
  if (payment === undefined || !(from as readonly string[]).includes(payment.status)) {
    return UNKNOWN_PAYMENT;
  }
  payment.status = to;
  if (to === 'Processed') payment.paidAt = new Date().toISOString();
  return {};
}

function readGiven(call: SimulatedCall): Json {
  if (call.method === 'GET') return Object.fromEntries(call.query);
  return readJson(call.body) ?? {};
}

function envelopeOf(answer: Answer): Json {
  if (typeof answer === 'number') {
    return { StatusCode: answer, Message: `Error ${answer}`, Data: null };
  }
  return { StatusCode: 0, Message: 'OK', Data: answer };
}

function answerWith(answer: Answer): Reply {
  return { status: 200, body: JSON.stringify(envelopeOf(answer)) };
}
