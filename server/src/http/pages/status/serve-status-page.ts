import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import { repeatEvery } from '../../../runtime/repeat.ts';
import { probe } from '../../../status/probe.ts';
import { isStale, makeSnapshot, withSilentApi } from '../../../status/snapshot.ts';
import {
  OUTSIDE_FILE,
  type OutsideCount,
  readOutside,
  readSnapshotFile,
  writeWhole,
} from '../../../status/status-files.ts';
import { packedFor } from '../built-pages.ts';
import { chooseLang } from '../language.ts';
import { PAGE_HEADERS } from '../send-page.ts';
import type { WebBuild } from '../web-build.ts';
import {
  renderStatus,
  STATUS_HEADERS,
  STATUS_PATHS,
  type StatusDocument,
} from './render-status.ts';

const PROBE_MS = 10_000;
/** After an answer that did not come, the next question comes soon: it decides. */
const PROBE_AGAIN_MS = 1_000;
/** One lost answer is no outage. */
const FAILURES_MIN = 2;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export type StatusServer = { port: number; close(): Promise<void> };

/**
 * The status page in a process of its own, which goes on while the service is down. It shows the
 * snapshot that the service has left in a folder, asks the API itself, and leaves there what it has
 * measured.
 */
export async function serveStatusPage(options: {
  port: number;
  host: string;
  folder: string;
  /** The address of the API, such as `http://localhost:3000/api`. */
  apiUrl: string;
  build: WebBuild;
  onError(error: unknown): void;
}): Promise<StatusServer> {
  const { folder, apiUrl, build } = options;
  const watch = await watchApi(options);
  const show = async (document: StatusDocument, request: IncomingMessage) => {
    const now = new Date();
    const snapshot = (await readSnapshotFile(folder)) ?? nothingKnown(apiUrl, now);
    const isApiSilent = watch.isSilent();
    const lang = chooseLang({
      query: queryOf(request).get('lang'),
      acceptLanguage: request.headers['accept-language'],
    });
    const shown = isApiSilent
      ? withSilentApi(snapshot, now)
      : isStale(snapshot, now)
        ? withoutStates(snapshot)
        : snapshot;
    return renderStatus(document, { snapshot: shown, now, isApiSilent }, { build, lang });
  };
  const server = createServer((request, response) => {
    answer(request, response, { build, show }).catch((error: unknown) => {
      options.onError(error);
      response.writeHead(500).end();
    });
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      await watch.stop();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {
    build,
    show,
  }: { build: WebBuild; show(document: StatusDocument, request: IncomingMessage): Promise<string> },
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] as string;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const send = (status: number, headers: Record<string, string>, body: string | Buffer) => {
    response.writeHead(status, {
      'x-content-type-options': 'nosniff',
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const asset = build.assets.get(path);
  const document = Object.entries(STATUS_PATHS).find(([url]) => url === path)?.[1];
  if (!isRead) send(405, { allow: 'GET, HEAD' }, '');
  else if (path === '/') send(302, { location: '/status' }, '');
  else if (document !== undefined) {
    const headers = document === 'page' ? PAGE_HEADERS : STATUS_HEADERS[document];
    send(200, headers, await show(document, request));
  } else if (asset !== undefined) {
    const { body, encoding } = packedFor(asset, request.headers['accept-encoding']);
    const headers = { 'content-type': asset.type, vary: 'accept-encoding' };
    send(
      200,
      encoding === undefined ? headers : { ...headers, 'content-encoding': encoding },
      body,
    );
  } else send(404, { 'content-type': 'text/plain; charset=utf-8' }, '/status\n');
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?')[1] ?? '');
}

/** No service has ever written a snapshot here. */
function nothingKnown(apiUrl: string, now: Date): StatusSnapshot {
  return makeSnapshot({
    now,
    siteUrl: apiUrl.replace(/\/api\/?$/, ''),
    isSandbox: false,
    minutes: new Map(),
    days: [],
    incidents: [],
  });
}

/** The API answers, but nobody has renewed the snapshot: what it says of now is not known. */
function withoutStates(snapshot: StatusSnapshot): StatusSnapshot {
  return {
    ...snapshot,
    components: snapshot.components.map((component) => ({ ...component, state: null })),
  };
}

/** Asks the API again and again, and keeps a day of what came of it in a file. */
async function watchApi({
  apiUrl,
  folder,
  onError,
}: {
  apiUrl: string;
  folder: string;
  onError(error: unknown): void;
}) {
  const counts = new Map<string, OutsideCount>();
  for (const row of await readOutside(folder).catch(() => [])) counts.set(keyOf(row), row);
  let failures = 0;
  const count = (name: OutsideCount['name'], isGood: boolean) => {
    const minuteMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const none = { minuteMs, name, source: 'outside' as const, good: 0, bad: 0 };
    const row = counts.get(keyOf(none)) ?? none;
    row[isGood ? 'good' : 'bad'] += 1;
    counts.set(keyOf(row), row);
    for (const [key, { minuteMs: at }] of counts) {
      if (at < minuteMs - DAY_MS) counts.delete(key);
    }
  };
  const ask = async () => {
    const isGood = (await probe(`${apiUrl}/health`)) === 200;
    failures = isGood ? 0 : failures + 1;
    // The pages and the short links come from the same process and the same database.
    for (const name of isGood ? (['api'] as const) : (['api', 'cabinet', 'links'] as const)) {
      count(name, isGood);
    }
    await writeWhole(folder, OUTSIDE_FILE, `${JSON.stringify([...counts.values()])}\n`);
  };
  await ask().catch(onError);
  if (failures > 0) await ask().catch(onError);
  let nextMs = Date.now() + PROBE_MS;
  const repetition = repeatEvery({
    pauseMs: PROBE_AGAIN_MS,
    onError,
    async run() {
      const isSoon = failures > 0 && failures < FAILURES_MIN;
      if (!isSoon && Date.now() < nextMs) return false;
      nextMs = Date.now() + PROBE_MS;
      await ask();
      return false;
    },
  });
  return { isSilent: () => failures >= FAILURES_MIN, stop: () => repetition.stop() };
}

function keyOf({ minuteMs, name }: Pick<OutsideCount, 'minuteMs' | 'name'>): string {
  return `${minuteMs} ${name}`;
}
