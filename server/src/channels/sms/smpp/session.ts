/** One connection to a message centre, bound for sending and receiving, until it ends. */
import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import { createPlaces, type Places } from '../../places.ts';
import { bindRefusal, INVALID_COMMAND, STATUS_OK, TRY_LATER } from './command-status.ts';
import type { Pace } from './pace.ts';
import type { Pdu, PduOf } from './pdu.ts';
import type { FullSettings } from './settings.ts';
import type { Submit } from './submit-sm.ts';
import { type Answer, createWire, type Wire } from './wire.ts';

export type Session = {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  /** Sends one part when it has a place in the window and its turn has come. */
  submit(part: Submit, options: { signal: AbortSignal; isUrgent: boolean }): Promise<SubmitAnswer>;
  /** Whether the other side is there; when it is not, the session ends. */
  enquire(): Promise<boolean>;
  /** Lets what is under way come to its end, within the limit, and says farewell. */
  close(limitMs: number): Promise<void>;
};

export type SubmitAnswer =
  | { kind: 'answer'; status: number; messageId: string }
  /** Not an octet of it has left: there is no link. */
  | { kind: 'not_sent' }
  /** Nor here: so many came before it that its turn did not come in time. */
  | { kind: 'crowded' }
  /** It left, and nobody knows what became of it. */
  | { kind: 'broken'; isLinkLost: boolean };

/** Takes what the centre delivers, and tells the status to answer with. */
export type TakeDelivery = (pdu: PduOf<'deliver_sm'>) => Promise<number>;

export type SessionParts = { settings: FullSettings; pace: Pace; takeDelivery: TakeDelivery };

const CONNECT_TIMEOUT_MS = 3_000;
const INTERFACE_VERSION = 0x34;
/** More than this at once cannot be stored in time; the centre repeats what is turned away. */
const DELIVERIES_MAX = 1_000;
const IDLE_LOOK_MS = 10;
/** Another provider can still be asked then; a message that was begun waits as long as it may. */
const PATIENCE_MS = { usual: 1_500, urgent: 4_000 };

/** Connects and binds; tells in words why it could not. Never throws. */
export async function openSession(
  parts: SessionParts,
  signal: AbortSignal,
): Promise<Session | { failure: string }> {
  const { settings } = parts;
  const socket = await connect(settings, signal);
  if ('failure' in socket) return socket;

  const deliveries = { underWay: 0 };
  const wire: Wire = createWire(socket, (pdu) => {
    void answerRequest(wire, pdu, { takeDelivery: parts.takeDelivery, deliveries });
  });
  const callOff = () => wire.end('called off');
  signal.addEventListener('abort', callOff, { once: true });
  const failure = await bind(wire, settings);
  signal.removeEventListener('abort', callOff);
  if (failure !== undefined) {
    wire.end(failure);
    return { failure };
  }
  return runSession(wire, parts, deliveries);
}

function connect(settings: FullSettings, signal: AbortSignal) {
  return new Promise<Socket | { failure: string }>((resolve) => {
    const { host, port, tls, tlsCa } = settings;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const authority = tlsCa === undefined ? {} : { ca: tlsCa };
    const socket = tls
      ? tlsConnect({ host, port, minVersion: 'TLSv1.2', ...name, ...authority })
      : tcpConnect({ host, port });
    const fail = (why: string) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', callOff);
      socket.destroy();
      resolve({ failure: `it cannot be reached (${why})` });
    };
    const callOff = () => fail('called off');
    const timer = setTimeout(() => fail('no connection in time'), CONNECT_TIMEOUT_MS);
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', callOff);
      socket.setNoDelay(true);
      resolve(socket);
    });
    if (signal.aborted) callOff();
    else signal.addEventListener('abort', callOff, { once: true });
  });
}

/** Undefined when it is bound. */
async function bind(wire: Wire, settings: FullSettings): Promise<string | undefined> {
  const body = {
    systemId: settings.systemId,
    password: settings.password,
    systemType: settings.systemType,
    interfaceVersion: INTERFACE_VERSION,
    addressTon: 0,
    addressNpi: 0,
    addressRange: '',
  };
  const answer = await wire.request('bind_transceiver', { body }, settings.responseTimeoutMs)
    .answer;
  if (answer.kind === 'broken') return answer.why;
  const { command, status } = answer.pdu;
  return command === 'generic_nack' || status !== STATUS_OK ? bindRefusal(status) : undefined;
}

/** Requests of the other side. */
async function answerRequest(
  wire: Wire,
  pdu: Pdu,
  { takeDelivery, deliveries }: { takeDelivery: TakeDelivery; deliveries: { underWay: number } },
): Promise<void> {
  const { sequence } = pdu;
  const plain = { status: STATUS_OK, sequence, body: {}, tlvs: [] };
  switch (pdu.command) {
    case 'deliver_sm': {
      let status = TRY_LATER;
      if (deliveries.underWay < DELIVERIES_MAX) {
        deliveries.underWay += 1;
        status = await takeDelivery(pdu);
        deliveries.underWay -= 1;
      }
      const body = { messageId: '' };
      return wire.respond({ command: 'deliver_sm_resp', status, sequence, body, tlvs: [] });
    }
    case 'enquire_link':
      return wire.respond({ command: 'enquire_link_resp', ...plain });
    case 'unbind':
      wire.respond({ command: 'unbind_resp', ...plain });
      return wire.end('it unbound');
    default:
      return wire.respond({ command: 'generic_nack', ...plain, status: INVALID_COMMAND });
  }
}

function runSession(
  wire: Wire,
  { settings, pace }: SessionParts,
  deliveries: { underWay: number },
): Session {
  const { responseTimeoutMs } = settings;
  const window = createPlaces(settings.window);
  const overdue = { count: 0 };

  const enquire = async () => {
    const answer = await wire.request('enquire_link', { body: {} }, responseTimeoutMs).answer;
    if (answer.kind === 'broken') wire.end('it does not answer enquire_link');
    return answer.kind === 'answer';
  };
  const enquiring = setInterval(enquire, settings.enquireSeconds * 1_000);
  void wire.ended.then(() => clearInterval(enquiring));

  return {
    ended: wire.ended,
    enquire,
    async submit(part, { signal, isUrgent }) {
      const until = performance.now() + PATIENCE_MS[isUrgent ? 'urgent' : 'usual'];
      const leave = await window.take({ signal, isUrgent, waitMsMax: until - performance.now() });
      // When the link is lost, all who wait come through here at once: nobody takes a turn then.
      const isOurTurn =
        leave !== undefined && wire.isOpen && (await pace.turn(signal, until - performance.now()));
      if (!isOurTurn || !wire.isOpen) {
        leave?.();
        const isOver = !wire.isOpen || window.isClosed || signal.aborted;
        return { kind: isOver ? 'not_sent' : 'crowded' };
      }
      const { answer, over } = wire.request('submit_sm', part, responseTimeoutMs);
      // The place is free when the centre no longer counts the message, however late that is.
      void over.then(leave);
      const given = await before(signal, answer);
      if (given.kind === 'answer') return submitAnswerOf(given.pdu);
      const isLinkLost = !wire.isOpen;
      noteSilence({ overdue, over, wire, places: settings.window });
      if (wire.isOpen) void enquire();
      return { kind: 'broken', isLinkLost };
    },
    async close(limitMs) {
      window.close();
      await idle({ window, deliveries, wire }, limitMs);
      if (wire.isOpen) await wire.request('unbind', { body: {} }, responseTimeoutMs).answer;
      wire.end('we unbound');
    },
  };
}

function submitAnswerOf(pdu: PduOf<'submit_sm_resp'> | PduOf<'generic_nack'>): SubmitAnswer {
  const { status } = pdu;
  return pdu.command === 'submit_sm_resp'
    ? { kind: 'answer', status, messageId: pdu.body.messageId }
    : { kind: 'answer', status, messageId: '' };
}

/** A window in which nobody is answered any more is of no use, even if the other side is there. */
function noteSilence(silence: {
  overdue: { count: number };
  over: Promise<void>;
  wire: Wire;
  places: number;
}): void {
  const { overdue, over, wire, places } = silence;
  overdue.count += 1;
  void over.then(() => {
    overdue.count -= 1;
  });
  if (overdue.count >= places) wire.end('it answers no message');
}

function before<Name extends 'submit_sm'>(signal: AbortSignal, answer: Promise<Answer<Name>>) {
  return new Promise<Answer<Name>>((resolve) => {
    const giveUp = () => resolve({ kind: 'broken', why: 'called off' });
    signal.addEventListener('abort', giveUp, { once: true });
    void answer.then((given) => {
      signal.removeEventListener('abort', giveUp);
      resolve(given);
    });
  });
}

async function idle(
  parts: { window: Places; deliveries: { underWay: number }; wire: Wire },
  limitMs: number,
): Promise<void> {
  const { window, deliveries, wire } = parts;
  const until = performance.now() + limitMs;
  while ((window.taken > 0 || deliveries.underWay > 0) && wire.isOpen) {
    if (performance.now() >= until) return;
    await pause(IDLE_LOOK_MS);
  }
}
