/** A server that takes a simulator's callbacks and gives them to a provider, as the service does. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CallbackContent, CallbackRequest, Provider } from '../../src/channels/provider.ts';

export type CallbackDesk = {
  url: string;
  /** Everything that was authentic, in the order it came. */
  readonly contents: readonly CallbackContent[];
  /** Whose callbacks these are; known only after the simulator was told the address. */
  serve(provider: Provider): void;
  /** The same, and waits for the first authentic one. */
  next(provider: Provider): Promise<CallbackContent>;
  close(): void;
};

export async function openCallbackDesk(): Promise<CallbackDesk> {
  const contents: CallbackContent[] = [];
  const first = Promise.withResolvers<CallbackContent>();
  let provider: Provider | undefined;
  const server = createServer(async (incoming, response) => {
    const { searchParams } = new URL(incoming.url ?? '/', 'http://service');
    const request: CallbackRequest = {
      method: incoming.method === 'GET' ? 'GET' : 'POST',
      headers: incoming.headers,
      query: Object.fromEntries(searchParams),
      body: await buffer(incoming),
    };
    const content = provider?.readCallback?.(request);
    if (content !== undefined) {
      contents.push(content);
      first.resolve(content);
    }
    response.writeHead(content === undefined ? 403 : 200);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    contents,
    serve(whose) {
      provider = whose;
    },
    next(whose) {
      provider = whose;
      return first.promise;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
