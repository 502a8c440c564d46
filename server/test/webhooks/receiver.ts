import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventType } from '@zhiber/contract/api/events.ts';

export type Received = {
  headers: IncomingHttpHeaders;
  body: string;
  event: { type: EventType; timestamp: string; data: Record<string, unknown> };
};

export type Answer = (response: ServerResponse, received: Received) => void;

export const accepts: Answer = (response) => response.writeHead(204).end();
export const answers =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('no');
export const hangs: Answer = () => undefined;

/** A server of a company: a real one, on a port of this machine. */
export async function startReceiver(first: Answer = accepts) {
  const received: Received[] = [];
  const arrivals = new EventEmitter<{ arrived: [] }>();
  let connections = 0;
  const state = { answer: first };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const call = { headers: request.headers, body, event: JSON.parse(body) };
    received.push(call);
    arrivals.emit('arrived');
    state.answer(response, call);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    /** Says `arrived` with every call. */
    arrivals,
    ids: () => received.map(({ headers }) => String(headers['webhook-id'])),
    connections: () => connections,
    set answer(answer: Answer) {
      state.answer = answer;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
