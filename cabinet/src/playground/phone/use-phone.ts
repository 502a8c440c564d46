import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';
import { useEffect, useState } from 'react';
import { type Answer, addressOf } from '../../call.ts';
import { queryOf } from '../../queries.ts';

const POLL_MS = 3_000;
/** A browser reconnects by itself after a broken stream, but not after an answer like 503. */
const REOPEN_MS = 5_000;

/** What lies in the virtual phone of a key. The stream tells of news; without it the page asks. */
export function usePhone(
  keyId: number,
  /** What a live key sends goes to real phones, unless nothing leaves this machine. */
  hasPhone: boolean,
): { messages: readonly PhoneMessage[]; isLost: boolean } {
  const client = useQueryClient();
  const [isLost, setLost] = useState(false);
  const phone = useQuery({
    ...queryOf('phoneMessages', { query: { key_id: keyId } }),
    enabled: hasPhone,
    refetchInterval: isLost && POLL_MS,
  });
  useEffect(() => {
    if (!hasPhone) return;
    const { queryKey } = queryOf('phoneMessages', { query: { key_id: keyId } });
    return listen(keyId, {
      onConnection: (isOpen) => setLost(!isOpen),
      onMessage: (message) =>
        client.setQueryData<Answer<'phoneMessages'>>(queryKey, (before) =>
          withNew(before, message),
        ),
      onChange: () => void client.invalidateQueries({ queryKey: ['message'] }),
    });
  }, [client, keyId, hasPhone]);
  // The answer that is kept while another key is asked for is not about this one.
  return { messages: phone.isPlaceholderData ? [] : (phone.data?.messages ?? []), isLost };
}

/** A fallback brings the same message again by another channel: two bubbles, as on a real phone. */
function withNew(
  before: Answer<'phoneMessages'> | undefined,
  message: PhoneMessage,
): Answer<'phoneMessages'> {
  const messages = before?.messages ?? [];
  const isKnown = messages.some(
    ({ message_id, channel }) => message_id === message.message_id && channel === message.channel,
  );
  return { success: true, messages: isKnown ? messages : [...messages, message] };
}

type Listener = {
  onConnection: (isOpen: boolean) => void;
  onMessage: (message: PhoneMessage) => void;
  onChange: () => void;
};

function listen(keyId: number, { onConnection, onMessage, onChange }: Listener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source = open();
  return () => {
    clearTimeout(timer);
    source.close();
  };

  function open(): EventSource {
    const stream = new EventSource(addressOf('phoneEvents', { query: { key_id: keyId } }));
    stream.addEventListener('open', () => onConnection(true));
    stream.addEventListener('message', (event) => {
      onMessage(JSON.parse(event.data) as PhoneMessage);
      onChange();
    });
    stream.addEventListener('receipt', onChange);
    stream.addEventListener('error', () => {
      onConnection(false);
      if (stream.readyState === EventSource.CLOSED) {
        timer = setTimeout(() => {
          source = open();
        }, REOPEN_MS);
      }
    });
    return stream;
  }
}
