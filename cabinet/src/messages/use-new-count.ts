import { useEffect, useState } from 'react';
import { addressOf } from '../call.ts';
import type { Filters } from './message-filters.tsx';

/** A stream that the server closed for good is opened again after this. */
const REOPEN_MS = 15_000;

export type Stream = { count: number; state: 'opening' | 'open' | 'broken' };
const OPENING: Stream = { count: 0, state: 'opening' };

/** How many messages have come since the newest one that is shown, as the server tells it. */
export function useNewCount(filters: Filters, newestId: string | undefined, isOn: boolean) {
  const [stream, setStream] = useState(OPENING);
  const address = addressOf('liveMessages', { query: { ...filters, after: newestId } });
  useEffect(() => {
    setStream(OPENING);
    return isOn ? watch(address, setStream) : undefined;
  }, [address, isOn]);
  return { ...stream, reset: () => setStream((before) => ({ ...before, count: 0 })) };
}

function watch(address: string, tell: (change: (before: Stream) => Stream) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(address);
    source.onopen = () => tell((before) => ({ ...before, state: 'open' }));
    source.onerror = () => {
      tell((before) => ({ ...before, state: 'broken' }));
      // A lost connection is tried again by the browser; a refusal is not.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
    source.addEventListener('new', (event: MessageEvent<string>) => {
      const { count } = JSON.parse(event.data) as { count: number };
      tell(() => ({ count, state: 'open' }));
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
