import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What ends with a test, or with a table of tests. */
export type Scope = { after(close: () => unknown): void };

/** A server of this test alone; returns its address. */
export async function serve(t: Scope, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export type FixedAnswer = { status: number; body: unknown };

/** A server with one answer to everything, which can be changed; keeps the paths it was asked for. */
export async function startParrot(
  t: Scope,
  answer: FixedAnswer,
): Promise<{ url: string; paths: (string | undefined)[] }> {
  const paths: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    paths.push(request.url);
    const { status, body } = answer;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url, paths };
}

/**
 * Nobody listens on port 1, which is reserved. A port that was just closed may be taken by a test
 * beside this one.
 */
export const NOBODYS_URL = 'http://127.0.0.1:1';
