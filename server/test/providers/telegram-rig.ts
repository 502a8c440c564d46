/** What the tests of both Telegram providers share. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { OutgoingMessage } from '../../src/channels/channel.ts';
import type { CallbackContent, Provider } from '../../src/channels/provider.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';

export const PHONE = '77010000001' as Phone;
export const REF = {
  companyId: 7 as CompanyId,
  messageId: '019a8b1c-0000-7000-8000-00000000002a' as MessageId,
  attempt: 2,
};

export function codeMessage(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    ref: REF,
    keyId: 1,
    isTest: false,
    to: { phone: PHONE },
    load: 'code',
    text: 'Код 482913. Никому не сообщайте.',
    language: 'ru',
    code: '482913',
    ttlSeconds: 120,
    ...changes,
  };
}

export const soon = () => AbortSignal.timeout(5_000);

type Fault = {
  name: string;
  plan: Plan;
  /** The outcomes that are true to what happened. */
  results: readonly string[];
  taken: number;
  /** How long the provider may take; short where it waits for an answer that never ends. */
  limitMs?: number;
};

const fails = (code: number, results: readonly string[]): Fault => ({
  name: `an answer with ${code}`,
  plan: { does: 'fail', code, retryAfter: 3 },
  results,
  taken: 0,
});
const malformed = (form: NonNullable<Plan['form']>): Fault => ({
  name: `an answer that is malformed: ${form}`,
  plan: { does: 'malformed', form },
  results: ['unknown'],
  taken: 1,
});

export const TRANSPORT_FAULTS: readonly Fault[] = [
  { name: 'silence', plan: { does: 'hang' }, results: ['unknown'], taken: 1, limitMs: 200 },
  {
    name: 'a reset before the answer',
    plan: { does: 'reset_before' },
    results: ['unknown'],
    taken: 0,
  },
  {
    name: 'a reset within the answer',
    plan: { does: 'reset_during' },
    results: ['unknown'],
    taken: 1,
  },
  {
    name: 'a reset after the answer',
    plan: { does: 'reset_after' },
    // The reset may overtake the answer.
    results: ['accepted', 'unknown'],
    taken: 1,
  },
  {
    name: 'an answer that drips',
    plan: { does: 'drip' },
    results: ['unknown'],
    taken: 1,
    limitMs: 500,
  },
  ...[500, 502, 503, 302, 401, 404].map((code) => fails(code, ['unknown'])),
  fails(429, ['unavailable']),
  {
    name: 'an error although the message has left',
    plan: { does: 'fail', code: 500, isTaken: true },
    results: ['unknown'],
    taken: 1,
  },
  malformed('html'),
  malformed('half_json'),
  malformed('empty'),
  malformed('no_content'),
  malformed('no_id'),
  malformed('wrong_type'),
  malformed('endless'),
  malformed('packed'),
];

/** The address of somebody who has just left. */
export async function nobodysUrl(): Promise<string> {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** Somebody who answers every call with the same words. */
export async function startParrot(t: TestContext, status: number, body: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  return await listen(t, server);
}

async function listen(t: TestContext, server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type CallbackDesk = {
  url: string;
  /** What the provider read from each call; undefined for those it did not believe. */
  contents: (CallbackContent | undefined)[];
  /** The provider that reads; known only after its simulator, which wants this address. */
  reader: Provider | undefined;
  /** Answers so instead of reading, as a service in trouble would. */
  failsWith: number | undefined;
};

/** Takes callbacks as the service does: believed ones get 200 and their answer, others 401. */
export async function startCallbackDesk(t: TestContext): Promise<CallbackDesk> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (desk.failsWith !== undefined) {
      response.writeHead(desk.failsWith).end();
      return;
    }
    const { method, headers } = request;
    const content = desk.reader?.readCallback?.({
      method: method as 'POST',
      headers,
      query: {},
      body,
    });
    desk.contents.push(content);
    const answer = content?.answer;
    response.writeHead(content === undefined ? 401 : 200, {
      ...(answer && { 'content-type': answer.contentType }),
    });
    response.end(answer?.body);
  });
  const url = `${await listen(t, server)}/callbacks`;
  const desk: CallbackDesk = { url, contents: [], reader: undefined, failsWith: undefined };
  return desk;
}
