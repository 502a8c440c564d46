import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import {
  findAttempts,
  findMessage,
  findVerifiedAt,
  type StoredAttempt,
  type StoredMessage,
  shownState,
} from './message-store.ts';

export type StepKind =
  | 'accepted'
  | 'attempt'
  | 'sent'
  | 'refused'
  | 'unavailable'
  | 'unknown'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'unconfirmed'
  | 'fallback'
  | 'verified';

export type Step = { at: string; step: StepKind; channel: Channel | null; text: string };

export type Timeline = {
  message_id: MessageId;
  kind: StoredMessage['kind'];
  phone: string;
  mode: 'test' | 'live';
  state: MessageState;
  channel: Channel | null;
  cost: number;
  created_at: string;
  steps: Step[];
};

/**
 * A message as a story: every attempt with its channel, time and reason, in the order it happened.
 */
export async function readTimeline(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Timeline | undefined> {
  const message = await findMessage(sql, companyId, id);
  if (message === undefined) return undefined;
  const attempts = await findAttempts(sql, companyId, id);
  const verifiedAt = message.kind === 'otp' ? await findVerifiedAt(sql, companyId, id) : undefined;
  return {
    message_id: message.id,
    kind: message.kind,
    phone: message.kind === 'group' ? message.recipient : `+${message.recipient}`,
    mode: message.is_test ? 'test' : 'live',
    state: shownState(message),
    channel: message.channel,
    cost: message.charged,
    created_at: message.created_at.toISOString(),
    steps: toSteps(message, attempts.length > 0 ? attempts : [firstAttempt(message)], verifiedAt),
  };
}

/** A message with a single attempt is the record of that attempt. */
function firstAttempt(message: StoredMessage): StoredAttempt | undefined {
  if (message.channel === null) return undefined;
  const states = {
    sending: 'sending',
    sent: 'accepted',
    failed: 'refused',
    unknown: 'unknown',
  } as const;
  return {
    number: 1,
    channel: message.channel,
    state: states[message.state],
    reason: message.reason,
    receipt: message.receipt,
    started_at: message.created_at,
    settled_at: message.settled_at,
    receipt_at: message.receipt_at,
    delivered_at: message.delivered_at,
  };
}

function toSteps(
  message: StoredMessage,
  attempts: readonly (StoredAttempt | undefined)[],
  verifiedAt: Date | undefined,
): Step[] {
  const steps: Step[] = [
    step(message.created_at, 'accepted', null, 'Запрос принят'),
    ...attempts.flatMap((attempt) => (attempt === undefined ? [] : attemptSteps(message, attempt))),
  ];
  if (message.state === 'unknown' && message.channel === null && message.settled_at !== null) {
    steps.push(step(message.settled_at, 'unknown', null, message.reason ?? 'Исход неизвестен'));
  }
  if (message.channel === null && message.receipt_at !== null && message.receipt !== null) {
    steps.push(step(message.receipt_at, message.receipt, null, 'Канал сообщил уже после сбоя'));
  }
  if (verifiedAt !== undefined) steps.push(step(verifiedAt, 'verified', null, 'Код подтверждён'));
  return steps.sort((a, b) => a.at.localeCompare(b.at));
}

function attemptSteps(message: StoredMessage, attempt: StoredAttempt): Step[] {
  const title = CHANNEL_TITLES[attempt.channel];
  const isFallback = message.settled_at !== null && attempt.number > 1;
  const steps = [
    step(
      attempt.started_at,
      isFallback ? 'fallback' : 'attempt',
      attempt.channel,
      isFallback ? `Следующий канал: ${title}` : `Отправляем через ${title}`,
    ),
  ];
  const outcome = outcomeStep(attempt, title);
  if (outcome !== undefined) steps.push(outcome);
  if (attempt.receipt === 'read' && attempt.delivered_at !== null) {
    steps.push(deliveredStep(attempt.delivered_at, attempt.channel));
  }
  const receipt = receiptStep(attempt);
  if (receipt !== undefined) steps.push(receipt);
  return steps;
}

function outcomeStep(attempt: StoredAttempt, title: string): Step | undefined {
  const { settled_at, channel, reason } = attempt;
  if (settled_at === null) return undefined;
  switch (attempt.state) {
    case 'sending':
      return undefined;
    case 'accepted':
      return step(settled_at, 'sent', channel, `Принято каналом ${title}`);
    case 'refused':
      return step(settled_at, 'refused', channel, reason ?? `${title} отказал`);
    case 'unavailable':
      return step(settled_at, 'unavailable', channel, reason ?? `${title} недоступен`);
    case 'unknown':
      return step(settled_at, 'unknown', channel, reason ?? 'Исход неизвестен');
  }
}

function receiptStep(attempt: StoredAttempt): Step | undefined {
  const { receipt, receipt_at, channel } = attempt;
  if (receipt === null || receipt_at === null) return undefined;
  switch (receipt) {
    case 'delivered':
      return deliveredStep(receipt_at, channel);
    case 'read':
      return step(receipt_at, 'read', channel, 'Прочитано');
    case 'failed':
      return step(receipt_at, 'failed', channel, attempt.reason ?? 'Не доставлено');
    case 'unconfirmed':
      return step(receipt_at, 'unconfirmed', channel, unconfirmedText(channel));
  }
}

function deliveredStep(at: Date, channel: Channel): Step {
  return step(at, 'delivered', channel, `Доставлено через ${CHANNEL_TITLES[channel]}`);
}

function unconfirmedText(channel: Channel): string {
  return channel === 'whatsapp'
    ? 'WhatsApp не подтвердил доставку. Проверьте, правильно ли указан номер'
    : 'Доставка не подтверждена';
}

function step(at: Date, kind: StepKind, channel: Channel | null, text: string): Step {
  return { at: at.toISOString(), step: kind, channel, text };
}
