import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { PortTaken } from './port-taken.ts';

export type OpsServer = { port: number; close(): Promise<void> };

type Page = { status: number; type: string; body: string };

/**
 * The operator's port, apart from the one that the world sees: `/metrics` for Prometheus, `/ready`
 * for a load balancer, `/live` for a supervisor.
 */
export async function openOpsServer(options: {
  port: number;
  host: string;
  registry: Registry;
  isReady(): Promise<boolean>;
}): Promise<OpsServer> {
  const { registry, isReady } = options;
  const pages: Record<string, () => Promise<Page>> = {
    '/metrics': async () => ({
      status: 200,
      type: registry.contentType,
      body: await registry.metrics(),
    }),
    '/ready': async () =>
      (await isReady()) ? text(200, 'ready') : text(503, 'a send or a verify would not work'),
    '/live': async () => text(200, 'live'),
  };
  const server = createServer(async (request, response) => {
    const page = pages[request.url?.split('?')[0] ?? ''];
    const found = page === undefined ? text(404, Object.keys(pages).join(' ')) : await page();
    response.writeHead(found.status, { 'content-type': found.type });
    response.end(found.body);
  });
  server.listen(options.port, options.host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new PortTaken('OPS_PORT', options.port) : error;
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function text(status: number, body: string): Page {
  return { status, type: 'text/plain; charset=utf-8', body: `${body}\n` };
}
