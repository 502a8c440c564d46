import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { TestContext } from 'node:test';

/** A server of this test alone; tells its address. */
export async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Somebody who has one answer to everything, and remembers what was asked for. */
export async function startParrot(
  t: TestContext,
  status: number,
  body: unknown,
): Promise<{ url: string; paths: (string | undefined)[] }> {
  const paths: (string | undefined)[] = [];
  const url = await serve(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url, paths };
}

/** The port of somebody who has just left. */
export async function nobodysPort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function nobodysUrl(): Promise<string> {
  return `http://127.0.0.1:${await nobodysPort()}`;
}
