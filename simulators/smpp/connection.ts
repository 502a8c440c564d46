/** One client connection to the message centre: bind, enquire_link, and requests. */
import type { Socket } from 'node:net';
import { type Header, readOctets, writeOctets, writePdu } from './octets.ts';

const BIND_RECEIVER = 0x01;
const BIND_TRANSMITTER = 0x02;
const SUBMIT_SM = 0x04;
export const DELIVER_SM = 0x05;
const UNBIND = 0x06;
const BIND_TRANSCEIVER = 0x09;
const ENQUIRE_LINK = 0x15;
const RESPONSE = 0x8000_0000;
const GENERIC_NACK = 0x8000_0000;

const WRONG_LENGTH = 0x02;
const WRONG_COMMAND = 0x03;
const NOT_BOUND = 0x04;
const ALREADY_BOUND = 0x05;

const HEADER_BYTES = 16;
const PDU_BYTES_MAX = 64 * 1024;
const ANSWER_TIMEOUT_MS = 2_000;

/** The message centre as a connection uses it. */
export type Centre = {
  /** The command_status of a bind. */
  admit(systemId: string, password: string): number;
  submit(connection: Connection, header: Header, body: Buffer): void;
  /** Whether it answers enquire_link. */
  isAwake(): boolean;
  figures: Figures;
  onBound(): void;
  onClosed(connection: Connection): void;
};

/** Counters of what clients did. */
export type Figures = {
  binds: number;
  refusedBinds: number;
  unbinds: number;
  enquiries: number;
  /** Responses that match no request of the centre. */
  strayResponses: Header[];
};

export type Connection = {
  /** Whether it is bound to take receipts and messages from phones. */
  readonly isReceiver: boolean;
  readonly socket: Socket;
  /** Messages that the centre has not answered yet. */
  unanswered: number;
  write(octets: Buffer): void;
  /** Blocks all other writes from now on; returns the only function that still writes. */
  seize(): (octets: Buffer) => void;
  /** Sends a request; returns the status of the response, undefined when there was none. */
  request(id: number, body?: Buffer): Promise<number | undefined>;
  enquire(): Promise<number | undefined>;
};

export function serveConnection(socket: Socket, centre: Centre): Connection {
  const requests = createRequests();
  const { figures } = centre;
  /** The command of the bind; undefined before it, and after an unbind. */
  let boundBy: number | undefined;
  let isSeized = false;

  const connection: Connection = {
    get isReceiver() {
      const isBound = boundBy !== undefined && boundBy !== BIND_TRANSMITTER;
      return isBound && !socket.destroyed && !isSeized;
    },
    socket,
    unanswered: 0,
    write(octets) {
      if (!isSeized && !socket.destroyed) socket.write(octets);
    },
    seize() {
      isSeized = true;
      return (octets) => !socket.destroyed && socket.write(octets);
    },
    request(id, body) {
      const { sequence, answer } = requests.open();
      connection.write(writePdu({ id, status: 0, sequence }, body));
      return answer;
    },
    enquire: () => connection.request(ENQUIRE_LINK),
  };
  const respond = (header: Header, status: number, body?: Buffer) =>
    connection.write(writePdu(responseTo(header, status), body));

  const take = (header: Header, body: Buffer) => {
    if (header.id >= RESPONSE) {
      if (!requests.take(header)) figures.strayResponses.push(header);
      return;
    }
    switch (header.id) {
      case BIND_RECEIVER:
      case BIND_TRANSMITTER:
      case BIND_TRANSCEIVER: {
        const status = boundBy === undefined ? bindStatus(body, centre) : ALREADY_BOUND;
        respond(header, status, status === 0 ? writeOctets('SMSC') : undefined);
        figures[status === 0 ? 'binds' : 'refusedBinds'] += 1;
        if (status !== 0) return;
        boundBy = header.id;
        return centre.onBound();
      }
      case ENQUIRE_LINK:
        figures.enquiries += 1;
        return centre.isAwake() ? respond(header, 0) : undefined;
      case UNBIND:
        respond(header, boundBy === undefined ? NOT_BOUND : 0);
        figures.unbinds += 1;
        boundBy = undefined;
        return;
      case SUBMIT_SM:
        return boundBy === undefined || boundBy === BIND_RECEIVER
          ? respond(header, NOT_BOUND)
          : centre.submit(connection, header, body);
      default:
        return connection.write(toNack(header, WRONG_COMMAND));
    }
  };

  cutFrames(socket, {
    onFrame: take,
    onWrongFrame: (header) => respond(header, WRONG_LENGTH),
    onNoFrame: (header) => connection.write(toNack(header, WRONG_LENGTH)),
  });
  socket.on('close', () => {
    requests.cancelAll();
    centre.onClosed(connection);
  });
  return connection;
}

function bindStatus(body: Buffer, centre: Centre): number {
  const fields = readOctets(body);
  const [systemId, password] = [fields.text(16), fields.text(9)];
  fields.text(13);
  fields.take(3);
  fields.text(41);
  return centre.admit(systemId, password);
}

/** The centre's own requests that wait for a response. */
function createRequests() {
  const waiting = new Map<number, (status: number | undefined) => void>();
  let sequence = 0;
  return {
    open() {
      sequence += 1;
      const current = sequence;
      const answer = new Promise<number | undefined>((resolve) => {
        const timer = setTimeout(() => settle(undefined), ANSWER_TIMEOUT_MS);
        const settle = (status: number | undefined) => {
          clearTimeout(timer);
          waiting.delete(current);
          resolve(status);
        };
        waiting.set(current, settle);
      });
      return { sequence: current, answer };
    },
    /** False when no request waits for it. */
    take({ sequence: current, status }: Header): boolean {
      const settle = waiting.get(current);
      settle?.(status);
      return settle !== undefined;
    },
    cancelAll() {
      for (const settle of [...waiting.values()]) settle(undefined);
    },
  };
}

type FrameEvents = {
  onFrame(header: Header, body: Buffer): void;
  /** A frame whose body could not be read. */
  onWrongFrame(header: Header): void;
  /** Octets that cannot be a frame; nothing after them is read. */
  onNoFrame(header: Header): void;
};

function cutFrames(socket: Socket, on: FrameEvents): void {
  let buffered = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (octets) => {
    buffered = Buffer.concat([buffered, octets]);
    while (buffered.length >= HEADER_BYTES) {
      const frame = readOctets(buffered);
      const length = frame.u32();
      const header = { id: frame.u32(), status: frame.u32(), sequence: frame.u32() };
      if (length < HEADER_BYTES || length > PDU_BYTES_MAX) {
        on.onNoFrame(header);
        socket.destroySoon();
        return;
      }
      if (buffered.length < length) return;
      const body = buffered.subarray(HEADER_BYTES, length);
      buffered = buffered.subarray(length);
      try {
        on.onFrame(header, body);
      } catch {
        on.onWrongFrame(header);
      }
    }
  });
}

function toNack(header: Header, status: number): Buffer {
  return writePdu({ ...header, id: GENERIC_NACK, status });
}

export function responseTo({ id, sequence }: Header, status: number): Header {
  return { id: (id | RESPONSE) >>> 0, status, sequence };
}
