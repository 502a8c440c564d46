import type { ReceivedMessage } from '../ui/phone/received-message.ts';
import type { PhoneListener } from './backend.ts';

/** A browser reconnects by itself after a broken stream, but not after an answer like 503. */
const REOPEN_MS = 3_000;

type StreamListener = PhoneListener & { onBalance?: (balance: number) => void };

/** Reads the events of a phone until the returned function is called. */
export function openPhoneStream(address: string, listener: StreamListener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source = open();
  return () => {
    clearTimeout(timer);
    source.close();
  };

  function open(): EventSource {
    const stream = new EventSource(address);
    let isReplayed = true;
    stream.addEventListener('open', () => {
      isReplayed = true;
      listener.onConnection(true);
    });
    stream.addEventListener('error', () => {
      listener.onConnection(false);
      if (stream.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => {
        source = open();
      }, REOPEN_MS);
    });
    stream.addEventListener('message', ({ data }) =>
      listener.onMessage(JSON.parse(data) as ReceivedMessage, isReplayed),
    );
    stream.addEventListener('replayed', () => {
      isReplayed = false;
      listener.onReplayed();
    });
    stream.addEventListener('receipt', ({ data }) =>
      listener.onReceipt((JSON.parse(data) as { message_id: string }).message_id),
    );
    stream.addEventListener('balance', ({ data }) =>
      listener.onBalance?.((JSON.parse(data) as { balance: number }).balance),
    );
    return stream;
  }
}
