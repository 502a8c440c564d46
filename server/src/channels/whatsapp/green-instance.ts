/**
 * The state of an instance of Green-API ("GetStateInstance", "StateInstanceChanged",
 * "ShowMessagesQueue", "ClearMessagesQueue" of green-api.com/docs/api).
 *
 * Green-API accepts messages in every state, and keeps what it cannot send for a day. So nothing may
 * be sent while the instance is not authorized, and what waits in its queue is taken out: a code
 * that comes hours later helps nobody, and its message can still go by another channel.
 */

import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { type JsonObject, objectsIn, readList, readObject } from '../../json-object.ts';
import type { ProviderAnswer } from '../../runtime/provider-client.ts';
import { type FailedOutcome, unavailable } from '../failed-outcome.ts';
import { failedCheck } from '../http/provider-answer.ts';
import type { ProviderCheck, ReportReceipt } from '../provider.ts';
import { createProviderState, type ProviderState } from '../provider-state.ts';

export type GreenInstance = {
  state(): ProviderState;
  /** Why nothing can be sent now; undefined while it can, or while the state is not known. */
  refusal(): FailedOutcome | undefined;
  /** A notification that the state has changed. */
  hear(notice: JsonObject): void;
  /** Asks for the state soon: an answer or a receipt says that the instance cannot send. */
  askSoon(): void;
  /** Asks for the state at once, and then regularly. */
  start(report: ReportReceipt): void;
  stop(): Promise<void>;
};

export type GreenMethod = 'getStateInstance' | 'showMessagesQueue' | 'clearMessagesQueue';

type Answered = Extract<ProviderAnswer, { kind: 'answer' }>;

const AUTHORIZED = 'authorized';
const TOO_OFTEN = 429;
const POLL_MS_DEFAULT = 30_000;
const POLL_DOWN_MS = 10_000;
/** Between two questions, whatever the reason for the second. */
const ASK_PAUSE_MS = 1_000;
const CALL_TIMEOUT_MS = 5_000;
/** Notifications wait for a day while this service is away. */
const NOTICE_AGE_SECONDS_MAX = 60;

export const NOT_CONNECTED = unavailable('Аккаунт WhatsApp у провайдера не подключён');
export const SUSPENDED = 'WhatsApp приостановил отправку с этого номера';
const TAKEN_OUT = 'WhatsApp не отправил сообщение: аккаунт у провайдера не подключён';

/** What the states mean for a message, and for the operator. Only `authorized` sends. */
const STATES: Readonly<Record<string, { refusal: FailedOutcome; advice: string }>> = {
  notAuthorized: { refusal: NOT_CONNECTED, advice: 'link its phone again in the console' },
  blocked: {
    refusal: unavailable('WhatsApp заблокировал номер отправителя'),
    advice: 'WhatsApp has blocked its number',
  },
  yellowCard: {
    refusal: unavailable(SUSPENDED),
    advice: 'WhatsApp has suspended its number; wait, then reboot it in the console',
  },
  starting: { refusal: NOT_CONNECTED, advice: 'it takes up to five minutes' },
  sleepMode: { refusal: NOT_CONNECTED, advice: 'its phone is off' },
};

const FAULTS: ReadonlyMap<number, string> = new Map([
  [401, 'Green-API does not accept the token of the instance.'],
  [403, 'Green-API does not know this instance at this address.'],
]);

/** What the answer to `getStateInstance` says to the operator. */
export function checkInstance(answer: ProviderAnswer): ProviderCheck {
  const state = readState(answer);
  if (state !== undefined) return describe(state);
  const fault = answer.kind === 'answer' ? FAULTS.get(answer.status) : undefined;
  return fault === undefined ? failedCheck('Green-API', answer) : { ok: false, detail: fault };
}

function describe(state: string): ProviderCheck {
  const advice = Object.hasOwn(STATES, state) ? STATES[state]?.advice : undefined;
  const detail = `The instance is ${state}${advice === undefined ? '' : `: ${advice}`}.`;
  return { ok: state === AUTHORIZED, detail };
}

function readState(answer: ProviderAnswer): string | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined;
  const state = readObject(answer.text)?.stateInstance;
  return typeof state === 'string' ? state : undefined;
}

/** Not lost, and not to be asked again. */
function isDefinite(answer: ProviderAnswer): answer is Answered {
  return answer.kind === 'answer' && answer.status < 500 && answer.status !== TOO_OFTEN;
}

export function watchGreenInstance({
  name,
  call,
  log,
  clock,
  pollMs = POLL_MS_DEFAULT,
}: {
  name: string;
  call(method: GreenMethod, signal: AbortSignal): Promise<ProviderAnswer>;
  log: Logger;
  clock: Clock;
  pollMs?: number | undefined;
}): GreenInstance {
  const holder = createProviderState({ name, log, clock });
  const shutdown = new AbortController();
  /** Undefined until it was told once. */
  let known: string | undefined;
  let report: ReportReceipt | undefined;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;

  const ask = (method: GreenMethod) =>
    call(method, AbortSignal.any([shutdown.signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]));
  const learn = (state: string) => {
    known = state;
    const { ok, detail } = describe(state);
    holder.set(ok, detail);
  };

  /** False when it has to be done again. */
  const emptyQueue = async (): Promise<boolean> => {
    const queue = await ask('showMessagesQueue');
    if (!isDefinite(queue)) return false;
    const ids = objectsIn(readList(queue.text)).flatMap(({ messageID: id }) =>
      typeof id === 'string' ? [id] : [],
    );
    // First the reports: what is not in the queue any more could not be told of.
    const failure = { receipt: 'failed', reason: TAKEN_OUT } as const;
    const reports = ids.map((providerId) => report?.({ providerId, ...failure }));
    const results = await Promise.allSettled(reports);
    if (results.some(({ status }) => status === 'rejected')) return false;
    const cleared = await ask('clearMessagesQueue');
    if (!isDefinite(cleared)) return false;
    const isCleared = readObject(cleared.text)?.isCleared === true;
    const fields = { provider: name, count: ids.length };
    if (!isCleared) log.warn({ ...fields, status: cleared.status }, 'queue could not be cleared');
    else if (ids.length > 0) log.warn(fields, 'messages were taken out of the queue');
    return true;
  };

  const askOnce = async () => {
    askedAtMs = performance.now();
    const answer = await ask('getStateInstance');
    const state = readState(answer);
    if (state === undefined) {
      // A question that was lost says nothing of an instance that is known.
      const isDenied = answer.kind === 'answer' && FAULTS.has(answer.status);
      if (isDenied || known === undefined) holder.set(false, checkInstance(answer).detail);
      return;
    }
    const isUp = state === AUTHORIZED;
    const wasDown = known !== undefined && known !== AUTHORIZED;
    if (!isUp) learn(state);
    // Until the queue is empty, it stays down: it would send old codes first.
    const isReady = !isUp || wasDown ? await emptyQueue() : true;
    if (isUp && isReady) learn(AUTHORIZED);
  };

  const askIn = (ms: number) => {
    clearTimeout(timer);
    if (shutdown.signal.aborted || report === undefined) return;
    timer = setTimeout(run, ms);
  };
  const run = () => {
    asking = askOnce()
      .catch((error: unknown) => {
        log.error({ err: error, provider: name }, 'state of the instance could not be read');
      })
      .finally(() => {
        asking = undefined;
        askIn(known === AUTHORIZED ? pollMs : Math.min(pollMs, POLL_DOWN_MS));
      });
  };
  const askSoon = () => {
    // A question under way may have been answered before the change.
    const wait = () => askIn(Math.max(0, askedAtMs + ASK_PAUSE_MS - performance.now()));
    if (asking === undefined) wait();
    else void asking.then(wait);
  };

  return {
    state: holder.read,
    refusal() {
      if (known === undefined || known === AUTHORIZED) return undefined;
      return Object.hasOwn(STATES, known) ? STATES[known]?.refusal : NOT_CONNECTED;
    },
    hear({ stateInstance: state, timestamp }) {
      const ageSeconds = clock.now().getTime() / 1_000 - Number(timestamp);
      const isNews = Math.abs(ageSeconds) <= NOTICE_AGE_SECONDS_MAX && report !== undefined;
      if (isNews && typeof state === 'string' && state !== AUTHORIZED) learn(state);
      askSoon();
    },
    askSoon,
    start(reportTo) {
      report = reportTo;
      run();
    },
    async stop() {
      shutdown.abort();
      clearTimeout(timer);
      await asking;
    },
  };
}
