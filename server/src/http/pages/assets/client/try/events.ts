import type { PhoneMessage } from './server.ts';

export type EventHandlers = {
  /** `isReplayed`: it was on the phone before this page connected. */
  onMessage(message: PhoneMessage, isReplayed: boolean): void;
  onStatus(messageId: string): void;
  onBalance(balance: number): void;
  onConnection(isConnected: boolean): void;
};

/** The replay comes right after the connection opens; what comes later is news. */
const REPLAY_MS = 700;
/** A browser reconnects by itself after a broken stream, but not after an answer like 503. */
const REOPEN_MS = 3_000;

/** Listens to the phone for as long as the page is open. */
export function listen(handlers: EventHandlers): void {
  const source = new EventSource('/try/events');
  let openedAt = performance.now();
  source.addEventListener('open', () => {
    openedAt = performance.now();
    handlers.onConnection(true);
  });
  source.addEventListener('error', () => {
    handlers.onConnection(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(handlers), REOPEN_MS);
  });
  source.addEventListener('message', (event) => {
    const message = JSON.parse(event.data) as PhoneMessage;
    handlers.onMessage(message, performance.now() - openedAt < REPLAY_MS);
  });
  source.addEventListener('status', (event) => {
    handlers.onStatus((JSON.parse(event.data) as { message_id: string }).message_id);
  });
  source.addEventListener('balance', (event) => {
    handlers.onBalance((JSON.parse(event.data) as { balance: number }).balance);
  });
}
