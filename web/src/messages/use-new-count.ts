import { useEffect, useState } from 'react';
import { addressOf } from '../call.ts';
import type { Filters } from './message-filters.tsx';

/** After this a stream that the server refused is opened again. */
const REOPEN_MS = 15_000;

export type Stream = { count: number; state: 'opening' | 'open' | 'broken' };
const OPENING: Stream = { count: 0, state: 'opening' };

/** Streams the number of messages newer than the newest one shown. */
export function useNewCount(filters: Filters, newestId: string | undefined, isOn: boolean) {
  const [stream, setStream] = useState(OPENING);
  const address = addressOf('liveMessages', { query: { ...filters, after: newestId } });
  useEffect(() => {
    setStream(OPENING);
    return isOn ? openStream(address, setStream) : undefined;
  }, [address, isOn]);
  return { ...stream, reset: () => setStream((before) => ({ ...before, count: 0 })) };
}

function openStream(
  address: string,
  update: (change: (before: Stream) => Stream) => void,
): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(address);
    source.onopen = () => update((before) => ({ ...before, state: 'open' }));
    source.onerror = () => {
      update((before) => ({ ...before, state: 'broken' }));
      // The browser reconnects after a lost connection, but not after a refusal.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
    source.addEventListener('new', (event: MessageEvent<string>) => {
      const { count } = JSON.parse(event.data) as { count: number };
      update(() => ({ count, state: 'open' }));
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
