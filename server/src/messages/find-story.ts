import type { Channel } from '@zhiber/contract/api/channel.ts';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import {
  LINKS_PER_DAY_MAX,
  LINKS_PER_HOUR_MAX,
  OTP_PER_DAY_MAX,
  OTP_PER_HOUR_MAX,
  SEND_INTERVAL_SECONDS,
} from '@zhiber/contract/api/limits.ts';
import type { STEP_KINDS } from '@zhiber/contract/cabinet/message-words.ts';
import type { SmsWay } from '@zhiber/contract/message/sms-route-text.ts';
import { HOUR_MS } from '../almaty.ts';
import type { Context } from '../context.ts';
import { type ApiMessageKind, type CompanyId, isId, lowestIdAt, type MessageId } from '../ids.ts';
import { maskPhone, type Phone, parsePhone } from '../phone.ts';
import { type Conclusion, conclude, type Try } from './conclude.ts';
import {
  type CountedSend,
  type FoundCall,
  findBlockedMinutes,
  findCallsAbout,
  findCallsByRequest,
  findCompanyNames,
  findCompanyOfMessage,
  findCountedSends,
  findMessagesByRequest,
  findMessagesTo,
  type MessageRef,
} from './story-store.ts';
import { readStory, type Story, toSteps } from './timeline.ts';

export type StorySearch = { phone: Phone } | { id: MessageId } | { requestId: string };

/** Everything that is recorded about a client, over all companies, in order of time. No codes. */
export type FoundStory = {
  search: StorySearch;
  conclusion: Conclusion;
  events: StoryEvent[];
  companies: ReadonlyMap<CompanyId, string>;
  /** There was more than is shown: ask for a shorter time. */
  isCut: boolean;
};

export type StoryEvent = {
  at: Date;
  companyId: CompanyId;
  kind: (typeof STEP_KINDS)[number] | CallKind | 'sms_blocked';
  channel: Channel | null;
  /** The raw reason of the provider, or the first digits that the guard has blocked. */
  reason: string | null;
  cost: number | null;
  /** How an accepted SMS went. */
  sms: SmsWay | null;
  isLate: boolean;
  errorCode: string | null;
  messageId: string | null;
  requestId: string | null;
  /** Found by the visible digits of a masked phone. */
  isMasked: boolean;
  isTest: boolean;
};

const CALL_KINDS = [
  'send_refused',
  'code_verified',
  'code_wrong',
  'code_locked',
  'code_expired',
  'code_used',
  'code_missing',
  'call_refused',
  'call_done',
] as const;
type CallKind = (typeof CALL_KINDS)[number];

const MESSAGES_MAX = 50;
const CALLS_MAX = 300;
const DAY_MS = 24 * HOUR_MS;
/** A code is verified within its life, which is at most 15 minutes. */
const VERIFIED_WITHIN_MS = 15 * 60_000;

const VERIFY_PATH = `/api${ENDPOINTS.otpVerify.path}`;
const SEND_PATHS: Readonly<Record<string, ApiMessageKind>> = {
  [`/api${ENDPOINTS.otpSend.path}`]: 'otp',
  [`/api${ENDPOINTS.linkSend.path}`]: 'link',
  [`/api${ENDPOINTS.groupSend.path}`]: 'group',
};

/** A phone in any spelling, a message id or a request id; undefined when it is none of them. */
export function readStorySearch(text: string): StorySearch | undefined {
  const trimmed = text.trim();
  const id = trimmed.toLowerCase();
  if (isId(id)) return { id };
  const facts = parsePhone(trimmed);
  if (facts !== undefined) return { phone: facts.phone };
  // Digits alone were meant to be a phone.
  const isRequestId = /^[A-Za-z0-9._-]{1,64}$/.test(trimmed) && !/^[\d.-]+$/.test(trimmed);
  return isRequestId ? { requestId: trimmed } : undefined;
}

/**
 * Answers "why did this client get no code at 14:05": sends, refusals, attempts, receipts,
 * fallbacks, verifications and clicks of all companies. A message id needs no range of time.
 */
export async function findStory(
  ctx: Pick<Context, 'db'>,
  search: StorySearch,
  range: { from: Date; to: Date },
): Promise<FoundStory> {
  const found = await findAll(ctx, search, range);
  const stories = await readStories(ctx, found.messages);
  const { calls } = found;
  const tries = await toTries(ctx, { stories, calls, phone: found.phone });
  const verifications = calls.filter(({ path }) => path === VERIFY_PATH);
  const companies = [
    ...stories.map(({ companyId }) => companyId),
    ...calls.map(({ company_id }) => company_id),
  ];
  const events = [
    ...stories.flatMap(toMessageEvents),
    // Newest first, as they were read; those of one millisecond stay in their order.
    ...withoutRepeated(calls, stories).toReversed().map(toCallEvent),
    ...(await findBlocked(ctx, { ...found, companies })),
  ];
  return {
    search,
    conclusion: conclude(tries, verifications),
    events: events.sort((a, b) => a.at.getTime() - b.at.getTime()),
    companies: await findCompanyNames(ctx.db, companies),
    isCut: found.messages.length >= MESSAGES_MAX || calls.length >= CALLS_MAX,
  };
}

type Range = { from: Date; to: Date };
type Found = {
  messages: MessageRef[];
  calls: FoundCall[];
  phone: Phone | undefined;
  /** The time that the story covers. */
  range: Range;
};
type MessageStory = { companyId: CompanyId; story: Story };

async function findAll(
  ctx: Pick<Context, 'db'>,
  search: StorySearch,
  range: Range,
): Promise<Found> {
  if ('phone' in search) return await findByPhone(ctx, search.phone, range);
  if ('id' in search) {
    const company_id = await findCompanyOfMessage(ctx.db, search.id);
    const messages = company_id === undefined ? [] : [{ company_id, id: search.id }];
    return await findAround(ctx, messages, range);
  }
  return await findByRequest(ctx, search.requestId, range);
}

async function findByPhone(
  { db }: Pick<Context, 'db'>,
  phone: Phone,
  range: Range,
): Promise<Found> {
  const ids = { fromId: lowestIdAt(range.from.getTime()), toId: lowestIdAt(range.to.getTime()) };
  return {
    phone,
    range,
    messages: await findMessagesTo(db, { phone, ...ids, rowsMax: MESSAGES_MAX }),
    calls: await findCallsAbout(db, { masked: maskPhone(phone), ...range, rowsMax: CALLS_MAX }),
  };
}

/** The call with this request id. Messages are searched an hour at a time, the newest hour first. */
async function findByRequest(
  ctx: Pick<Context, 'db'>,
  requestId: string,
  { from, to }: Range,
): Promise<Found> {
  const calls = await findCallsByRequest(ctx.db, { requestId, from, to, rowsMax: CALLS_MAX });
  let messages: MessageRef[] = [];
  for (let end = to.getTime(); messages.length === 0 && end > from.getTime(); end -= HOUR_MS) {
    messages = await findMessagesByRequest(ctx.db, {
      requestId,
      fromId: lowestIdAt(Math.max(end - HOUR_MS, from.getTime())),
      toId: lowestIdAt(end),
      rowsMax: MESSAGES_MAX,
    });
  }
  const around = await findAround(ctx, messages, { from, to });
  const known = new Set(around.calls.map((call) => call.request_id));
  return { ...around, calls: [...around.calls, ...calls.filter((c) => !known.has(c.request_id))] };
}

/** Messages with what their callers were told, and the verifications of their codes. */
async function findAround(
  { db }: Pick<Context, 'db'>,
  messages: readonly MessageRef[],
  asked: Range,
): Promise<Found> {
  const calls: FoundCall[] = [];
  let phone: Phone | undefined;
  let range = asked;
  for (const { company_id: companyId, id } of messages) {
    const story = await readStory(db, companyId, id);
    if (story === undefined || story.message.kind === 'group') continue;
    const { created_at: from, request_id, recipient } = story.message;
    phone = recipient as Phone;
    range = { from, to: new Date(from.getTime() + VERIFIED_WITHIN_MS) };
    const about = await findCallsAbout(db, {
      masked: maskPhone(phone),
      ...range,
      companyId,
      rowsMax: CALLS_MAX,
    });
    calls.push(
      ...about.filter((call) => call.path === VERIFY_PATH || call.request_id === request_id),
    );
  }
  return { messages: [...messages], calls, phone, range };
}

async function readStories(
  { db }: Pick<Context, 'db'>,
  messages: readonly MessageRef[],
): Promise<MessageStory[]> {
  const stories: MessageStory[] = [];
  for (const { company_id: companyId, id } of messages) {
    const story = await readStory(db, companyId, id);
    if (story !== undefined) stories.push({ companyId, story });
  }
  return stories;
}

async function toTries(
  ctx: Pick<Context, 'db'>,
  {
    stories,
    calls,
    phone,
  }: { stories: MessageStory[]; calls: FoundCall[]; phone?: Phone | undefined },
): Promise<Try[]> {
  const known = new Set(stories.map(({ story }) => story.message.id));
  const refusals: Try[] = [];
  for (const call of calls) {
    // A refused call with a message is told by that message.
    const isTold = call.message_id !== null && known.has(call.message_id);
    if (SEND_PATHS[call.path] === undefined || call.status < 400 || isTold) continue;
    const freeAt = phone === undefined ? null : await findFreeAt(ctx, call, phone);
    refusals.push({ at: call.at, companyId: call.company_id, refusal: call, freeAt });
  }
  return [
    ...stories.map(({ companyId, story }) => ({ at: story.message.created_at, companyId, story })),
    ...refusals,
  ];
}

const LIMITS = {
  otp: { gapMs: SEND_INTERVAL_SECONDS * 1000, hourMax: OTP_PER_HOUR_MAX, dayMax: OTP_PER_DAY_MAX },
  link: { gapMs: 0, hourMax: LINKS_PER_HOUR_MAX, dayMax: LINKS_PER_DAY_MAX },
} as const;
const LIMIT_CODES = new Set(['send_rate_limited', 'daily_limit_reached']);

/** When the company's own limits allowed the next send to the phone, by what it had sent by then. */
async function findFreeAt(
  { db }: Pick<Context, 'db'>,
  call: FoundCall,
  phone: Phone,
): Promise<Date | null> {
  const kind = SEND_PATHS[call.path];
  if (kind === undefined || kind === 'group' || !LIMIT_CODES.has(call.error_code ?? ''))
    return null;
  const { dayMax } = LIMITS[kind];
  const sends = await findCountedSends(db, {
    companyId: call.company_id,
    phone,
    kind,
    isTest: call.is_test,
    before: call.at,
    fromId: lowestIdAt(call.at.getTime() - DAY_MS),
    toId: lowestIdAt(call.at.getTime() + 1),
    rowsMax: dayMax,
  });
  return freeAtOf(sends, kind, call.at);
}

/** Null when these sends do not explain the refusal: then the phone had enough from other companies. */
export function freeAtOf(
  newestFirst: readonly CountedSend[],
  kind: keyof typeof LIMITS,
  at: Date,
): Date | null {
  const { gapMs, hourMax, dayMax } = LIMITS[kind];
  const [last] = newestFirst;
  const free = [
    last === undefined ? 0 : (last.settled_at ?? last.created_at).getTime() + gapMs,
    (newestFirst[hourMax - 1]?.created_at.getTime() ?? 0) + HOUR_MS,
    (newestFirst[dayMax - 1]?.created_at.getTime() ?? 0) + DAY_MS,
  ];
  const freeMs = Math.max(...free);
  return freeMs > at.getTime() ? new Date(freeMs) : null;
}

function toMessageEvents({ companyId, story }: MessageStory): StoryEvent[] {
  return toSteps(story).map((step) => ({
    at: new Date(step.at),
    companyId,
    kind: step.step,
    channel: step.channel,
    reason: step.reason,
    cost: step.cost,
    sms: step.sms,
    isLate: step.is_late,
    errorCode: null,
    messageId: story.message.id,
    requestId: step.step === 'accepted' ? story.message.request_id : null,
    isMasked: false,
    isTest: story.message.is_test,
  }));
}

/** Without the verifications that a message tells about: its own has the exact phone. */
function withoutRepeated(calls: readonly FoundCall[], stories: readonly MessageStory[]) {
  const verified = stories.flatMap(({ companyId, story }) =>
    story.verifiedAt === undefined ? [] : [{ companyId, ms: story.verifiedAt.getTime() }],
  );
  // The log is written up to a moment after the code was consumed.
  const isTold = (call: FoundCall) =>
    verified.some(
      ({ companyId, ms }) =>
        call.company_id === companyId && Math.abs(call.at.getTime() - ms) < 2_000,
    );
  return calls.filter((call) => kindOf(call) !== 'code_verified' || !isTold(call));
}

const VERIFY_KINDS: Readonly<Record<string, CallKind>> = {
  invalid_code: 'code_wrong',
  too_many_attempts: 'code_locked',
  code_expired: 'code_expired',
  code_already_used: 'code_used',
  code_not_found: 'code_missing',
};

function kindOf({ path, status, error_code }: FoundCall): CallKind {
  if (path === VERIFY_PATH && status < 400) return 'code_verified';
  if (path === VERIFY_PATH) return VERIFY_KINDS[error_code ?? ''] ?? 'call_refused';
  if (status < 400) return 'call_done';
  return SEND_PATHS[path] === undefined ? 'call_refused' : 'send_refused';
}

function toCallEvent(call: FoundCall): StoryEvent {
  return {
    at: call.at,
    companyId: call.company_id,
    kind: kindOf(call),
    channel: null,
    reason: null,
    cost: null,
    sms: null,
    isLate: false,
    errorCode: call.error_code,
    messageId: call.message_id,
    requestId: call.request_id,
    isMasked: call.message_id === null && call.phone !== null,
    isTest: call.is_test,
  };
}

/** SMS that the guard kept back leave no trace in a message that went by a messenger. */
async function findBlocked(
  { db }: Pick<Context, 'db'>,
  {
    companies,
    phone,
    range,
  }: { companies: readonly CompanyId[]; phone: Phone | undefined; range: Range },
): Promise<StoryEvent[]> {
  if (phone === undefined) return [];
  const minutes = await findBlockedMinutes(db, { companies, phone, ...range });
  return minutes.map(({ company_id: companyId, minute, prefix }) => ({
    at: minute,
    companyId,
    kind: 'sms_blocked',
    channel: 'sms',
    reason: `+${prefix}`,
    cost: null,
    sms: null,
    isLate: false,
    errorCode: null,
    messageId: null,
    requestId: null,
    isMasked: false,
    isTest: false,
  }));
}
