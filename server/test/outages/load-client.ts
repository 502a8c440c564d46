/**
 * A load of simulated people over real sockets: each asks for a code, reads it in the sandbox inbox
 * and verifies it, until the load is stopped. Every call is recorded with its answer and duration.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { freshPhones } from '../harness.ts';

export type Call = {
  path: string;
  /** 0 when the connection broke or no answer arrived. */
  status: number;
  startedMs: number;
  ms: number;
  /** When the last byte of the request was handed to the system; undefined when it never was. */
  sentMs?: number;
  /** Whether the connection was reused. */
  isReused?: boolean;
  retryAfter: string | undefined;
  requestId: string;
  body: Record<string, unknown>;
  failure?: string;
};

export type Person = { phone: string; messageId: string };

export type Load = {
  calls: Call[];
  /** People whose send, or verification, was answered with success. */
  sent: Person[];
  verified: Person[];
  inFlight(): number;
  stop(): Promise<void>;
};

/** The pause after a 503; shorter than Retry-After, so that tests are fast. */
const REFUSED_PAUSE_MS = 20;
/** A longer call counts as hung. */
const CALL_TIMEOUT_MS = 60_000;

let calls = 0;

/** A phone that this process has not used yet. */
export const newPhone = freshPhones('+7702');

export type CallOptions = { method?: 'GET' | 'POST'; headers?: Record<string, string> };
export type Target = { port: number; key: string };

export type Caller = ReturnType<typeof createCaller>;

export function createCaller({ port, key }: Target, agent: Agent) {
  return (path: string, body: object, options: CallOptions = {}): Promise<Call> => {
    const { method = 'POST', headers = {} } = options;
    calls += 1;
    const requestId = `t-${process.pid}-${calls}`;
    const startedMs = performance.now();
    let sentMs: number | undefined;
    return new Promise((resolve) => {
      const finish = (call: Pick<Call, 'status' | 'retryAfter' | 'body'> & { failure?: string }) =>
        resolve({
          path,
          requestId,
          startedMs,
          ms: performance.now() - startedMs,
          ...(sentMs === undefined ? {} : { sentMs }),
          isReused: outgoing.reusedSocket,
          ...call,
        });
      const broken = (error: Error) =>
        finish({ status: 0, retryAfter: undefined, body: {}, failure: error.message });
      const payload = method === 'POST' ? JSON.stringify(body) : '';
      const outgoing = request(
        {
          agent,
          host: 'localhost',
          port,
          method,
          path,
          timeout: CALL_TIMEOUT_MS,
          headers: {
            authorization: `Bearer ${key}`,
            'x-request-id': requestId,
            ...(payload === '' ? {} : { 'content-type': 'application/json' }),
            'content-length': Buffer.byteLength(payload),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('error', broken);
          response.on('end', () =>
            finish({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              body: text.startsWith('{') ? JSON.parse(text) : {},
            }),
          );
        },
      );
      outgoing.on('finish', () => {
        sentMs = performance.now();
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('timed out without an answer')));
      outgoing.on('error', broken);
      outgoing.end(payload);
    });
  };
}

export function startLoad(target: Target, people: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: people });
  const call = createCaller(target, agent);
  const calls: Call[] = [];
  const sent: Person[] = [];
  const verified: Person[] = [];
  let isStopped = false;
  let inFlight = 0;

  const ask = async (path: string, body: object, options?: CallOptions): Promise<Call> => {
    inFlight += 1;
    const answered = await call(path, body, options);
    inFlight -= 1;
    calls.push(answered);
    return answered;
  };
  /** Repeats the call until the answer is not 503; undefined when the load is stopped. */
  const callUntilServed = async (path: string, body: object, options?: CallOptions) => {
    while (!isStopped) {
      const answered = await ask(path, body, options);
      if (answered.status !== 503) return answered;
      await pause(REFUSED_PAUSE_MS);
    }
    return undefined;
  };
  const simulatePerson = async () => {
    while (!isStopped) {
      const phone = newPhone();
      const send = await ask('/api/otp/send', { phone });
      if (send.status === 503) await pause(REFUSED_PAUSE_MS);
      if (send.status !== 200) continue;
      const person = { phone, messageId: String(send.body.message_id) };
      sent.push(person);
      const inbox = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
      const read = await callUntilServed(inbox, {}, { method: 'GET' });
      const code = (read?.body.messages as { code: string }[] | undefined)?.at(-1)?.code;
      if (code === undefined) continue;
      const guess = await callUntilServed('/api/otp/verify', { phone, code });
      if (guess?.status === 200) verified.push(person);
    }
  };
  const simulated = Array.from({ length: people }, simulatePerson);

  return {
    calls,
    sent,
    verified,
    inFlight: () => inFlight,
    async stop() {
      isStopped = true;
      await Promise.all(simulated);
      agent.destroy();
    },
  };
}

/** Counts the calls by outcome: the error code or the status. */
export function countOutcomes(calls: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body, failure } of calls) {
    const outcome = failure ?? `${status}${body.error_code ? ` ${body.error_code}` : ''}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

export type Received = { code: string; channel: string };

/** The messages in the sandbox inbox of a phone, oldest first. */
export async function readInbox(call: Caller, phone: string): Promise<Received[]> {
  const url = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
  return (await call(url, {}, { method: 'GET' })).body.messages as Received[];
}

/** The newest code in the sandbox inbox of a phone. */
export async function readCode(call: Caller, phone: string): Promise<string> {
  return (await readInbox(call, phone)).at(-1)?.code ?? '';
}
