/**
 * Fiscal receipts through Webkassa's API v4, built from what its integrators have published. Every
 * call is a POST of JSON. Errors come with the status 200, in `Errors`.
 *
 * Left out: printing, cash, and the other addresses that code 505 names.
 */
import { asObject, type JsonObject, objectsIn } from '../json-object.ts';
import {
  createProviderClient,
  type ProviderAnswer,
  readAnswerBody,
} from '../runtime/provider-client.ts';
import type {
  FiscalOutcome,
  FiscalRegister,
  ReceiptToRegister,
  SaleFacts,
  ShiftOutcome,
} from './fiscal.ts';

export type WebkassaSettings = {
  url: string;
  /** A secret: the key of the integrator. */
  apiKey: string;
  login: string;
  /** A secret. */
  password: string;
  /** The number of the cash register. */
  cashbox: string;
};

const SALE = 2;
const SALE_RETURN = 3;
const BY_CARD = 1;
const PIECE = 796;
const NO_TAX = 0;
const VAT = 100;
const ROUND_NOTHING = 2;

const SESSION_CODES = [2, 3];
const SHIFT_TOO_LONG = 11;
const SHIFT_CLOSED_CODES = [12, 13];
const DUPLICATE = 14;

/** A receipt that is found again is at most a few shifts old. */
const SHIFTS_TO_SEARCH = 10;
const REASON_LENGTH_MAX = 200;

/** An answer: what it holds, the errors it names, or why there is none. */
type Answer =
  | { kind: 'data'; data: unknown }
  | { kind: 'errors'; code: number; text: string }
  | { kind: 'not_sent' | 'unclear'; reason: string };

export function openWebkassa(settings: WebkassaSettings): FiscalRegister {
  const client = createProviderClient({ url: settings.url, connections: 1 });
  let token: string | undefined;

  const post = async (path: string, body: object, signal: AbortSignal): Promise<Answer> =>
    readAnswer(
      await client.call({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', 'x-api-key': settings.apiKey },
        body: JSON.stringify(body),
        signal,
      }),
    );

  const authorise = async (signal: AbortSignal): Promise<Answer | undefined> => {
    const { login, password } = settings;
    const answer = await post('/api/v4/Authorize', { Login: login, Password: password }, signal);
    const given = answer.kind === 'data' ? asObject(answer.data)?.Token : undefined;
    if (typeof given !== 'string') {
      return answer.kind === 'data' ? { kind: 'not_sent', reason: 'no session was given' } : answer;
    }
    token = given;
    return undefined;
  };

  /** Calls with the session, which is renewed once when it has ended. */
  const call = async (path: string, body: object, signal: AbortSignal): Promise<Answer> => {
    for (let isRetry = false; ; isRetry = true) {
      if (token === undefined) {
        const failed = await authorise(signal);
        // Nothing was asked for yet, whatever has become of the call for a session.
        if (failed !== undefined) return withoutEffect(failed);
      }
      const session = { Token: token, CashboxUniqueNumber: settings.cashbox };
      const answer = await post(path, { ...session, ...body }, signal);
      const hasEnded = answer.kind === 'errors' && SESSION_CODES.includes(answer.code);
      if (!hasEnded || isRetry) return answer;
      token = undefined;
    }
  };

  const closeShift = async (signal: AbortSignal): Promise<ShiftOutcome> => {
    const answer = await call('/api/v4/ZReport', {}, signal);
    const isClosed =
      answer.kind === 'data' ||
      (answer.kind === 'errors' && SHIFT_CLOSED_CODES.includes(answer.code));
    return isClosed ? { result: 'closed' } : { result: 'failed', reason: reasonOf(answer) };
  };

  /** The receipt that the register has already; looked for in the newest shifts. */
  const find = async (id: string, signal: AbortSignal): Promise<Answer> => {
    const history = await call(
      '/api/v4/Cashbox/ShiftHistory',
      { Skip: 0, Take: SHIFTS_TO_SEARCH },
      signal,
    );
    if (history.kind !== 'data') return history;
    const shifts = objectsIn(asObject(history.data)?.Shifts ?? history.data)
      .map(({ ShiftNumber }) => Number(ShiftNumber))
      .filter(Number.isSafeInteger)
      .sort((a, b) => b - a);
    for (const ShiftNumber of shifts) {
      const answer = await call(
        '/api-history/v4/Ticket/GetTicketByExternalCheckNumber',
        { ExternalCheckNumber: id, ShiftNumber },
        signal,
      );
      if (answer.kind !== 'errors') return answer;
    }
    return { kind: 'unclear', reason: 'the receipt is registered, and was not found' };
  };

  return {
    name: 'webkassa',
    closeShift,
    async register(receipt, signal) {
      const check = toCheck(receipt);
      let answer = await call('/api/v4/check', check, signal);
      let hasClosedShift = false;
      if (answer.kind === 'errors' && answer.code === SHIFT_TOO_LONG) {
        const closed = await closeShift(signal);
        if (closed.result === 'failed') return { result: 'refused', reason: closed.reason };
        hasClosedShift = true;
        answer = await call('/api/v4/check', check, signal);
      }
      const isKnown = answer.kind === 'errors' && answer.code === DUPLICATE;
      if (isKnown) answer = await find(receipt.id, signal);
      return toOutcome(answer, { receipt, isKnown, hasClosedShift });
    },
    close: () => client.close(),
  };
}

function toCheck({ id, amount, name, vat, sale }: ReceiptToRegister): object {
  return {
    OperationType: sale === undefined ? SALE : SALE_RETURN,
    Positions: [
      {
        Count: 1,
        Price: amount,
        TaxPercent: vat ?? 0,
        Tax: vat === null ? 0 : Math.round((amount * 100 * vat) / (100 + vat)) / 100,
        TaxType: vat === null ? NO_TAX : VAT,
        PositionName: name,
        PositionCode: 'TOPUP',
        UnitCode: PIECE,
        Discount: 0,
        Markup: 0,
      },
    ],
    Payments: [{ Sum: amount, PaymentType: BY_CARD }],
    Change: 0,
    RoundType: ROUND_NOTHING,
    ExternalCheckNumber: id,
    ...(sale !== undefined && {
      ReturnBasisDetails: {
        DateTime: sale.at,
        Total: sale.total,
        CheckNumber: sale.number,
        RegistrationNumber: sale.registrationNumber,
        IsOffline: sale.isOffline,
      },
    }),
  };
}

function toOutcome(
  answer: Answer,
  known: { receipt: ReceiptToRegister; isKnown: boolean; hasClosedShift: boolean },
): FiscalOutcome {
  const { receipt, isKnown, hasClosedShift } = known;
  const data = answer.kind === 'data' ? asObject(answer.data) : undefined;
  const facts = data === undefined ? undefined : factsIn(data, receipt.amount);
  if (data !== undefined && facts !== undefined) {
    const { TicketUrl: url } = data;
    return { result: 'registered', url: webAddressIn(url), facts, hasClosedShift };
  }
  const reason = reasonOf(answer);
  // A receipt that the register has already is no longer to be refused.
  const isRefused = !isKnown && (answer.kind === 'errors' || answer.kind === 'not_sent');
  return { result: isRefused ? 'refused' : 'unclear', reason };
}

/** Undefined when the answer has no number: then it is not known what was registered. */
function factsIn(data: JsonObject, total: number): SaleFacts | undefined {
  const { CheckNumber, DateTime, OfflineMode } = data;
  const number = textOf(CheckNumber);
  if (number === undefined) return undefined;
  return {
    number,
    at: textOf(DateTime) ?? '',
    total,
    registrationNumber: textOf(asObject(data.Cashbox)?.RegistrationNumber) ?? '',
    isOffline: OfflineMode === true,
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value.slice(0, REASON_LENGTH_MAX) : undefined;
}

/** It is shown as a link, so it must be one. */
function webAddressIn(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

function readAnswer(answer: ProviderAnswer): Answer {
  if (answer.kind === 'not_sent') return { kind: 'not_sent', reason: answer.why };
  const body = readAnswerBody(answer);
  const [error] = objectsIn(body?.Errors);
  if (error !== undefined) {
    return { kind: 'errors', code: Number(error.Code), text: textOf(error.Text) ?? '' };
  }
  if (body !== undefined && body.Data !== undefined) return { kind: 'data', data: body.Data };
  const reason = answer.kind === 'broken' ? answer.why : `HTTP ${answer.status}, not readable`;
  return { kind: 'unclear', reason };
}

function withoutEffect(answer: Answer): Answer {
  return { kind: 'not_sent', reason: reasonOf(answer) };
}

function reasonOf(answer: Answer): string {
  switch (answer.kind) {
    case 'errors':
      return `Webkassa ${answer.code}: ${answer.text}`;
    case 'data':
      return 'the answer has no number of a receipt';
    default:
      return answer.reason.slice(0, REASON_LENGTH_MAX);
  }
}
