import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageDetail, TimelineStep } from '@zhiber/contract/cabinet/messages.ts';
import { TIME_ZONE } from '../../design/format/format.ts';
import { formatPhone } from '../../design/format/phone.ts';
import type { clientSummary, SummaryThing } from '../../texts/ru/client-summary.ts';

export type SummaryWords = typeof clientSummary;
export type Summarised = Pick<
  MessageDetail,
  'kind' | 'has_link' | 'phone' | 'at' | 'state' | 'mode' | 'steps'
>;

/** What became of the message on one channel. */
type Result = 'delivered' | 'read' | 'failed' | 'refused' | 'unknown' | 'unconfirmed' | 'waiting';
type Attempt = {
  channel: Channel;
  startedAt: string;
  result: Result;
  /** Of the result. */
  at: string;
  isLate: boolean;
};
type Begun = Omit<Attempt, 'result'> & { result: Result | undefined };

/**
 * The story of a message in plain sentences, for its recipient: no code, no cost, no words of ours,
 * and the phone masked.
 */
export function summaryOf(message: Summarised, words: SummaryWords): string {
  const begun = attemptsOf(message);
  const attempts = begun.filter((attempt): attempt is Attempt => attempt.result !== undefined);
  const isUnderWay = attempts.length > 0 && attempts.length < begun.length;
  const times = createTimes(message.at, words);
  const begin = { at: times.start, thing: thingOf(message), to: recipientOf(message, words) };
  const sentences = [
    ...(attempts.length === 0
      ? notBegun(message, begin, words)
      : attempts.map((attempt, place) =>
          place === 0
            ? firstSentences(attempt, { ...begin, isOnly: begun.length === 1, times, words })
            : moveSentence(attempts[place - 1] as Attempt, attempt, {
                ...begin,
                isLast: place === attempts.length - 1,
                times,
                words,
              }),
        )),
    ...(isUnderWay ? [words.alone.underWay(begin.thing)] : []),
    ...lateSentences(attempts, times, words),
    ...happened(message.steps, 'verified', (at) => words.verified(times.of(at))),
    ...happened(message.steps, 'clicked', (at) => words.clicked(times.of(at))),
    ...(message.mode === 'test' ? [words.test] : []),
  ];
  return sentences.join(' ');
}

type Times = { start: string; of: (at: string) => string };
type Begin = { at: string; thing: SummaryThing; to: string };

function notBegun({ state }: Summarised, { at, thing, to }: Begin, words: SummaryWords): string[] {
  const { alone } = words;
  const end =
    state === 'failed'
      ? alone.notSent(thing)
      : state === 'unknown'
        ? alone.unknown(thing)
        : alone.underWay(thing);
  return [words.asked(at, thing, to), end];
}

function firstSentences(
  attempt: Attempt,
  {
    at,
    thing,
    to,
    isOnly,
    times,
    words,
  }: Begin & { isOnly: boolean; times: Times; words: SummaryWords },
): string {
  const { channel, result } = attempt;
  const wasTaken = result !== 'refused';
  const first = wasTaken ? words.sent(at, thing, to, channel) : words.tried(at, thing, to);
  if (!isOnly) return first;
  const { alone } = words;
  if (result === 'refused') return `${first} ${alone.refused(channel)}`;
  return `${first} ${alone[result](thing, times.of(attempt.at))}`;
}

/** Why it moved on from a channel, to which it moved, and how that ended when it was the last. */
function moveSentence(
  before: Attempt,
  attempt: Attempt,
  { thing, isLast, times, words }: Begin & { isLast: boolean; times: Times; words: SummaryWords },
): string {
  const { channel, result } = attempt;
  const why = whyText(before, attempt, words);
  const moved =
    result === 'refused' ? words.attempted(why, channel) : words.went(why, thing, channel);
  return moved + (isLast ? words.end[result](thing, times.of(attempt.at)) : words.end.nothing);
}

function whyText(before: Attempt, next: Attempt, words: SummaryWords): string {
  const { channel, result, isLate } = before;
  // A late receipt was not there when the message moved on.
  if (isLate || result === 'unconfirmed' || result === 'waiting') {
    const ms = Date.parse(next.startedAt) - Date.parse(before.startedAt);
    return words.why.unconfirmed(channel, spanText(ms, words));
  }
  if (result === 'refused' || result === 'unknown') return words.why[result](channel);
  return words.why.failed(channel);
}

function spanText(ms: number, words: SummaryWords): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 120 ? words.seconds(seconds) : words.minutes(Math.round(seconds / 60));
}

function lateSentences(attempts: readonly Attempt[], times: Times, words: SummaryWords): string[] {
  return attempts
    .filter(({ isLate, result }) => isLate && (result === 'delivered' || result === 'read'))
    .map(({ at, channel }) => words.late(times.of(at), channel));
}

function happened(
  steps: readonly TimelineStep[],
  kind: TimelineStep['step'],
  text: (at: string) => string,
): string[] {
  const step = steps.find((one) => one.step === kind);
  return step === undefined ? [] : [text(step.at)];
}

const RESULTS: Partial<Record<TimelineStep['step'], Result>> = {
  sent: 'waiting',
  refused: 'refused',
  unavailable: 'refused',
  unknown: 'unknown',
  unconfirmed: 'unconfirmed',
  failed: 'failed',
  delivered: 'delivered',
  read: 'read',
};

/**
 * The channels in the order in which they were tried, each with the last that is known of it; that is
 * nothing while a channel has not answered.
 */
function attemptsOf({ steps }: Summarised): Begun[] {
  const attempts: Begun[] = [];
  for (const step of steps) {
    const { channel, at, is_late: isLate } = step;
    if (channel === null) continue;
    const known = attempts.find((attempt) => attempt.channel === channel);
    const result = RESULTS[step.step];
    if (known === undefined) {
      attempts.push({ channel, startedAt: at, at, result, isLate });
    } else if (result !== undefined) {
      Object.assign(known, { result, at, isLate });
    }
  }
  return attempts;
}

function thingOf({ kind, has_link }: Summarised): SummaryThing {
  if (kind === 'otp') return has_link ? 'codeWithLink' : 'code';
  return kind === 'link' ? 'link' : 'message';
}

function recipientOf({ kind, phone }: Summarised, words: SummaryWords): string {
  if (kind === 'group') return words.toGroup(phone);
  return words.toPhone(formatPhone(phone.replace(/^(\+\d+)\d{3}(\d{4})$/, '$1***$2')));
}

/** Times with their day only where it is another than that of the first sentence. */
function createTimes(startedAt: string, words: SummaryWords): Times {
  const start = readClock(startedAt);
  const full = ({ day, month, clock }: Clock) => words.onDay(words.day(day, month), clock);
  return {
    start: full(start),
    of: (at) => {
      const time = readClock(at);
      const isSameDay = time.day === start.day && time.month === start.month;
      return isSameDay ? words.today(time.clock) : full(time);
    },
  };
}

type Clock = { day: number; month: number; clock: string };

const inAlmaty = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  hourCycle: 'h23',
  day: 'numeric',
  month: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

function readClock(at: string): Clock {
  const parts = Object.fromEntries(
    inAlmaty.formatToParts(new Date(at)).map(({ type, value }) => [type, value]),
  );
  return {
    day: Number(parts.day),
    month: Number(parts.month),
    clock: `${parts.hour}:${parts.minute}`,
  };
}
