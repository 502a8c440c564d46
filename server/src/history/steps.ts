import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import type { STEP_KINDS } from '@zhiber/contract/cabinet/message-words.ts';
import type { TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import type { Clicks, StoredAttempt, StoredMessage } from './message-store.ts';

/** Everything that is known about a message. */
export type Story = {
  message: StoredMessage;
  attempts: StoredAttempt[];
  verifiedAt: Date | undefined;
  clicks: Clicks;
};

type StepKind = (typeof STEP_KINDS)[number];
type Extras = Partial<Pick<TimelineStep, 'channel' | 'reason' | 'cost' | 'is_late'>>;

/** What happened to a message, in the order it happened. */
export function toSteps({ message, attempts, verifiedAt, clicks }: Story): TimelineStep[] {
  const steps = [
    step(message.created_at, 'accepted', 'Запрос принят'),
    ...attempts.flatMap((attempt, index) => [
      ...callSteps(message, attempts, attempt),
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

/** A process that died left no channel, but its receipt may still have come. */
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

/** The channel was asked, and what it answered. */
function callSteps(
  message: StoredMessage,
  attempts: readonly StoredAttempt[],
  attempt: StoredAttempt,
): TimelineStep[] {
  const { channel, settled_at, state } = attempt;
  const title = CHANNEL_TITLES[channel];
  const isFallback = message.settled_at !== null && attempt.number > 1;
  const asked = isFallback
    ? step(attempt.started_at, 'fallback', `Следующий канал: ${title}`, { channel })
    : step(attempt.started_at, 'attempt', `Отправляем через ${title}`, { channel });
  if (settled_at === null || state === 'sending') return [asked];
  if (state === 'accepted') {
    // A later channel takes over the charge, so only the one that stands has cost anything.
    const cost = standing(attempts) === attempt ? message.charged : 0;
    return [asked, step(settled_at, 'sent', `Принято каналом ${title}`, { channel, cost })];
  }
  const { reason } = attempt;
  const text = reason ?? refusalText(state, title);
  return [asked, step(settled_at, state, text, { channel, reason, cost: 0 })];
}

function standing(attempts: readonly StoredAttempt[]): StoredAttempt | undefined {
  return attempts.findLast((attempt) => attempt.state === 'accepted');
}

function refusalText(state: 'refused' | 'unavailable' | 'unknown', title: string): string {
  const texts = {
    refused: `${title} отказал`,
    unavailable: `${title} недоступен`,
    unknown: 'Исход неизвестен',
  };
  return texts[state];
}

/** What the channel told later; late when the message had moved on to the next one by then. */
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
    ...extras,
  };
}
