/** What the tests of the WhatsApp providers share: messages, a receiver of callbacks, and faults. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { AttemptRef, Outcome, OutgoingMessage } from '../../src/channels/channel.ts';
import type {
  CallbackContent,
  Contact,
  Provider,
  ProviderReport,
} from '../../src/channels/provider.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';

export const PHONE = '77010000001' as Phone;
export const LINK = 'https://zhiber.kz/s/Kd7mWq3x';

export function newRef(): AttemptRef {
  return { companyId: 17 as CompanyId, messageId: newId(Date.now()), attempt: 1 };
}

export function outgoing(changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    ref: newRef(),
    keyId: 1,
    isTest: false,
    to: { phone: PHONE },
    load: 'code',
    text: 'Код 482913. Никому его не сообщайте.',
    language: 'ru',
    code: '482913',
    ttlSeconds: 300,
    ...changes,
  };
}

export const linkMessage = (changes: Partial<OutgoingMessage> = {}): OutgoingMessage =>
  outgoing({
    load: 'text',
    text: `Ваша ссылка: ${LINK}`,
    link: LINK,
    code: undefined,
    ...changes,
  });

/** Long enough for anything that answers. */
export const patience = (): AbortSignal => AbortSignal.timeout(5_000);

export type Receiver = {
  url: string;
  /** Whose callbacks they are. */
  attach(provider: Provider): void;
  contents: CallbackContent[];
  reports(): ProviderReport[];
  contacts(): Contact[];
};

/** The service's side of callbacks: hands them to the provider, and answers 401 to strangers. */
export async function openReceiver(t: TestContext): Promise<Receiver> {
  let provider: Provider | undefined;
  const contents: CallbackContent[] = [];
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://service');
    const content = provider?.readCallback?.({
      method: request.method === 'GET' ? 'GET' : 'POST',
      headers: request.headers,
      query: Object.fromEntries(searchParams),
      body: await buffer(request),
    });
    if (content !== undefined) contents.push(content);
    response.statusCode = content === undefined ? 401 : 200;
    response.setHeader('content-type', content?.answer?.contentType ?? 'text/plain');
    response.end(content?.answer?.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    attach(attached) {
      provider = attached;
    },
    contents,
    reports: () => contents.flatMap(({ reports }) => reports),
    contacts: () => contents.flatMap(({ contacts }) => contacts ?? []),
  };
}

/** A server that says one thing to everybody: for answers that no provider should give. */
export async function answerAlways(t: TestContext, status: number, body: unknown): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type TransportFault = {
  plan: Plan;
  result: Outcome['result'];
  /** Whether the message went out all the same. */
  isTaken: boolean;
  /** For those that never answer. */
  limitMs?: number;
};

/** Faults of the way to a provider, with what they have to come to. */
export const TRANSPORT_FAULTS: Readonly<Record<string, TransportFault>> = {
  'no answer': { plan: { does: 'hang' }, result: 'unknown', isTaken: true, limitMs: 300 },
  'an answer that drips': {
    plan: { does: 'drip' },
    result: 'unknown',
    isTaken: true,
    limitMs: 500,
  },
  'a reset before the answer': {
    plan: { does: 'reset_before' },
    result: 'unknown',
    isTaken: false,
  },
  'a reset in the answer': { plan: { does: 'reset_during' }, result: 'unknown', isTaken: true },
  'a page of HTML': malformed('html'),
  'half of the JSON': malformed('half_json'),
  'an empty answer': malformed('empty'),
  'a 204': malformed('no_content'),
  'an answer without an id': malformed('no_id'),
  'an answer of another type': malformed('wrong_type'),
  'an answer without end': malformed('endless'),
  'a packed answer': malformed('packed'),
  'a 500': failing(500, 'unknown'),
  'a 500 for a message that went': failing(500, 'unknown', true),
  'a 502': failing(502, 'unknown'),
  'a 503': failing(503, 'unknown'),
  'a 429': failing(429, 'unavailable'),
  'a redirect': failing(302, 'unknown'),
};

function malformed(form: NonNullable<Plan['form']>): TransportFault {
  return { plan: { does: 'malformed', form }, result: 'unknown', isTaken: true };
}

function failing(code: number, result: Outcome['result'], isTaken = false): TransportFault {
  return { plan: { does: 'fail', code, retryAfter: 1, isTaken }, result, isTaken };
}
