/**
 * SMSC.kz over HTTP: send.php, status.php and balance.php, answered in JSON (`fmt=3`) or, as by
 * default, in text, always with 200. As strict as the vendor about credentials, the format of ids
 * and numbers, equal messages within a minute, and more than five queries for one message a minute.
 */
import { createHash } from 'node:crypto';
import {
  type PlannedReply,
  type ProtocolContext,
  type SimulatorOptions,
  startHttpSimulator,
} from './frame/http-simulator.ts';
import type { TakenMessage } from './frame/journal.ts';
import { withoutPlus } from './frame/phone.ts';
import type { SimulatedReceipt } from './frame/plan.ts';
import { readForm } from './frame/read-body.ts';
import type { Callback } from './frame/reports.ts';
import { integerFrom } from './frame/request-fields.ts';
import type { SimulatedCall, Simulator } from './frame/simulator.ts';
import type { Reply } from './frame/transmit.ts';

export type SmscOptions = SimulatorOptions & {
  login: string;
  password: string;
  apiKey?: string;
  balance?: string;
  /** Where receipts go, and what they are signed with. */
  callbackUrl?: string;
  callbackSecret?: string;
  callbackMethod?: 'GET' | 'POST';
};

type Fields = Record<string, string>;

const ERRORS: Record<number, string> = {
  1: 'parameters error',
  2: 'authorise error',
  3: 'no money',
  4: 'IP is blocked',
  5: 'wrong date',
  6: 'message is denied',
  7: 'invalid number',
  8: "message can't be delivered",
  9: 'duplicate request, wait a minute',
};
const ID = /^([1-9]\d{0,9}|(?!\d+$)[\w.-]{1,40})$/;
const NUMBER_MAX = 2_147_483_647;
const MINUTE_MS = 60_000;
const QUERIES_PER_MINUTE_MAX = 5;
const STATUS_WITH_OPERATOR = 0;
const STATUS_IMPOSSIBLE = 20;
const STATUSES: Record<Exclude<SimulatedReceipt, 'failed'>, number> = {
  sent: STATUS_WITH_OPERATOR,
  delivered: 1,
  read: 2,
};

/** The state of the simulator besides the messages. */
type Memory = {
  lastId: number;
  /** The statuses of messages that failed. */
  failures: Map<string, number>;
  sent: MinuteCount;
  asked: MinuteCount;
};

type Page = (fields: Fields, context: ProtocolContext, memory: Memory) => Reply | PlannedReply;

export function startSmsc(options: SmscOptions): Promise<Simulator> {
  const memory: Memory = {
    lastId: 1000,
    failures: new Map(),
    sent: countByMinute(),
    asked: countByMinute(),
  };
  const pages: Record<string, Page> = {
    '/sys/send.php': send,
    '/sys/status.php': readStatus,
    '/sys/balance.php': (fields) => readBalance(fields, options),
  };
  return startHttpSimulator(
    {
      name: 'smsc',
      refusalCode: integerFrom(1),
      answer(call, context) {
        const page = pages[call.path];
        if (page === undefined) return undefined;
        const fields = readFields(call);
        return isAuthorised(fields, options) ? page(fields, context, memory) : error(2, fields);
      },
      toReport(message, receipt, plan) {
        const isForged = plan.isForged === true;
        if (receipt === 'failed' && !isForged) {
          memory.failures.set(message.id, Number(plan.failure ?? STATUS_IMPOSSIBLE));
        }
        const status = toStatus(message.id, receipt, memory);
        return toCallback(message, { status, isForged }, options);
      },
    },
    options,
  );
}

function send(fields: Fields, context: ProtocolContext, memory: Memory): Reply | PlannedReply {
  const { phones = '', mes = '', id = String(++memory.lastId) } = fields;
  const isId = ID.test(id) && !(/^\d+$/.test(id) && Number(id) > NUMBER_MAX);
  if (phones === '' || mes === '' || !isId || !isValidPeriod(fields.valid)) return error(1, fields);
  const to = withoutPlus(phones);
  if (!/^\d{10,15}$/.test(to)) return error(7, fields);
  const text = fields.charset === 'utf-8' ? mes : asWindows1251(mes);
  const plan = context.planFor(to);
  const code = plan.does === 'refuse' ? Number(plan.code ?? 6) : undefined;
  if (code !== undefined || memory.sent.countOf(`${to} ${text}`) > 0) {
    context.journal.write({ event: 'refused', to, code: String(code ?? 9) });
    return { ...error(code ?? 9, { ...fields, id }), plan, taken: undefined };
  }
  const { sender, valid, maxsms, tinyurl, translit } = fields;
  const details = { sender, valid, maxsms, tinyurl, translit };
  const taken = context.take(plan, { id, to, text, details });
  if (taken !== undefined) memory.sent.add(`${to} ${text}`);
  const cnt = Math.ceil(text.length / 70);
  return { ...answer(fields, { id: toIdValue(taken?.id ?? id), cnt }), plan, taken };
}

function readStatus(fields: Fields, context: ProtocolContext, memory: Memory): Reply {
  const { id = '', phone = '' } = fields;
  if (id === '' || phone === '') return error(1, fields);
  memory.asked.add(id);
  if (memory.asked.countOf(id) > QUERIES_PER_MINUTE_MAX) return error(9, fields);
  if (context.find(id)?.to !== withoutPlus(phone)) {
    return answer(fields, { error: 'message not found', error_code: 3 });
  }
  const now = new Date();
  return answer(fields, {
    status: toStatus(id, context.receiptsOf(id).at(-1), memory),
    last_date: now.toISOString(),
    last_timestamp: Math.floor(now.getTime() / 1000),
    err: 0,
  });
}

function readBalance(fields: Fields, options: SmscOptions): Reply {
  const currency = fields.cur === '1' ? { currency: 'KZT' } : {};
  return answer(fields, { balance: options.balance ?? '9984.00', ...currency });
}

function toStatus(id: string, receipt: SimulatedReceipt | undefined, { failures }: Memory): number {
  if (receipt === 'failed') return failures.get(id) ?? STATUS_IMPOSSIBLE;
  return receipt === undefined ? STATUS_WITH_OPERATOR : STATUSES[receipt];
}

function toCallback(
  { id, to, details }: TakenMessage,
  report: { status: number; isForged: boolean },
  { callbackUrl, callbackSecret = '', callbackMethod = 'POST' }: SmscOptions,
): Callback | undefined {
  if (callbackUrl === undefined) return undefined;
  const secret = report.isForged ? 'somebody else' : callbackSecret;
  const signed = `${id}:${to}:${report.status}:${secret}`;
  const now = new Date();
  const form = new URLSearchParams({
    id,
    phone: to,
    status: String(report.status),
    time: now.toISOString(),
    ts: String(Math.floor(now.getTime() / 1000)),
    err: '0',
    cnt: '1',
    type: '0',
    sender: String(details?.sender ?? ''),
    md5: createHash('md5').update(signed).digest('hex'),
    sha1: createHash('sha1').update(signed).digest('hex'),
  }).toString();
  return callbackMethod === 'GET'
    ? { url: `${callbackUrl}${callbackUrl.includes('?') ? '&' : '?'}${form}`, method: 'GET' }
    : {
        url: callbackUrl,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form,
      };
}

function readFields(call: SimulatedCall): Fields {
  const posted = call.method === 'POST' ? readForm(call.body) : {};
  return { ...Object.fromEntries(call.query), ...posted };
}

function isAuthorised(fields: Fields, { login, password, apiKey }: SmscOptions): boolean {
  if (fields.apikey !== undefined) return apiKey !== undefined && fields.apikey === apiKey;
  return fields.login === login && fields.psw === password;
}

function isValidPeriod(valid: string | undefined): boolean {
  if (valid === undefined) return true;
  const [, hours = '99', minutes = '0'] = /^(\d{1,2})(?::([0-5]\d))?$/.exec(valid) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return total >= 1 && total <= 24 * 60;
}

/** What a UTF-8 text becomes when the call does not declare its charset. */
function asWindows1251(text: string): string {
  return new TextDecoder('windows-1251').decode(Buffer.from(text));
}

function error(code: number, fields: Fields): Reply {
  const id = fields.id === undefined ? {} : { id: toIdValue(fields.id) };
  return answer(fields, { error: ERRORS[code] ?? 'error', error_code: code, ...id });
}

function answer(fields: Fields, content: Record<string, unknown>): Reply {
  if (fields.fmt === '3') return { status: 200, body: JSON.stringify(content) };
  const { error: reason, error_code: code, id, cnt } = content;
  const text =
    code === undefined ? `OK - ${cnt ?? 0} SMS, ID - ${id ?? 0}` : `ERROR = ${code} (${reason})`;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: text };
}

function toIdValue(id: string): string | number {
  return /^\d+$/.test(id) ? Number(id) : id;
}

/** How often something happened within the last minute. */
type MinuteCount = { add(what: string): void; countOf(what: string): number };

function countByMinute(): MinuteCount {
  const times = new Map<string, number[]>();
  const recent = (what: string) => {
    const since = Date.now() - MINUTE_MS;
    return (times.get(what) ?? []).filter((time) => time > since);
  };
  return {
    add(what) {
      times.set(what, [...recent(what), Date.now()]);
    },
    countOf: (what) => recent(what).length,
  };
}
