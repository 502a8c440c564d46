/**
 * SMS over an operator's SMPP 3.4 link ("Short Message Peer-to-Peer Protocol Specification v3.4",
 * issue 1.2): connections with a window each, kept alive, and bound again when they are lost. Left
 * out on purpose: submit_multi, and query_sm, which few centres answer correctly. Of messages from phones only stop words are read.
 */
import { randomInt } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../clock.ts';
import type { Outcome, OutgoingMessage } from '../../channel.ts';
import type { ProviderIds } from '../../combine-providers.ts';
import { refused, unavailable, unknown } from '../../failed-outcome.ts';
import type { Provider, RecordStop } from '../../provider.ts';
import { createProviderState } from '../../provider-state.ts';
import { NOT_FOR_GROUPS } from '../refusals.ts';
import { checkAccount } from './check.ts';
import { isThrottled, outcomeForStatus, STATUS_OK } from './command-status.ts';
import { openConnections, type SmppConnections, windowOf } from './connections.ts';
import { createDeliveryHandler, idFormAdvice, taggedId } from './deliveries.ts';
import { normalId } from './message-id.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { createReceiptTally } from './receipt-tally.ts';
import type { Session, SubmitAnswer } from './session.ts';
import { applyDefaults, type FullSettings, type SmppSettings } from './settings.ts';
import { type Submit, toSubmits } from './submit-sm.ts';

/** A lost connection is usually back at once; people waiting for a code cannot wait longer. */
const REBIND_WAIT_MS = 500;
const LINK_TRIES = 2;
/** How often a part is sent to a centre that throttles it. */
const THROTTLED_TRIES = 3;
/** Enough for a connection that was just opened to bind. */
const CHECK_WAIT_MS = 2_000;

const NOT_SENT = unavailable('Нет связи с оператором SMS');
const CROWDED = {
  ...refused('Оператор SMS не успевает принимать сообщения'),
  isNotOffered: true,
} as const;
/** A bulk message can be sent later. */
const NO_ROOM = unavailable('Оператор SMS занят более срочными сообщениями');
const NO_ANSWER = unknown('Оператор SMS не ответил');
const LINK_LOST = { ...NO_ANSWER, isConnectionLost: true } as const;
const PARTLY_SENT = unknown('Оператор принял не все части SMS');
const TOO_LONG = refused('SMS слишком длинное');

export type SmppTools = {
  clock: Clock;
  log: Logger;
  recordStop?: RecordStop | undefined;
  /** Hears the ids of a message that were given only after its outcome was settled as unknown. */
  onLateIds?(provider: string, late: ProviderIds): void;
};

export function openSmpp(
  given: SmppSettings,
  { clock, log, recordStop = () => Promise.resolve(), onLateIds }: SmppTools,
): Provider {
  const settings = applyDefaults(given);
  const state = createProviderState({ name: settings.name, log, clock });
  const limiter = createRateLimiter(settings.ratePerSecond);
  const tally = createReceiptTally(settings.idForm, () => performance.now());
  let connections: SmppConnections | undefined;
  let reference = randomInt(256);

  return {
    name: settings.name,
    channel: 'sms',
    carries: new Set(['code', 'code_with_link', 'text', 'broadcast']),
    ratePerSecond: settings.ratePerSecond,
    inFlightMax: windowOf(settings),
    receiptKey: 'id',
    idsRepeat: true,
    isHeldByOneNode: true,
    deduplicates: false,
    canQueryByRef: false,
    start(report) {
      connections = openConnections({
        settings,
        limiter,
        state,
        takeDeliveryFrom: createDeliveryHandler({ settings, tally, log, report, recordStop }),
      });
    },
    async stop() {
      await connections?.stop();
      connections = undefined;
    },
    async send(message, signal) {
      if (!('phone' in message.to)) return NOT_FOR_GROUPS;
      const { phone } = message.to;
      const parts = toSubmits(toShortMessage(message, phone), reference++, settings);
      if (parts === undefined) return TOO_LONG;
      return await sendWithReconnect(connections, parts, {
        limiter,
        signal,
        settings,
        isBulk: message.isBulk === true,
        onId: tally.give,
        onLateIds: (providerIds) =>
          onLateIds?.(settings.name, { ref: message.ref, providerIds, phone }),
      });
    },
    state() {
      const advice = idFormAdvice(settings, tally);
      const { detail, ...rest } = state.read();
      return { ...rest, detail: advice === undefined ? detail : `${detail} ${advice}` };
    },
    receipts: tally.read,
    async check(signal) {
      const live = await connections?.session(CHECK_WAIT_MS);
      return await checkAccount(live, { settings, limiter, signal });
    },
  };
}

/** Only a code expires: other texts may arrive when the phone is back online. */
function toShortMessage({ text, code, ttlSeconds, sender }: OutgoingMessage, phone: string) {
  return { phone, text, sender, ttlSeconds: code === undefined ? undefined : ttlSeconds };
}

type Sending = {
  limiter: RateLimiter;
  signal: AbortSignal;
  settings: FullSettings;
  isBulk: boolean;
  /** Hears the ids in responses, as the centre writes them. */
  onId(id: string): void;
  /** Hears the ids of all parts when that of the last one comes late. */
  onLateIds(ids: readonly string[]): void;
};

/** A message that was still queued when the connection was lost may use the next session. */
async function sendWithReconnect(
  connections: SmppConnections | undefined,
  parts: Submit[],
  sending: Sending,
) {
  let outcome: Outcome = NOT_SENT;
  for (let tries = 1; tries <= LINK_TRIES && outcome === NOT_SENT; tries++) {
    const session = await connections?.session(REBIND_WAIT_MS);
    if (session === undefined || sending.signal.aborted) return NOT_SENT;
    outcome = await sendParts(session, parts, sending);
  }
  return outcome;
}

/**
 * Sends the parts one after another: until the first is accepted, nothing is sent and a refusal is
 * definite. A begun message has priority over others, so that it is not left half sent.
 */
async function sendParts(session: Session, parts: Submit[], sending: Sending): Promise<Outcome> {
  const ids: string[] = [];
  const takeId = (id: string) => {
    sending.onId(id);
    return taggedId(session.place.tag, normalId(id, 'response', sending.settings.idForm));
  };
  for (const part of parts) {
    const hasBegun = ids.length > 0;
    const answer = await submitWithRetry(session, part, {
      ...sending,
      isUrgent: hasBegun,
      isBulk: sending.isBulk && !hasBegun,
    });
    const submitted = readAnswer(answer, sending);
    if ('failure' in submitted) {
      const isLast = ids.length === parts.length - 1;
      if (isLast && answer.kind === 'broken') {
        void answer.lateId.then((id) => {
          if (id !== undefined) sending.onLateIds([...ids, takeId(id)]);
        });
      }
      return ids.length === 0 ? submitted.failure : PARTLY_SENT;
    }
    ids.push(takeId(submitted.id));
  }
  const [providerId] = ids as [string];
  return { result: 'accepted', providerId, ...(ids.length > 1 && { partIds: ids }) };
}

/** A throttled part was not accepted, so it is sent again, up to `THROTTLED_TRIES` times. */
async function submitWithRetry(
  session: Session,
  part: Submit,
  { limiter, signal, settings, isUrgent, isBulk }: Sending & { isUrgent: boolean },
): Promise<SubmitAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await session.submit(part, {
      signal,
      isUrgent: isUrgent || (tries > 1 && !isBulk),
      isBulk,
    });
    if (answer.kind !== 'answer' || !isThrottled(answer.status, settings.statuses)) {
      if (answer.kind === 'answer') limiter.speedUp();
      return answer;
    }
    limiter.slowDown();
    if (tries === THROTTLED_TRIES) return answer;
  }
}

/** A part is accepted when it has an id. */
function readAnswer(answer: SubmitAnswer, sending: Sending): { id: string } | { failure: Outcome } {
  if (answer.kind === 'not_sent') return { failure: NOT_SENT };
  if (answer.kind === 'crowded') return { failure: sending.isBulk ? NO_ROOM : CROWDED };
  if (answer.kind === 'broken') return { failure: answer.isConnectionLost ? LINK_LOST : NO_ANSWER };
  if (answer.status !== STATUS_OK)
    return { failure: outcomeForStatus(answer.status, sending.settings.statuses) };
  if (answer.messageId === '') return { failure: NO_ANSWER };
  return { id: answer.messageId };
}
