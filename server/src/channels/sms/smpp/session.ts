/** One connection to a message centre, from bind to its end. */
import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { createSemaphore, type Semaphore } from '../../../runtime/semaphore.ts';
import { bindRefusal, INVALID_COMMAND, STATUS_OK, TRY_LATER } from './command-status.ts';
import type { Delivery, Pdu, PduOf } from './pdu.ts';
import { type Answer, createPduSocket, type PduSocket, type Role } from './pdu-socket.ts';
import type { Place } from './places.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { FullSettings } from './settings.ts';
import type { Submit } from './submit-sm.ts';

export type Session = {
  /** Where it is bound. */
  readonly place: Place;
  /** Messages that are not answered yet. */
  readonly inFlight: number;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  /** Sends one part when the window has a free slot and the rate limit allows it. */
  submit(part: Submit, options: SubmitOptions): Promise<SubmitAnswer>;
  /** Checks with enquire_link; the session ends when there is no answer. */
  enquire(): Promise<boolean>;
  /** Waits up to the limit for messages in flight, then unbinds. */
  close(limitMs: number): Promise<void>;
};

export type SubmitOptions = {
  signal: AbortSignal;
  /** It goes before all others. */
  isUrgent: boolean;
  /** It goes after all others. */
  isBulk: boolean;
};

export type SubmitAnswer =
  | { kind: 'answer'; status: number; messageId: string }
  /** Not an octet was written: there is no connection. */
  | { kind: 'not_sent' }
  /** Not an octet was written: its turn did not come in time. */
  | { kind: 'crowded' }
  /** It was sent, and its result is unknown. */
  | {
      kind: 'broken';
      isConnectionLost: boolean;
      /** The message id, when the response comes after all; undefined once it cannot. */
      lateId: Promise<string | undefined>;
    };

/** Handles a delivery; returns the command_status of the response. */
export type TakeDelivery = (pdu: Delivery) => Promise<number>;

export type SessionParts = {
  settings: FullSettings;
  place: Place;
  role: Role;
  limiter: RateLimiter;
  takeDelivery: TakeDelivery;
};

const CONNECT_TIMEOUT_MS = 3_000;
const INTERFACE_VERSION = 0x34;
/** More deliveries at once cannot be stored in time; the centre repeats those we reject. */
const DELIVERIES_MAX = 1_000;
const DRAIN_POLL_MS = 10;
/** After the usual wait another provider can still be tried; a begun message waits longer. */
const WAIT_MS_MAX = { usual: 1_500, urgent: 4_000 };

/** Connects and binds; on failure returns the reason. Never throws. */
export async function openSession(
  parts: SessionParts,
  signal: AbortSignal,
): Promise<Session | { failure: string }> {
  const socket = await connect(parts, signal);
  if ('failure' in socket) return socket;

  const deliveries = { underWay: 0 };
  const pduSocket: PduSocket = createPduSocket(socket, (pdu) => {
    void answerRequest(pduSocket, pdu, { takeDelivery: parts.takeDelivery, deliveries });
  });
  const onAbort = () => pduSocket.end('called off');
  signal.addEventListener('abort', onAbort, { once: true });
  const failure = await bind(pduSocket, parts);
  signal.removeEventListener('abort', onAbort);
  if (failure !== undefined) {
    pduSocket.end(failure);
    return { failure };
  }
  return runSession(pduSocket, parts, deliveries);
}

function connect({ place, settings }: SessionParts, signal: AbortSignal) {
  return new Promise<Socket | { failure: string }>((resolve) => {
    const { host, port } = place;
    const { tls, tlsCa } = settings;
    let isReached = false;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const authority = tlsCa === undefined ? {} : { ca: tlsCa };
    const socket = tls
      ? tlsConnect({ host, port, minVersion: 'TLSv1.2', ...name, ...authority })
      : tcpConnect({ host, port });
    const fail = (why: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve({ failure: `${isReached ? 'its TLS failed' : 'it cannot be reached'} (${why})` });
    };
    const onAbort = () => fail('called off');
    const timer = setTimeout(() => fail('no connection in time'), CONNECT_TIMEOUT_MS);
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.once('connect', () => {
      isReached = true;
    });
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.setNoDelay(true);
      resolve(socket);
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Undefined on success, otherwise the reason. */
async function bind(
  pduSocket: PduSocket,
  { settings, role }: SessionParts,
): Promise<string | undefined> {
  const body = {
    systemId: settings.systemId,
    password: settings.password,
    systemType: settings.systemType,
    interfaceVersion: INTERFACE_VERSION,
    addressTon: 0,
    addressNpi: 0,
    addressRange: settings.addressRange,
  };
  const { answer: given } = pduSocket.request(`bind_${role}`, { body }, settings.responseTimeoutMs);
  const answer = await given;
  if (answer.kind === 'broken') return answer.why;
  if (answer.kind === 'unreadable') return 'it answered the bind with something else';
  const { command, status } = answer.pdu;
  return command === 'generic_nack' || status !== STATUS_OK ? bindRefusal(status) : undefined;
}

/** Answers requests of the message centre. */
async function answerRequest(
  pduSocket: PduSocket,
  pdu: Pdu,
  { takeDelivery, deliveries }: { takeDelivery: TakeDelivery; deliveries: { underWay: number } },
): Promise<void> {
  const { sequence } = pdu;
  const plain = { status: STATUS_OK, sequence, body: {}, tlvs: [] };
  switch (pdu.command) {
    case 'deliver_sm':
    case 'data_sm': {
      let status = TRY_LATER;
      if (deliveries.underWay < DELIVERIES_MAX) {
        deliveries.underWay += 1;
        status = await takeDelivery(pdu);
        deliveries.underWay -= 1;
      }
      const command = `${pdu.command}_resp` as const;
      return pduSocket.respond({ command, status, sequence, body: { messageId: '' }, tlvs: [] });
    }
    case 'enquire_link':
      return pduSocket.respond({ command: 'enquire_link_resp', ...plain });
    case 'unbind':
      pduSocket.respond({ command: 'unbind_resp', ...plain });
      return pduSocket.end('it unbound');
    default:
      return pduSocket.respond({ command: 'generic_nack', ...plain, status: INVALID_COMMAND });
  }
}

function runSession(
  pduSocket: PduSocket,
  { settings, place, limiter }: SessionParts,
  deliveries: { underWay: number },
): Session {
  const { responseTimeoutMs } = settings;
  const window = createSemaphore(settings.window);
  const bulkTurns = createSemaphore(1);
  const overdue = { count: 0 };

  /** A slot of the window and a turn of the rate, for a part that leaves at once. */
  const acquireTurn = async (options: SubmitOptions) => {
    const { signal, isUrgent, isBulk } = options;
    const sinceMs = performance.now();
    const leftMs = () => sinceMs + WAIT_MS_MAX[isUrgent ? 'urgent' : 'usual'] - performance.now();
    if (isBulk) return await acquireBulkTurn({ signal, sinceMs, leftMs });
    const release = await window.acquire({ signal, isUrgent, waitMsMax: leftMs() });
    // A lost connection releases all waiters at once; they must not use up turns of the rate.
    const hasTurn =
      release !== undefined && pduSocket.isOpen && (await limiter.acquire(signal, leftMs()));
    if (hasTurn) return release;
    release?.();
    return undefined;
  };

  /** A bulk message holds no slot while it waits for a turn, and reserves no turn: others need them. */
  const acquireBulkTurn = async (wait: {
    signal: AbortSignal;
    sinceMs: number;
    leftMs(): number;
  }) => {
    const { signal, sinceMs, leftMs } = wait;
    const endTurn = await bulkTurns.acquire({ signal, waitMsMax: leftMs() });
    if (endTurn === undefined) return undefined;
    try {
      while (pduSocket.isOpen) {
        const release = await window.acquire({ signal, isBulk: true, waitMsMax: leftMs() });
        if (release === undefined) return undefined;
        if (pduSocket.isOpen && limiter.tryAcquire(sinceMs)) return release;
        release();
        if (!(await limiter.waitForTurn(signal, leftMs()))) return undefined;
      }
      return undefined;
    } finally {
      endTurn();
    }
  };

  const enquire = async () => {
    const answer = await pduSocket.request('enquire_link', { body: {} }, responseTimeoutMs).answer;
    if (answer.kind === 'broken') pduSocket.end('it does not answer enquire_link');
    return answer.kind !== 'broken';
  };
  const enquireTimer = setInterval(enquire, settings.enquireSeconds * 1_000);
  void pduSocket.ended.then(() => clearInterval(enquireTimer));

  return {
    place,
    get inFlight() {
      return window.taken;
    },
    ended: pduSocket.ended,
    enquire,
    async submit(part, options) {
      const { signal } = options;
      const release = await acquireTurn(options);
      if (release === undefined || !pduSocket.isOpen) {
        release?.();
        const isEnded = !pduSocket.isOpen || window.isClosed || signal.aborted;
        return { kind: isEnded ? 'not_sent' : 'crowded' };
      }
      const { answer, over } = pduSocket.request('submit_sm', part, responseTimeoutMs);
      // The slot is free only when the centre no longer counts the message, however late that is.
      void over.then(release);
      const given = await raceAbort(signal, answer);
      if (given.kind === 'answer') return toSubmitAnswer(given.pdu);
      const isConnectionLost = !pduSocket.isOpen;
      if (given.kind === 'broken') {
        countOverdue({ overdue, over, pduSocket, window: settings.window });
        if (pduSocket.isOpen) void enquire();
      }
      return { kind: 'broken', isConnectionLost, lateId: over.then(toMessageId) };
    },
    async close(limitMs) {
      window.close();
      await drain({ window, deliveries, pduSocket }, limitMs);
      if (pduSocket.isOpen)
        await pduSocket.request('unbind', { body: {} }, responseTimeoutMs).answer;
      pduSocket.end('we unbound');
    },
  };
}

function toSubmitAnswer(pdu: PduOf<'submit_sm_resp'> | PduOf<'generic_nack'>): SubmitAnswer {
  const { status } = pdu;
  return pdu.command === 'submit_sm_resp'
    ? { kind: 'answer', status, messageId: pdu.body.messageId }
    : { kind: 'answer', status, messageId: '' };
}

function toMessageId(answer: Answer<'submit_sm'>): string | undefined {
  if (answer.kind !== 'answer') return undefined;
  const given = toSubmitAnswer(answer.pdu);
  return given.kind === 'answer' && given.status === STATUS_OK
    ? given.messageId || undefined
    : undefined;
}

/** Ends the connection when the whole window is overdue: it could send nothing more. */
function countOverdue(params: {
  overdue: { count: number };
  over: Promise<unknown>;
  pduSocket: PduSocket;
  window: number;
}): void {
  const { overdue, over, pduSocket, window } = params;
  overdue.count += 1;
  void over.then(() => {
    overdue.count -= 1;
  });
  if (overdue.count >= window) pduSocket.end('it answers no message');
}

function raceAbort<Name extends 'submit_sm'>(signal: AbortSignal, answer: Promise<Answer<Name>>) {
  return new Promise<Answer<Name>>((resolve) => {
    const giveUp = () => resolve({ kind: 'broken', why: 'called off' });
    signal.addEventListener('abort', giveUp, { once: true });
    void answer.then((given) => {
      signal.removeEventListener('abort', giveUp);
      resolve(given);
    });
  });
}

async function drain(
  parts: { window: Semaphore; deliveries: { underWay: number }; pduSocket: PduSocket },
  limitMs: number,
): Promise<void> {
  const { window, deliveries, pduSocket } = parts;
  const until = performance.now() + limitMs;
  while ((window.taken > 0 || deliveries.underWay > 0) && pduSocket.isOpen) {
    if (performance.now() >= until) return;
    await pause(DRAIN_POLL_MS);
  }
}
