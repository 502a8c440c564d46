import type { PhoneMessage } from './server.ts';

export type EventHandlers = {
  /** `isReplayed`: it was on the phone before this page connected. */
  onMessage(message: PhoneMessage, isReplayed: boolean): void;
  onStatus(messageId: string): void;
  onBalance(balance: number): void;
  onConnection(isConnected: boolean): void;
  /** Everything that was on the phone has been told; what comes from now on is news. */
  onReplayed(): void;
};

/** A browser reconnects by itself after a broken stream, but not after an answer like 503. */
const REOPEN_MS = 3_000;

/** Listens to the phone for as long as the page is open. */
export function listen(handlers: EventHandlers): void {
  const source = new EventSource('/try/events');
  let isReplayed = true;
  source.addEventListener('open', () => {
    isReplayed = true;
    handlers.onConnection(true);
  });
  source.addEventListener('replayed', () => {
    isReplayed = false;
    handlers.onReplayed();
  });
  source.addEventListener('error', () => {
    handlers.onConnection(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(handlers), REOPEN_MS);
  });
  source.addEventListener('message', (event) => {
    handlers.onMessage(JSON.parse(event.data) as PhoneMessage, isReplayed);
  });
  source.addEventListener('status', (event) => {
    handlers.onStatus((JSON.parse(event.data) as { message_id: string }).message_id);
  });
  source.addEventListener('balance', (event) => {
    handlers.onBalance((JSON.parse(event.data) as { balance: number }).balance);
  });
}
