import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import type { AnswerOf, QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { Outcome } from '@zhiber/contract/cabinet/request-words.ts';
import type { REQUEST_ENDPOINTS, RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import { type BucketRange, bucketEdges } from '../almaty.ts';
import type { Context } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import {
  type ApiMessageKind,
  type CompanyId,
  isId,
  lowestIdAt,
  type MessageId,
  timeOfId,
} from '../ids.ts';
import { maskPhone, type Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { countByBucket, countErrors, countWrongCodes } from './count-errors.ts';
import { mergeStreams, type StreamPage } from './merge-streams.ts';
import { spanOf } from './message-query.ts';
import { openUsage } from './open-usage.ts';
import { readRequestSearch } from './request-search.ts';
import {
  type AcceptedCall,
  findKeysByName,
  type LoggedCall,
  type LogPosition,
  type RequestQuery,
  type Scanned,
  scanAccepted,
  scanLog,
  WINDOW,
} from './request-store.ts';

export type RequestFilter = Omit<QueryOf<typeof REQUEST_ENDPOINTS.requests>, 'cursor'>;

export type RequestPage = {
  rows: RequestRow[];
  next: string | null;
  searchedUntil: Date | null;
};

const PAGE_ROWS = 50;
/** The last instant that the database and every client can represent. */
const LATEST_MS = Date.parse('9999-01-01T00:00:00Z');

/** What an accepted send is answered with. */
const SENT_STATUS = 200;

const PATHS = {
  otp: `/api${ENDPOINTS.otpSend.path}`,
  link: `/api${ENDPOINTS.linkSend.path}`,
  group: `/api${ENDPOINTS.groupSend.path}`,
} as const satisfies Record<ApiMessageKind, string>;

async function toQuery(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  filter: RequestFilter,
): Promise<RequestQuery> {
  const { fromMs, toMs } = spanOf(filter, ctx.clock.now());
  const query: RequestQuery = {
    from: new Date(Math.min(Math.max(fromMs, 0), LATEST_MS)),
    to: new Date(Math.min(Math.max(toMs, 0), LATEST_MS)),
    search: readRequestSearch(filter.search ?? ''),
    outcome: filter.outcome,
    path: filter.path,
    errorCode: filter.error_code,
    keyIds: filter.key_id === undefined ? undefined : [filter.key_id],
    requestId: filter.request_id,
  };
  return await withKeyNames(ctx.db, companyId, query);
}

/** A text that is the beginning of a key's name means the key. */
async function withKeyNames(
  sql: Sql,
  companyId: CompanyId,
  query: RequestQuery,
): Promise<RequestQuery> {
  const { search } = query;
  if (search === undefined || !('text' in search)) return query;
  const named = await findKeysByName(sql, companyId, search.text);
  if (named.length === 0) return query;
  const { keyIds = named } = query;
  return { ...query, search: undefined, keyIds: named.filter((id) => keyIds.includes(id)) };
}

/** Every call, newest first: accepted sends from the messages, all others from the request log. */
export async function listRequests(
  ctx: Pick<Context, 'db' | 'reads' | 'clock'>,
  companyId: CompanyId,
  filter: RequestFilter,
  cursor: string | undefined,
): Promise<RequestPage> {
  const query = await toQuery(ctx, companyId, filter);
  // The newest calls are on the first page.
  const sql = cursor === undefined ? ctx.db : ctx.reads;
  const from: RequestCursor =
    cursor === undefined ? { log: undefined, message: undefined } : readCursor(cursor);
  const rowsMax = PAGE_ROWS + 1;
  const logged = await scanLog(sql, companyId, query, { after: from.log, rowsMax });
  const accepted = await scanKinds(sql, companyId, query, { after: from.message, rowsMax });
  const merged = mergeStreams(
    { a: from.log, b: from.message },
    toStream(logged, fromLog),
    toStream(accepted, fromMessage),
    PAGE_ROWS,
  );
  const { next, searchedUntilMs } = merged;
  return {
    rows: merged.rows,
    next: next === undefined ? null : writeCursor({ log: next.a, message: next.b }),
    searchedUntil: searchedUntilMs === undefined ? null : new Date(searchedUntilMs),
  };
}

/** Windows of messages that are read for one call. An older one is found by its message. */
const WINDOWS_MAX = 20;

export type FoundCall = { row: RequestRow; phone: Phone | undefined } & (
  | { logged: LoggedCall }
  | { accepted: AcceptedCall }
);

/** The newest call with a request id. */
export async function findCall(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  requestId: string,
): Promise<FoundCall | undefined> {
  const query = await toQuery(ctx, companyId, { request_id: requestId });
  const { rows } = await scanLog(ctx.db, companyId, query, { after: undefined, rowsMax: 1 });
  const [logged] = rows;
  if (logged !== undefined) {
    const { recipient } = logged;
    return {
      row: fromLog(logged).row,
      logged,
      phone: (recipient ?? undefined) as Phone | undefined,
    };
  }
  let after: MessageId | undefined;
  for (let window = 0; window < WINDOWS_MAX; window++) {
    const scanned = await scanKinds(ctx.db, companyId, query, { after, rowsMax: 1 });
    const accepted = scanned.rows.find((row) => row.is_match);
    if (accepted !== undefined) {
      return { row: fromMessage(accepted).row, accepted, phone: accepted.recipient as Phone };
    }
    after = scanned.rows.at(-1)?.id;
    if (after === undefined) return undefined;
  }
  return undefined;
}

/** Reads messages only when an accepted send can match the filter. */
async function scanKinds(
  sql: Sql,
  companyId: CompanyId,
  query: RequestQuery,
  page: { after: MessageId | undefined; rowsMax: number },
): Promise<Scanned<AcceptedCall>> {
  const kinds = (Object.keys(PATHS) as ApiMessageKind[]).filter((kind) =>
    isWanted(query, PATHS[kind]),
  );
  const isOther = query.outcome !== undefined && query.outcome !== 'ok';
  if (isOther || query.errorCode !== undefined || kinds.length === 0) return { rows: [] };
  const { keyIds, requestId, search } = query;
  const fromId = lowestIdAt(query.from.getTime());
  const toId = lowestIdAt(query.to.getTime());
  return await scanAccepted(
    sql,
    companyId,
    { fromId, toId, kinds, keyIds, requestId, search },
    page,
  );
}

/** Whether an accepted send to a path can match the filter. */
function isWanted({ path, search }: Pick<RequestQuery, 'path' | 'search'>, sent: string): boolean {
  if (path !== undefined && path !== sent) return false;
  if (search === undefined) return true;
  if ('errorCode' in search) return false;
  if ('status' in search) return search.status === SENT_STATUS;
  return !('path' in search) || search.path === sent;
}

type Read<Row, Position> = (row: Row) => { row: RequestRow; timeMs: number; position: Position };

/** The matches, and where the window ended if it held too few of them. */
function toStream<Row extends { is_match: boolean; place: number }, Position>(
  { rows }: { rows: readonly Row[] },
  read: Read<Row, Position>,
): StreamPage<RequestRow, Position> {
  const items = rows
    .filter((row) => row.is_match)
    .slice(0, PAGE_ROWS + 1)
    .map(read);
  const last = rows.at(-1);
  const isCut = items.length <= PAGE_ROWS && last?.place === WINDOW;
  return { items, stopped: isCut ? read(last) : undefined };
}

function fromLog(call: LoggedCall): ReturnType<Read<LoggedCall, LogPosition>> {
  const timeMs = Math.floor(call.micros / 1000);
  return {
    timeMs,
    position: { micros: call.micros, requestId: call.request_id },
    row: {
      request_id: call.request_id,
      at: new Date(timeMs).toISOString(),
      path: call.path,
      status: call.status,
      error_code: call.error_code,
      duration_ms: call.duration_ms,
      key: { id: call.key_id, name: call.key_name, mode: call.is_test ? 'test' : 'live' },
      phone: call.phone,
      channel: call.channel,
      message_id: call.message_id,
    },
  };
}

/** Phones are masked for every role, as they are in the request log. */
function fromMessage(call: AcceptedCall): ReturnType<Read<AcceptedCall, MessageId>> {
  return {
    timeMs: timeOfId(call.id).getTime(),
    position: call.id,
    row: {
      request_id: call.request_id,
      at: call.created_at.toISOString(),
      path: PATHS[call.kind],
      status: SENT_STATUS,
      error_code: null,
      duration_ms: Math.max(call.answered_at.getTime() - call.created_at.getTime(), 0),
      key: { id: call.key_id, name: call.key_name, mode: call.is_test ? 'test' : 'live' },
      phone: call.kind === 'group' ? null : maskPhone(call.recipient as Phone),
      channel: call.channel,
      message_id: call.id,
    },
  };
}

/** Where the two lists of calls continue; undefined is their beginning. */
export type RequestCursor = { log: LogPosition | undefined; message: MessageId | undefined };

const POSITION = /^(\d{1,16}):([A-Za-z0-9._-]{1,64})$/;

export function writeCursor({ log, message }: RequestCursor): string {
  const position = log === undefined ? '' : `${log.micros}:${log.requestId}`;
  return `${message ?? ''}~${position}`;
}

/** Refuses any text that `writeCursor` cannot have written. */
export function readCursor(text: string): RequestCursor {
  const [message = '', position = '', ...rest] = text.split('~');
  const log = position === '' ? undefined : parsePosition(position);
  const isValid = rest.length === 0 && (message === '' || isId(message)) && text.includes('~');
  if (!isValid || (position !== '' && log === undefined)) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  return { log, message: message === '' ? undefined : (message as MessageId) };
}

function parsePosition(text: string): LogPosition | undefined {
  const match = POSITION.exec(text);
  const micros = Number(match?.[1]);
  if (match === null || !Number.isSafeInteger(micros)) return undefined;
  return { micros, requestId: match[2] as string };
}

export type RequestErrors = Omit<AnswerOf<typeof REQUEST_ENDPOINTS.requestErrors>, 'success'>;

/** The results of calls: refusals by error code, and all calls by status over time. */
export async function readRequestErrors(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
  companyId: CompanyId,
  range: BucketRange,
): Promise<RequestErrors> {
  const edges = bucketEdges(range, ctx.clock.now());
  const usage = await openUsage(ctx, companyId, edges[0] as Date);
  const calls = await usage.calls({ edges });
  const sums = await usage.sends({ edges });
  const count = (outcome: Outcome) => countByBucket(calls, edges.length - 1, [outcome]);
  const [ok, wrongCode] = [count('ok'), count('wrong_code')];
  const [refused, failed] = [count('refused'), count('failed')];
  const sent = (bucket: number) =>
    sums.reduce((sum, row) => sum + (row.bucket === bucket ? row.accepted : 0), 0);
  return {
    errors: countErrors(calls),
    wrong_codes: countWrongCodes(calls),
    buckets: edges.slice(0, -1).map((at, bucket) => ({
      at: at.toISOString(),
      ok: (ok[bucket] ?? 0) + sent(bucket),
      wrong_code: wrongCode[bucket] ?? 0,
      refused: refused[bucket] ?? 0,
      failed: failed[bucket] ?? 0,
    })),
  };
}
