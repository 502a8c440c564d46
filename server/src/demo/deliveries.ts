import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Chance } from './random.ts';

export type Receipt = 'unconfirmed' | 'failed' | 'delivered' | 'read';

/** One call of a channel; seconds are counted from the request. */
export type DemoAttempt = {
  channel: Channel;
  state: 'accepted' | 'refused';
  reason: string | null;
  receipt: Receipt | null;
  startedSeconds: number;
  settledSeconds: number;
  receiptSeconds: number | null;
  deliveredSeconds: number | null;
};

/** What becomes of a message: the channels that are tried, the last of which decides. */
export type Delivery = readonly DemoAttempt[];

/** After so much silence the next channel is tried. */
const FALLBACK_SECONDS = 30;
const REASONS = {
  whatsapp: 'Номер не зарегистрирован в WhatsApp',
  telegram: 'Получатель не найден в Telegram',
  sms: 'Номер не обслуживается',
} as const satisfies Record<Channel, string>;
/** How long a channel takes to confirm, and how many people are seen to read what it brings. */
const HABITS = {
  whatsapp: { from: 1.4, to: 4.5, slowShare: 0.06, slowTo: 19, readShare: 0.55 },
  telegram: { from: 0.8, to: 3, slowShare: 0.04, slowTo: 12, readShare: 0.5 },
  sms: { from: 3, to: 11, slowShare: 0.08, slowTo: 45, readShare: 0 },
} as const satisfies Record<Channel, object>;

const WRONG_NUMBERS = 0.009;

type End = 'delivered' | 'silent' | 'failed' | 'refused';

/**
 * Plays one message through its channels. While WhatsApp has its incident it accepts everything and
 * confirms nothing, so that each message goes on to the next channel.
 */
export function deliver(
  chance: Chance,
  { route, isWhatsappDown }: { route: readonly Channel[]; isWhatsappDown: boolean },
): Delivery {
  const attempts: DemoAttempt[] = [];
  // Mistyped: no messenger knows it, and an SMS to it does not arrive.
  const isWrongNumber = chance.is(WRONG_NUMBERS);
  let startedSeconds = 0;
  for (const [place, channel] of route.entries()) {
    const isLast = place === route.length - 1;
    const isDown = isWhatsappDown && channel === 'whatsapp';
    const end = isWrongNumber
      ? wrongNumberEnd(chance, channel)
      : endOf(chance, { channel, isLast, isDown });
    const attempt = attemptOf(chance, { channel, end, startedSeconds, isLast });
    attempts.push(attempt);
    if (end === 'delivered' || (end === 'silent' && isLast)) break;
    const { settledSeconds, receiptSeconds } = attempt;
    startedSeconds =
      (end === 'refused' ? settledSeconds : (receiptSeconds ?? settledSeconds)) + 0.1;
  }
  return attempts;
}

function wrongNumberEnd(chance: Chance, channel: Channel): End {
  if (channel !== 'sms') return 'refused';
  return chance.pick(['silent', 'failed', 'failed', 'refused'] as const);
}

function endOf(
  chance: Chance,
  { channel, isLast, isDown }: { channel: Channel; isLast: boolean; isDown: boolean },
): End {
  if (isDown) return 'silent';
  const luck = chance.next();
  if (isLast) {
    if (luck < 0.012) return 'failed';
    return luck < 0.024 ? 'silent' : 'delivered';
  }
  if (luck < (channel === 'telegram' ? 0.14 : 0.03)) return 'refused';
  if (luck > 0.994) return 'failed';
  return luck > 0.974 ? 'silent' : 'delivered';
}

function attemptOf(
  chance: Chance,
  {
    channel,
    end,
    startedSeconds,
    isLast,
  }: { channel: Channel; end: End; startedSeconds: number; isLast: boolean },
): DemoAttempt {
  const settledSeconds = startedSeconds + 0.15 + chance.next() * 0.5;
  const attempt = { channel, startedSeconds, settledSeconds, reason: null, deliveredSeconds: null };
  if (end === 'refused') {
    return {
      ...attempt,
      state: 'refused',
      reason: REASONS[channel],
      receipt: null,
      receiptSeconds: null,
    };
  }
  if (end === 'silent') {
    const receiptSeconds = settledSeconds + (isLast ? 600 : FALLBACK_SECONDS);
    return { ...attempt, state: 'accepted', receipt: 'unconfirmed', receiptSeconds };
  }
  const { from, to, slowShare, slowTo, readShare } = HABITS[channel];
  const longest = chance.is(slowShare) ? slowTo : to;
  const confirmed = settledSeconds + from + chance.next() ** 2 * (longest - from);
  if (end === 'failed') {
    return {
      ...attempt,
      state: 'accepted',
      reason: 'Абонент недоступен',
      receipt: 'failed',
      receiptSeconds: confirmed,
    };
  }
  const isRead = chance.is(readShare);
  return {
    ...attempt,
    state: 'accepted',
    receipt: isRead ? 'read' : 'delivered',
    receiptSeconds: isRead ? confirmed + 2 + chance.next() * 20 : confirmed,
    deliveredSeconds: confirmed,
  };
}
