import { type Plan, waitForAnswer } from '../frame/plan.ts';
import { type Connection, responseTo } from './connection.ts';
import { type Header, u32, writeOctets, writePdu } from './octets.ts';

const DRIP_MS = 100;
/** A well-formed response, but to another request. */
const DELIVER_SM_RESP = 0x8000_0005;
/** The announced length of a PDU that takes very long to complete. */
const DRIP_PDU_BYTES = 60_000;

/** Answers a submit_sm as the plan says: whole, late, broken, or never. */
export async function answerSubmit(
  connection: Connection,
  answer: { request: Header; status: number; id: string },
  plan: Plan,
): Promise<void> {
  await waitForAnswer(plan);
  const { socket } = connection;
  const response = responseTo(answer.request, answer.status);
  const complete = writePdu(response, answer.status === 0 ? writeOctets(answer.id) : undefined);
  const send = (octets: Buffer) => {
    connection.unanswered -= 1;
    connection.write(octets);
  };
  switch (plan.does) {
    case 'hang':
      return;
    case 'reset_before':
      socket.resetAndDestroy();
      return;
    case 'reset_during':
      connection.seize()(complete.subarray(0, complete.length / 2));
      setImmediate(() => socket.resetAndDestroy());
      return;
    case 'reset_after':
      send(complete);
      // A graceful end, so that the response is read before the connection closes.
      connection.seize();
      socket.end();
      return;
    case 'drip':
      return drip(connection, response);
    case 'malformed':
      return send(malformed(plan, response, complete));
    default:
      return send(complete);
  }
}

function drip(connection: Connection, response: Header): void {
  const write = connection.seize();
  write(Buffer.concat([u32(DRIP_PDU_BYTES), writePdu(response).subarray(4)]));
  const timer = setInterval(() => write(Buffer.from('x')), DRIP_MS);
  connection.socket.on('close', () => clearInterval(timer));
}

function malformed(plan: Plan, response: Header, complete: Buffer): Buffer {
  const id = complete.subarray(16);
  switch (plan.form ?? 'garbage') {
    case 'wrong_sequence':
      return writePdu({ ...response, sequence: response.sequence + 1_000_000 }, id);
    case 'wrong_command':
      return writePdu({ ...response, id: DELIVER_SM_RESP }, id);
    case 'huge_length':
      return Buffer.concat([u32(0xffff_ffff), complete.subarray(4)]);
    case 'empty':
      return writePdu(response);
    case 'no_id':
      return writePdu(response, writeOctets(''));
    case 'unended_id':
      return writePdu(response, Buffer.from('12345'));
    default:
      return Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\nwhat was that?');
  }
}
