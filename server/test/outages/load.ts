/**
 * People who ask for a code, read it on the virtual phone and type it in, over real sockets, for as
 * long as it is wanted. Every call is kept, with what was answered and how long that took.
 */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export type Call = {
  path: string;
  /** 0 when the connection broke or nothing came. */
  status: number;
  startedMs: number;
  ms: number;
  /** When its last byte had been handed to the system; undefined when it never was. */
  sentMs?: number;
  /** Whether its connection had carried another call before. */
  isKept?: boolean;
  retryAfter: string | undefined;
  requestId: string;
  body: Record<string, unknown>;
  failure?: string;
};

export type Person = { phone: string; messageId: string };

export type Load = {
  calls: Call[];
  /** Sends and verifications that were answered with success. */
  sent: Person[];
  verified: Person[];
  inFlight(): number;
  stop(): Promise<void>;
};

/** Somebody who was told to come back later does so; a test need not wait whole seconds. */
const REFUSED_PAUSE_MS = 20;
/** A call that takes longer hangs, and is counted as such. */
const CALL_LIMIT_MS = 60_000;

let phones = 0;
let calls = 0;

/** A phone nobody has used in this process. */
export function newPhone(): string {
  phones += 1;
  return `+7702${String(phones).padStart(7, '0')}`;
}

export type CallOptions = { method?: 'GET' | 'POST'; headers?: Record<string, string> };
export type Target = { port: number; key: string };

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
          isKept: asking.reusedSocket,
          ...call,
        });
      const broken = (error: Error) =>
        finish({ status: 0, retryAfter: undefined, body: {}, failure: error.message });
      const payload = method === 'POST' ? JSON.stringify(body) : '';
      const asking = request(
        {
          agent,
          host: 'localhost',
          port,
          method,
          path,
          timeout: CALL_LIMIT_MS,
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
      asking.on('finish', () => {
        sentMs = performance.now();
      });
      asking.on('timeout', () => asking.destroy(new Error('no answer')));
      asking.on('error', broken);
      asking.end(payload);
    });
  };
}

export function startLoad(target: Target, people: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: people });
  const call = createCaller(target, agent);
  const calls: Call[] = [];
  const sent: Person[] = [];
  const verified: Person[] = [];
  let isOver = false;
  let inFlight = 0;

  const ask = async (path: string, body: object, options?: CallOptions): Promise<Call> => {
    inFlight += 1;
    const made = await call(path, body, options);
    inFlight -= 1;
    calls.push(made);
    return made;
  };
  /** Until it is answered with something other than a 503; undefined when the load is over. */
  const insist = async (path: string, body: object, options?: CallOptions) => {
    while (!isOver) {
      const made = await ask(path, body, options);
      if (made.status !== 503) return made;
      await pause(REFUSED_PAUSE_MS);
    }
    return undefined;
  };
  const live = async () => {
    while (!isOver) {
      const phone = newPhone();
      const send = await ask('/api/otp/send', { phone });
      if (send.status === 503) await pause(REFUSED_PAUSE_MS);
      if (send.status !== 200) continue;
      const person = { phone, messageId: String(send.body.message_id) };
      sent.push(person);
      const inbox = `/sandbox/messages?phone=${encodeURIComponent(phone)}`;
      const read = await insist(inbox, {}, { method: 'GET' });
      const code = (read?.body.messages as { code: string }[] | undefined)?.at(-1)?.code;
      if (code === undefined) continue;
      const guess = await insist('/api/otp/verify', { phone, code });
      if (guess?.status === 200) verified.push(person);
    }
  };
  const living = Array.from({ length: people }, live);

  return {
    calls,
    sent,
    verified,
    inFlight: () => inFlight,
    async stop() {
      isOver = true;
      await Promise.all(living);
      agent.destroy();
    },
  };
}

/** How many calls had each outcome: the error code, or the status. */
export function tally(calls: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body, failure } of calls) {
    const outcome = failure ?? `${status}${body.error_code ? ` ${body.error_code}` : ''}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
