/**
 * Whether the server can be reached, and whether it has newer pages than these. Calls report what
 * they meet; while the connection is lost, the server is asked again until it answers.
 */
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

export type Connection = {
  isLost: boolean;
  /** The button was pressed, or the browser says that the network is back. */
  isChecking: boolean;
  hasNewBuild: boolean;
};

/** Named by the server in every answer: the entry script of the pages that it has. */
const BUILD_HEADER = 'x-zhiber-pages';
/** Answers without a session and without the database. */
const PROBE_PATH = '/api/health';
const PROBE_TIMEOUT_MS = 10_000;
const FIRST_PROBE_MS = 1_000;
const PROBE_MS_MAX = 10_000;

let state: Connection = { isLost: false, isChecking: false, hasNewBuild: false };
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = FIRST_PROBE_MS;

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, readConnection);
}

export function readConnection(): Connection {
  return state;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(changes: Partial<Connection>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

/** A call could not reach the server. Queries wait from now on and go on by themselves. */
export function noteLost(): void {
  if (state.isLost) return;
  change({ isLost: true });
  onlineManager.setOnline(false);
  waitMs = FIRST_PROBE_MS;
  probeLater();
}

/** The server answered, whatever it said. */
export function noteReached(response: Response): void {
  const build = response.headers.get(BUILD_HEADER);
  if (build !== null && ownBuild !== undefined && build !== ownBuild) noteNewBuild();
  if (!state.isLost) return;
  clearTimeout(timer);
  change({ isLost: false, isChecking: false });
  onlineManager.setOnline(true);
}

export function noteNewBuild(): void {
  if (!state.hasNewBuild) change({ hasNewBuild: true });
}

/** Asks the server at once. Returns whether it answered. */
export async function checkConnection(): Promise<boolean> {
  clearTimeout(timer);
  change({ isChecking: true });
  try {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    const response = await fetch(PROBE_PATH, { method: 'HEAD', cache: 'no-store', signal });
    if (isFromProxy(response)) throw new Error('the server behind the proxy is away');
    noteReached(response);
    return true;
  } catch {
    noteLost();
    return false;
  } finally {
    change({ isChecking: false });
    if (state.isLost) probeLater();
  }
}

/** A proxy answers for a server that is away, and not in JSON. */
export function isFromProxy({ status, headers }: Response): boolean {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  return [502, 503, 504].includes(status) && !isJson;
}

function probeLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void checkConnection(), waitMs);
  waitMs = Math.min(waitMs * 1.5, PROBE_MS_MAX);
}

/** The name of the entry script that this page was opened with. */
const ownBuild = readOwnBuild();

function readOwnBuild(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('head script[type=module]');
  return script?.src.split('/').at(-1);
}

// React Query would judge by the browser's events alone, which say nothing about the server.
onlineManager.setEventListener(() => undefined);
window.addEventListener('offline', noteLost);
window.addEventListener('online', () => void checkConnection());
