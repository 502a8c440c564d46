import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { STEP_KINDS } from '@zhiber/contract/cabinet/message-words.ts';
import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../db/sql.ts';
import { findMessage, type StoredMessage } from '../delivery/message-store.ts';
import type { AttemptState } from '../delivery/settle-store.ts';
import { listSms, type StoredSms } from '../delivery/sms-route-store.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import { operatorName } from '../numbering-plan.ts';
import {
  type Clicks,
  countClicks,
  findAttempts,
  findVerifiedAt,
  type StoredAttempt,
  shownState,
} from './message-store.ts';

export type Timeline = {
  message_id: MessageId;
  kind: StoredMessage['kind'];
  phone: string;
  mode: 'test' | 'live';
  state: MessageState;
  channel: Channel | null;
  cost: number;
  created_at: string;
  steps: TimelineStep[];
};

const NO_CLICKS: Clicks = { count: 0, first_at: null };

export async function readStory(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Story | undefined> {
  const message = await findMessage(sql, companyId, id);
  if (message === undefined) return undefined;
  const { kind, slug } = message;
  const stored = await findAttempts(sql, companyId, id);
  const first = firstAttempt(message);
  return {
    message,
    attempts: stored.length > 0 || first === undefined ? stored : [first],
    sms: await listSms(sql, companyId, id),
    verifiedAt: kind === 'otp' ? await findVerifiedAt(sql, companyId, id) : undefined,
    clicks: slug === null ? NO_CLICKS : await countClicks(sql, companyId, slug),
  };
}

/** The timeline of a message: every attempt with its channel, time and reason, in order of time. */
export async function findTimeline(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Timeline | undefined> {
  const story = await readStory(sql, companyId, id);
  if (story === undefined) return undefined;
  const { message } = story;
  return {
    message_id: message.id,
    kind: message.kind,
    phone: message.kind === 'group' ? message.recipient : `+${message.recipient}`,
    mode: message.is_test ? 'test' : 'live',
    state: shownState(message),
    channel: message.channel,
    cost: message.charged,
    created_at: message.created_at.toISOString(),
    steps: toSteps(story),
  };
}

/** Everything that is recorded about a message. */
export type Story = {
  message: StoredMessage;
  attempts: StoredAttempt[];
  verifiedAt: Date | undefined;
  clicks: Clicks;
  sms: readonly StoredSms[];
};

type StepKind = (typeof STEP_KINDS)[number];
type Extras = Partial<Pick<TimelineStep, 'channel' | 'reason' | 'cost' | 'is_late' | 'sms'>>;

/** The events of a message, in order of time. */
export function toSteps(story: Story): TimelineStep[] {
  const { message, attempts, verifiedAt, clicks } = story;
  const steps = [
    step(message.created_at, 'accepted', 'Запрос принят'),
    ...attempts.flatMap((attempt, index) => [
      ...callSteps(story, attempt),
      ...receiptSteps(attempt, attempts[index + 1]?.started_at),
    ]),
    ...stepsWithoutChannel(message),
  ];
  if (verifiedAt !== undefined) steps.push(step(verifiedAt, 'verified', 'Код подтверждён'));
  if (clicks.first_at !== null) {
    steps.push(step(clicks.first_at, 'clicked', `Ссылку открыли, всего раз: ${clicks.count}`));
  }
  return steps.sort((a, b) => a.at.localeCompare(b.at));
}

/** A process that died recorded no channel, but a receipt may have arrived later. */
function stepsWithoutChannel(message: StoredMessage): TimelineStep[] {
  if (message.channel !== null) return [];
  const steps: TimelineStep[] = [];
  if (message.state === 'unknown' && message.settled_at !== null) {
    const { reason } = message;
    steps.push(
      step(message.settled_at, 'unknown', reason ?? 'Исход неизвестен', { reason, cost: 0 }),
    );
  }
  if (message.receipt_at !== null && message.receipt !== null) {
    steps.push(step(message.receipt_at, message.receipt, 'Канал сообщил уже после сбоя'));
  }
  return steps;
}

/** The call to the channel, and its answer. */
function callSteps(story: Story, attempt: StoredAttempt): TimelineStep[] {
  const { message, attempts } = story;
  const { channel, settled_at, state } = attempt;
  const title = CHANNEL_TITLES[channel];
  const isFallback = message.settled_at !== null && attempt.number > 1;
  const call = isFallback
    ? step(attempt.started_at, 'fallback', `Следующий канал: ${title}`, { channel })
    : step(attempt.started_at, 'attempt', `Отправляем через ${title}`, { channel });
  if (settled_at === null || state === 'sending') return [call];
  if (state === 'accepted') {
    const cost = chargedAttempt(message, attempts) === attempt ? message.charged : 0;
    const sms = smsWay(story, attempt);
    return [call, step(settled_at, 'sent', `Принято каналом ${title}`, { channel, cost, sms })];
  }
  const { reason } = attempt;
  const text = reason ?? refusalText(state, title);
  return [call, step(settled_at, state, text, { channel, reason, cost: 0 })];
}

/** What the provider gave as the id begins with its name. */
function smsWay(
  { message, sms }: Story,
  { channel, number, provider_id }: StoredAttempt,
): TimelineStep['sms'] {
  const provider = provider_id?.split(':', 1)[0];
  if (message.is_test || channel !== 'sms' || provider === undefined) return null;
  const { parts = 1, why = null, operator = null } = sms.find((one) => one.number === number) ?? {};
  return { provider, parts, why, operator: operator && operatorName(operator) };
}

/** The charge is that of the channel that delivered, or else of the first that accepted. */
function chargedAttempt(
  { charged }: StoredMessage,
  attempts: readonly StoredAttempt[],
): StoredAttempt | undefined {
  const payable = attempts.filter(({ state, price }) => state === 'accepted' && price === charged);
  return payable.find(({ delivered_at }) => delivered_at !== null) ?? payable[0];
}

function refusalText(state: 'refused' | 'unavailable' | 'unknown', title: string): string {
  const texts = {
    refused: `${title} отказал`,
    unavailable: `${title} недоступен`,
    unknown: 'Исход неизвестен',
  };
  return texts[state];
}

/** The receipts of a channel; late when the message had moved on to the next channel by then. */
function receiptSteps(attempt: StoredAttempt, nextStartedAt: Date | undefined): TimelineStep[] {
  const { receipt, receipt_at, delivered_at, channel, reason } = attempt;
  if (receipt === null || receipt_at === null) return [];
  const lateness = (at: Date) => ({
    channel,
    is_late: nextStartedAt !== undefined && at > nextStartedAt,
  });
  const delivered = (at: Date) =>
    step(at, 'delivered', `Доставлено через ${CHANNEL_TITLES[channel]}`, lateness(at));
  switch (receipt) {
    case 'delivered':
      return [delivered(delivered_at ?? receipt_at)];
    case 'read':
      if (channel === 'sms') return [delivered(delivered_at ?? receipt_at)];
      return [
        ...(delivered_at === null ? [] : [delivered(delivered_at)]),
        step(receipt_at, 'read', 'Прочитано', lateness(receipt_at)),
      ];
    case 'failed':
      return [
        step(receipt_at, 'failed', reason ?? 'Не доставлено', { ...lateness(receipt_at), reason }),
      ];
    case 'unconfirmed':
      return [step(receipt_at, 'unconfirmed', unconfirmedText(channel), { channel })];
  }
}

function unconfirmedText(channel: Channel): string {
  return channel === 'whatsapp'
    ? 'WhatsApp не подтвердил доставку. Проверьте, правильно ли указан номер'
    : 'Доставка не подтверждена';
}

function step(at: Date, kind: StepKind, text: string, extras: Extras = {}): TimelineStep {
  return {
    at: at.toISOString(),
    step: kind,
    channel: null,
    text,
    reason: null,
    cost: null,
    is_late: false,
    sms: null,
    ...extras,
  };
}

/** How the single attempt of a message ended, by the state of the message. */
const FIRST_STATES = {
  sending: 'sending',
  sent: 'accepted',
  failed: 'refused',
  unknown: 'unknown',
} as const satisfies Record<StoredMessage['state'], AttemptState | 'sending'>;

/** The columns of a message that record its single attempt. */
export type AttemptRecord = Pick<
  StoredMessage,
  | 'channel'
  | 'state'
  | 'charged'
  | 'reason'
  | 'receipt'
  | 'created_at'
  | 'settled_at'
  | 'receipt_at'
  | 'delivered_at'
> &
  // Lists do not read it.
  Partial<Pick<StoredMessage, 'provider_id'>>;

/** The attempt of a message with a single one; undefined while no channel is known. */
export function firstAttempt(message: AttemptRecord): StoredAttempt | undefined {
  if (message.channel === null) return undefined;
  return {
    number: 1,
    channel: message.channel,
    state: FIRST_STATES[message.state],
    price: message.charged,
    reason: message.reason,
    receipt: message.receipt,
    started_at: message.created_at,
    settled_at: message.settled_at,
    receipt_at: message.receipt_at,
    delivered_at: message.delivered_at,
    provider_id: message.provider_id ?? null,
  };
}
