/**
 * Webkassa's API v4: Authorize, check, ZReport, Cashbox/ShiftHistory and
 * GetTicketByExternalCheckNumber. Every answer has status 200; errors are in `Errors`.
 *
 * The journal has a `taken` line for every receipt, with its ExternalCheckNumber as `ref`. Plans are
 * chosen by that number.
 */
import { act } from './frame/control.ts';
import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import { integerFrom } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type WebkassaOptions = SimulatorOptions & {
  apiKey: string;
  login: string;
  password: string;
  cashbox: string;
};

type Body = Record<string, unknown>;
type Ticket = { shift: number; data: Body };

/** The state of the cash register. */
type Memory = {
  sessions: Set<string>;
  lastSession: number;
  lastNumber: number;
  shift: number;
  isShiftOpen: boolean;
  isShiftTooLong: boolean;
  tickets: Map<string, Ticket>;
};

const NO_LOGIN = 1;
const SESSION_ENDED = 2;
const NO_CASHBOX = 6;
const INVALID = 9;
const SHIFT_TOO_LONG = 11;
const SHIFT_CLOSED = 12;
const DUPLICATE = 14;
const NOT_FOUND = 16;

export type WebkassaSimulator = Simulator & {
  /** Ends every session, as time does. */
  endSessions(): void;
  /** The open shift has lasted for more than a day. */
  passDay(): void;
};

export async function startWebkassa(options: WebkassaOptions): Promise<WebkassaSimulator> {
  const memory: Memory = {
    sessions: new Set(),
    lastSession: 0,
    lastNumber: options.firstNumber ?? 1_779_000_000,
    shift: 12,
    isShiftOpen: false,
    isShiftTooLong: false,
    tickets: new Map(),
  };
  const endSessions = () => memory.sessions.clear();
  const passDay = () => {
    memory.isShiftTooLong = memory.isShiftOpen;
  };
  const simulator = await startHttpSimulator(
    {
      name: 'webkassa',
      refusalCode: integerFrom(-1),
      acts: {
        'end-sessions': act({}, () => {
          endSessions();
          return {};
        }),
        'pass-day': act({}, () => {
          passDay();
          return { isShiftTooLong: memory.isShiftTooLong };
        }),
      },
      answer: (call, context) => answer(call, { context, memory, options }),
    },
    options,
  );
  return { ...simulator, endSessions, passDay };
}

type Parts = { context: ProtocolContext; memory: Memory; options: WebkassaOptions };

function answer(call: SimulatedCall, parts: Parts): Reply | PlannedReply | undefined {
  const { options, memory } = parts;
  if (call.method !== 'POST' || call.headers['x-api-key'] !== options.apiKey) {
    return { status: 401, body: '' };
  }
  const body = readBody(call.body);
  if (body === undefined) return failure(INVALID);
  if (call.path === '/api/v4/Authorize') return authorise(body, parts);
  const page = PAGES[call.path];
  if (page === undefined) return undefined;
  if (!memory.sessions.has(String(body.Token))) return failure(SESSION_ENDED);
  if (body.CashboxUniqueNumber !== options.cashbox) return failure(NO_CASHBOX);
  return page(body, parts);
}

function authorise(body: Body, { memory, options }: Parts): Reply {
  if (body.Login !== options.login || body.Password !== options.password) return failure(NO_LOGIN);
  const session = `session-${++memory.lastSession}`;
  memory.sessions.add(session);
  return success({ Token: session });
}

const PAGES: Readonly<Record<string, (body: Body, parts: Parts) => Reply | PlannedReply>> = {
  '/api/v4/check': check,
  '/api/v4/ZReport': closeShift,
  '/api/v4/Cashbox/ShiftHistory': (_body, { memory }) => {
    const shifts = [memory.shift, memory.shift - 1].map((ShiftNumber) => ({ ShiftNumber }));
    return success({ Shifts: shifts, Total: shifts.length });
  },
  '/api-history/v4/Ticket/GetTicketByExternalCheckNumber': (body, { memory }) => {
    const ticket = memory.tickets.get(String(body.ExternalCheckNumber));
    if (ticket === undefined || ticket.shift !== body.ShiftNumber) return failure(NOT_FOUND);
    return success(ticket.data);
  },
};

function check(body: Body, { context, memory, options }: Parts): Reply | PlannedReply {
  const id = String(body.ExternalCheckNumber ?? '');
  const amount = amountOf(body);
  if (amount === undefined || id === '' || isBaseless(body)) return failure(INVALID);
  const plan = context.planFor(id);
  if (plan.does === 'refuse') {
    context.journal.write({ event: 'refused', to: id, code: String(plan.code ?? INVALID) });
    return { ...failure(Number(plan.code ?? INVALID)), plan, taken: undefined };
  }
  if (memory.isShiftTooLong) return { ...failure(SHIFT_TOO_LONG), plan, taken: undefined };
  if (memory.tickets.has(id)) return { ...failure(DUPLICATE), plan, taken: undefined };
  const number = String(++memory.lastNumber);
  const type = Number(body.OperationType);
  const taken = context.take(plan, {
    id: number,
    to: id,
    ref: id,
    text: `${type === 2 ? 'sale' : 'return'} ${amount}`,
    details: body,
  });
  const data = {
    CheckNumber: number,
    DateTime: '15.11.2026 10:00:00',
    OfflineMode: false,
    CashboxOfflineMode: false,
    Cashbox: { UniqueNumber: options.cashbox, RegistrationNumber: '010101234567' },
    CheckOrderNumber: 1,
    ShiftNumber: memory.shift,
    TicketUrl: `https://consumer.example/?i=${number}`,
  };
  if (taken !== undefined) {
    memory.tickets.set(id, { shift: memory.shift, data });
    memory.isShiftOpen = true;
  }
  return { ...success(data), plan, taken };
}

/** A return names the sale that it belongs to. */
function isBaseless({ OperationType, ReturnBasisDetails }: Body): boolean {
  if (OperationType === 2) return false;
  const { CheckNumber, RegistrationNumber } = (ReturnBasisDetails ?? {}) as Body;
  return OperationType !== 3 || !CheckNumber || !RegistrationNumber;
}

/** Undefined unless positions and payments agree. */
function amountOf({ Positions, Payments }: Body): number | undefined {
  const sum = (rows: unknown, read: (row: Body) => number) =>
    Array.isArray(rows) ? rows.reduce((total: number, row: Body) => total + read(row), 0) : 0;
  const sold = sum(Positions, ({ Count, Price }) => Number(Count) * Number(Price));
  const paid = sum(Payments, ({ Sum }) => Number(Sum));
  return sold > 0 && sold === paid ? sold : undefined;
}

function closeShift(_body: Body, { memory, context }: Parts): Reply {
  if (!memory.isShiftOpen) return failure(SHIFT_CLOSED);
  context.journal.write({
    event: 'act',
    name: 'Z-report',
    given: {},
    result: { shift: memory.shift },
  });
  memory.isShiftOpen = false;
  memory.isShiftTooLong = false;
  memory.shift += 1;
  return success({ ReportNumber: memory.shift });
}

function readBody(bytes: Buffer): Body | undefined {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function success(data: object): Reply {
  return { status: 200, body: JSON.stringify({ Data: data }) };
}

function failure(code: number): Reply {
  const errors = [{ Code: code, Text: `Ошибка ${code}` }];
  return { status: 200, body: JSON.stringify({ Errors: errors }) };
}
