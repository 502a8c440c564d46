import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { CompanyId, MessageId } from '../ids.ts';
import { shownState } from './message-store.ts';
import type { FoundCall } from './story-store.ts';
import type { Story } from './timeline.ts';

/** One try to send something to the client: a message, or a call that was refused before one. */
export type Try = { at: Date; companyId: CompanyId } & (
  | { story: Story }
  | { refusal: FoundCall; freeAt: Date | null }
);

/** Why the client has or has not got a code: about the newest try that failed, or the newest one. */
export type Conclusion =
  | { verdict: 'nothing_sent' }
  | {
      verdict: 'refused';
      at: Date;
      companyId: CompanyId;
      errorCode: string;
      /** When the limit allowed the next send; null when it is another reason, or not known. */
      freeAt: Date | null;
      /** The log keeps phones masked, so it may be about a phone with the same visible digits. */
      isMasked: boolean;
      later: Arrival | null;
    }
  | {
      verdict: 'not_confirmed' | 'not_delivered' | 'unknown' | 'sending';
      at: Date;
      companyId: CompanyId;
      messageId: MessageId;
      attempts: AttemptFacts[];
      /** Channels whose turn has not come. */
      next: Channel[];
      later: Arrival | null;
    }
  | (Arrival & { verdict: 'arrived'; wrongCodes: number; lateCodes: number });

export type AttemptFacts = {
  channel: Channel;
  at: Date;
  result: 'accepted' | 'failed' | 'refused' | 'unavailable' | 'unknown' | 'sending';
  reason: string | null;
};

export type Arrival = {
  how: 'delivered' | 'read' | 'verified';
  at: Date;
  companyId: CompanyId;
  messageId: MessageId;
  channel: Channel | null;
};

/** The conclusion from all tries, in any order, and the verifications after them. */
export function conclude(
  tries: readonly Try[],
  verifications: readonly Pick<FoundCall, 'at' | 'company_id' | 'error_code'>[],
): Conclusion {
  const sorted = [...tries].sort((a, b) => a.at.getTime() - b.at.getTime());
  const failed = sorted.findLast((one) => arrivalOf(one) === undefined);
  const last = sorted.at(-1);
  if (last === undefined) return { verdict: 'nothing_sent' };
  if (failed !== undefined) {
    const after = sorted.slice(sorted.indexOf(failed) + 1).map(arrivalOf);
    return concludeFailed(failed, after.find((arrival) => arrival !== undefined) ?? null);
  }
  const arrival = arrivalOf(last) as Arrival;
  const guesses = verifications.filter(
    ({ at, company_id }) => company_id === arrival.companyId && at >= last.at,
  );
  const count = (code: string) => guesses.filter((guess) => guess.error_code === code).length;
  return {
    verdict: 'arrived',
    ...arrival,
    wrongCodes: count('invalid_code'),
    lateCodes: count('code_expired'),
  };
}

/** Undefined for a try after which nothing arrived, as far as is known. */
function arrivalOf(one: Try): Arrival | undefined {
  if ('refusal' in one) return undefined;
  const { message, attempts, verifiedAt } = one.story;
  const found = { companyId: one.companyId, messageId: message.id, channel: message.channel };
  // Somebody who enters the code has got it, whatever the channels say.
  if (verifiedAt !== undefined) return { how: 'verified', at: verifiedAt, ...found };
  const state = shownState(message);
  if (state !== 'delivered' && state !== 'read') return undefined;
  const carrier = attempts.find(({ delivered_at }) => delivered_at !== null);
  return {
    how: state,
    at: message.delivered_at ?? message.receipt_at ?? message.created_at,
    ...found,
    channel: carrier?.channel ?? message.channel,
  };
}

const VERDICTS = {
  sending: 'sending',
  sent: 'not_confirmed',
  unconfirmed: 'not_confirmed',
  failed: 'not_delivered',
  unknown: 'unknown',
} as const;

function concludeFailed(one: Try, later: Arrival | null): Conclusion {
  const { at, companyId } = one;
  if ('refusal' in one) {
    const { error_code, message_id } = one.refusal;
    return {
      verdict: 'refused',
      at,
      companyId,
      errorCode: error_code ?? '',
      freeAt: one.freeAt,
      isMasked: message_id === null,
      later,
    };
  }
  const { message, attempts } = one.story;
  const state = shownState(message);
  return {
    verdict: VERDICTS[state as keyof typeof VERDICTS],
    at,
    companyId,
    messageId: message.id,
    attempts: attempts.map((attempt) => ({
      channel: attempt.channel,
      at: attempt.settled_at ?? attempt.started_at,
      result:
        attempt.state === 'accepted' && attempt.receipt === 'failed' ? 'failed' : attempt.state,
      reason: attempt.reason,
    })),
    next: message.route.split(',').filter((name) => name !== '') as Channel[],
    later,
  };
}
