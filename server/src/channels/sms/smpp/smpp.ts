/**
 * SMS over an operator's SMPP 3.4 link ("Short Message Peer-to-Peer Protocol Specification v3.4",
 * issue 1.2): one bind_transceiver with a window, kept alive and bound again whenever it is lost.
 * Left out on purpose: several binds at once, submit_multi, data_sm, query_sm (few centres answer
 * it truly), message_payload for sending, and messages from phones, which are only acknowledged.
 */
import { randomInt } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { Outcome, OutgoingMessage } from '../../channel.ts';
import type { Provider, ReportReceipt } from '../../provider.ts';
import { refused, unavailable, unknown } from '../../verdict.ts';
import { NOT_FOR_GROUPS } from '../refusals.ts';
import { isThrottled, refusalOf, STATUS_OK, TRY_LATER } from './command-status.ts';
import { type Link, openLink } from './link.ts';
import { type IdForm, normalId } from './message-id.ts';
import { createPace, type Pace } from './pace.ts';
import { readReceipt } from './receipt-text.ts';
import { openSession, type Session, type SubmitAnswer, type TakeDelivery } from './session.ts';
import { type FullSettings, fillIn, type SmppSettings } from './settings.ts';
import { type Submit, submitsOf } from './submit-sm.ts';

/** A lost link is usually back at once; a person who waits for a code is not kept longer. */
const REBIND_WAIT_MS = 500;
const LINK_TRIES = 2;
/** How often a part is offered to a centre that says it is too much at once. */
const THROTTLED_TRIES = 3;
const CHECK_CLOSE_MS = 500;
/** A link that was just opened is about to be bound. */
const CHECK_WAIT_MS = 2_000;

const NOT_SENT = unavailable('Нет связи с оператором SMS');
const CROWDED = refused('Оператор SMS не успевает принимать сообщения');
const NO_ANSWER = unknown('Оператор SMS не ответил');
const LINK_LOST = { ...NO_ANSWER, isLinkLost: true } as const;
const IN_PART = unknown('Оператор принял не все части SMS');
const TOO_LONG = refused('SMS слишком длинное');

/** All times here are relative, so the clock that every provider is given has no use. */
export function openSmpp(given: SmppSettings, _clock: Clock): Provider {
  const settings = fillIn(given);
  const pace = createPace(settings.ratePerSecond);
  let link: Link | undefined;
  let reference = randomInt(256);

  return {
    name: 'smpp',
    channel: 'sms',
    carries: new Set(['code', 'code_with_link', 'text']),
    receiptsBy: 'id',
    deduplicates: false,
    tellsByRef: false,
    start(report) {
      link = openLink({ settings, pace, takeDelivery: storing(report, settings.idForm) });
    },
    async stop() {
      await link?.stop();
      link = undefined;
    },
    async send(message, signal) {
      if (!('phone' in message.to)) return NOT_FOR_GROUPS;
      const parts = submitsOf(addressed(message, message.to.phone), reference++, settings);
      if (parts === undefined) return TOO_LONG;
      return await sendOver(link, parts, { pace, signal, idForm: settings.idForm });
    },
    async check(signal) {
      const live = await link?.session(CHECK_WAIT_MS);
      return await checkLink(live, { settings, pace, signal });
    },
  };
}

/** Only a code grows old: other texts may come when the phone is back. */
function addressed({ text, code, ttlSeconds }: OutgoingMessage, phone: string) {
  return { phone, text, ttlSeconds: code === undefined ? undefined : ttlSeconds };
}

type Sending = { pace: Pace; signal: AbortSignal; idForm: IdForm };

/** Who waited for a place when the link was lost has sent nothing, and may use the next link. */
async function sendOver(link: Link | undefined, parts: Submit[], sending: Sending) {
  let outcome: Outcome = NOT_SENT;
  for (let tries = 1; tries <= LINK_TRIES && outcome === NOT_SENT; tries++) {
    const session = await link?.session(REBIND_WAIT_MS);
    if (session === undefined || sending.signal.aborted) return NOT_SENT;
    outcome = await sendParts(session, parts, sending);
  }
  return outcome;
}

/**
 * One part after the other: as long as the first is not taken, nothing is sent and a refusal is
 * definite. A message that was begun goes before others, so that it is not left half sent.
 */
async function sendParts(session: Session, parts: Submit[], sending: Sending): Promise<Outcome> {
  const ids: string[] = [];
  for (const part of parts) {
    const answer = await submitPatiently(session, part, { ...sending, isUrgent: ids.length > 0 });
    const taken = readAnswer(answer, sending.idForm);
    if ('failure' in taken) return ids.length === 0 ? taken.failure : IN_PART;
    ids.push(taken.id);
  }
  const [providerId] = ids as [string];
  return { result: 'accepted', providerId, ...(ids.length > 1 && { partIds: ids }) };
}

/** A part that was turned away for haste alone was not taken, and may be offered again. */
async function submitPatiently(
  session: Session,
  part: Submit,
  { pace, signal, isUrgent }: Sending & { isUrgent: boolean },
): Promise<SubmitAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await session.submit(part, { signal, isUrgent: isUrgent || tries > 1 });
    if (answer.kind !== 'answer' || !isThrottled(answer.status)) {
      if (answer.kind === 'answer') pace.speedUp();
      return answer;
    }
    pace.slowDown();
    if (tries === THROTTLED_TRIES) return answer;
  }
}

/** A part is taken when it has an id. */
function readAnswer(answer: SubmitAnswer, idForm: IdForm): { id: string } | { failure: Outcome } {
  if (answer.kind === 'not_sent') return { failure: NOT_SENT };
  if (answer.kind === 'crowded') return { failure: CROWDED };
  if (answer.kind === 'broken') return { failure: answer.isLinkLost ? LINK_LOST : NO_ANSWER };
  if (answer.status !== STATUS_OK) return { failure: refusalOf(answer.status) };
  if (answer.messageId === '') return { failure: NO_ANSWER };
  return { id: normalId(answer.messageId, 'response', idForm) };
}

/** What could not be stored is not acknowledged, so that the centre sends it again. */
function storing(report: ReportReceipt, idForm: IdForm): TakeDelivery {
  return async (pdu) => {
    const found = readReceipt(pdu, idForm);
    if (found === undefined) return STATUS_OK;
    const { id, receipt, reason } = found;
    try {
      await report({ providerId: id, receipt, reason });
      return STATUS_OK;
    } catch {
      return TRY_LATER;
    }
  };
}

/** By the live session, or by one of its own, which turns receipts away to be sent again. */
async function checkLink(
  live: Session | undefined,
  { settings, pace, signal }: { settings: FullSettings; pace: Pace; signal: AbortSignal },
) {
  const place = `${settings.host}:${settings.port}`;
  const takeDelivery = async () => TRY_LATER;
  const session = live ?? (await openSession({ settings, pace, takeDelivery }, signal));
  if ('failure' in session) return { ok: false, detail: `SMPP ${place}: ${session.failure}.` };
  const isAlive = await session.enquire();
  if (session !== live) await session.close(CHECK_CLOSE_MS);
  return isAlive
    ? { ok: true, detail: `SMPP ${place}: bound, and it answers.` }
    : { ok: false, detail: `SMPP ${place}: bound, but it does not answer enquire_link.` };
}
