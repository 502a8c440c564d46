import type { Socket } from 'node:net';
import { INVALID_COMMAND, INVALID_LENGTH, STATUS_OK } from './command-status.ts';
import {
  type BadPdu,
  type Body,
  createFrameReader,
  decodePdu,
  encodePdu,
  type Pdu,
  type PduOf,
  type Tlv,
} from './pdu.ts';

export type Request = `bind_${Role}` | 'submit_sm' | 'enquire_link' | 'unbind';
/** What a connection is for; a receiver takes receipts only. */
export type Role = 'transceiver' | 'transmitter' | 'receiver';
export type Answer<Name extends Request> =
  | { kind: 'answer'; pdu: PduOf<`${Name}_resp`> | PduOf<'generic_nack'> }
  /** The response is of another command, or cannot be read. */
  | { kind: 'unreadable' }
  /** The request was written, and no answer came. */
  | { kind: 'broken'; why: string };

export type Call<Name extends Request> = {
  answer: Promise<Answer<Name>>;
  /**
   * Resolves with the last word of the peer. After a timeout that is later than `answer`: with the
   * late response, or once none can come any more.
   */
  over: Promise<Answer<Name>>;
};

/** A connection that exchanges PDUs and matches responses to requests by sequence number. */
export type PduSocket = {
  readonly isOpen: boolean;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  request<Name extends Request>(
    command: Name,
    content: { body: Body<Name>; tlvs?: readonly Tlv[] },
    timeoutMs: number,
  ): Call<Name>;
  respond(pdu: Pdu): void;
  end(why: string): void;
};

/** A peer that leaves this much unread is treated as dead. */
const UNREAD_BYTES_MAX = 1024 * 1024;
/** After this time past its timeout a response is no longer expected. */
const OVERDUE_MS = 30_000;
const SEQUENCE_MAX = 0x7fff_ffff;

export function createPduSocket(socket: Socket, onRequest: (pdu: Pdu) => void): PduSocket {
  const calls = createCalls();
  const ended = Promise.withResolvers<string>();
  const readFrames = createFrameReader();
  let isOpen = true;

  const end = (why: string) => {
    if (!isOpen) return;
    isOpen = false;
    // Flush what was written, such as an unbind_resp, unless the peer does not read.
    if (socket.writableLength < UNREAD_BYTES_MAX) socket.destroySoon();
    else socket.destroy();
    calls.breakAll(why);
    ended.resolve(why);
  };
  const write = (pdu: Pdu) => {
    if (!isOpen) return;
    socket.write(encodePdu(pdu));
    if (socket.writableLength > UNREAD_BYTES_MAX) end('it does not read what we write');
  };
  const takeFrame = (frame: Buffer) => {
    const pdu = decodePdu(frame);
    if ('bad' in pdu) {
      if (pdu.isResponse) calls.finish(pdu.sequence, { kind: 'unreadable' });
      else write(toNack(pdu));
    } else if (isResponse(pdu)) {
      calls.take(pdu);
    } else {
      onRequest(pdu);
    }
  };

  socket.on('data', (octets) => {
    const frames = isOpen ? readFrames(octets) : [];
    if (frames === undefined) return end('it sent something that is no PDU');
    for (const frame of frames) if (isOpen) takeFrame(frame);
  });
  socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  socket.on('end', () => end('it closed the connection'));
  socket.on('close', () => end('it closed the connection'));

  return {
    get isOpen() {
      return isOpen;
    },
    ended: ended.promise,
    request(command, { body, tlvs = [] }, timeoutMs) {
      const { sequence, call } = calls.open(command, timeoutMs);
      if (isOpen) write({ command, status: STATUS_OK, sequence, body, tlvs } as unknown as Pdu);
      else calls.breakAll('the connection has ended');
      return call;
    },
    respond: write,
    end,
  };
}

type AnyAnswer = Answer<Request>;
type AnyResponse = Extract<AnyAnswer, { kind: 'answer' }>['pdu'];
type Waiting = { command: Request; finish(answer: AnyAnswer): void };

/** Requests without a response yet, by sequence number. */
function createCalls() {
  const waiting = new Map<number, Waiting>();
  let sequence = 0;

  return {
    open<Name extends Request>(command: Name, timeoutMs: number) {
      sequence = sequence === SEQUENCE_MAX ? 1 : sequence + 1;
      const current = sequence;
      const answer = Promise.withResolvers<Answer<Name>>();
      const over = Promise.withResolvers<Answer<Name>>();
      const finish = (given: AnyAnswer) => {
        clearTimeout(timer);
        waiting.delete(current);
        answer.resolve(given as Answer<Name>);
        over.resolve(given as Answer<Name>);
      };
      const tooLate: AnyAnswer = { kind: 'broken', why: 'it did not answer in time' };
      let timer = setTimeout(() => {
        answer.resolve(tooLate as Answer<Name>);
        timer = setTimeout(finish, OVERDUE_MS, tooLate);
      }, timeoutMs);
      waiting.set(current, { command, finish });
      return { sequence: current, call: { answer: answer.promise, over: over.promise } };
    },
    take(pdu: AnyResponse) {
      const asked = waiting.get(pdu.sequence);
      const isFitting = pdu.command === 'generic_nack' || pdu.command === `${asked?.command}_resp`;
      asked?.finish(isFitting ? { kind: 'answer', pdu } : { kind: 'unreadable' });
    },
    /** A request that has already ended stays as it is. */
    finish(sequence: number, answer: AnyAnswer) {
      waiting.get(sequence)?.finish(answer);
    },
    breakAll(why: string) {
      for (const { finish } of [...waiting.values()]) finish({ kind: 'broken', why });
    },
  };
}

function isResponse(pdu: Pdu): pdu is Pdu & AnyResponse {
  return pdu.command === 'generic_nack' || pdu.command.endsWith('_resp');
}

function toNack({ bad, sequence }: BadPdu): Pdu {
  const status = bad === 'unknown_command' ? INVALID_COMMAND : INVALID_LENGTH;
  return { command: 'generic_nack', status, sequence, body: {}, tlvs: [] };
}
