import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { ProviderMetricsRow } from '../../channels/provider-metrics.ts';
import { PortTaken } from './port-taken.ts';

export type OpsServer = { port: number; close(): Promise<void> };

type Page = { status: number; type: string; body: string };

/**
 * The operator's port, separate from the public one: `/metrics` for Prometheus, `/providers` for a
 * person or a page, `/ready` for a load balancer, `/live` for a supervisor. A provider that is down
 * is named by `/ready`, and does not make it 503: another node could not send by it either.
 */
export async function openOpsServer(options: {
  port: number;
  host: string;
  registry: Pick<Registry, 'contentType' | 'metrics'>;
  readProviders(): readonly ProviderMetricsRow[];
  isReady(): Promise<boolean>;
}): Promise<OpsServer> {
  const { registry, readProviders, isReady } = options;
  const pages: Record<string, () => Promise<Page>> = {
    '/metrics': async () => ({
      status: 200,
      type: registry.contentType,
      body: await registry.metrics(),
    }),
    '/providers': async () => json({ providers: readProviders().map(describeProvider) }),
    '/ready': async () => {
      const notes = new Set(readProviders().flatMap(describeTrouble));
      return (await isReady())
        ? text(200, ['ready', ...notes].join('\n'))
        : text(503, ['a send or a verify would not work', ...notes].join('\n'));
    },
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

function json(value: object): Page {
  const body = `${JSON.stringify(value, null, 2)}\n`;
  return { status: 200, type: 'application/json; charset=utf-8', body };
}

/** A line for each provider that messages do not reach now. */
function describeTrouble({ name, circuit, state }: ProviderMetricsRow): string[] {
  return [
    ...(circuit === 'open' ? [`${name}: messages are kept away from it, it fails`] : []),
    ...(state?.isUp === false
      ? [`${name}: down since ${state.since.toISOString()}: ${state.detail}`]
      : []),
  ];
}

function describeProvider({
  inFlight,
  skipped,
  latency,
  state,
  receipts,
  ...rest
}: ProviderMetricsRow): object {
  return {
    ...rest,
    state:
      state === undefined
        ? null
        : { is_up: state.isUp, detail: state.detail, since: state.since.toISOString() },
    receipts: receipts ?? null,
    in_flight: inFlight,
    skipped: {
      open_circuit: skipped['open circuit'],
      too_many_at_once: skipped['too many at once'],
    },
    latency_ms: latency === undefined ? null : { median: latency.medianMs, p99: latency.p99Ms },
  };
}
