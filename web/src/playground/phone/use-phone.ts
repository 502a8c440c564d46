import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { bubbleId, type ReceivedMessage } from '../../ui/phone/received-message.ts';
import type { PlaygroundBackend } from '../backend.ts';

/** As many as the stream begins with, so that a reload shows the same phone. */
const MESSAGES_MAX = 50;

/** What lies in the virtual phone, live. Without a phone nothing is listened to. */
export function usePhone(
  backend: PlaygroundBackend,
  hasPhone: boolean,
  handlers: {
    /** A message that came while the page was open. */
    onNews: (message: ReceivedMessage) => void;
    onReceipt: (messageId: string) => void;
    onReconnected: () => void;
  },
) {
  const [messages, setMessages] = useState<readonly ReceivedMessage[]>([]);
  const [isLost, setLost] = useState(false);
  const [isReplaying, setReplaying] = useState(hasPhone);
  const known = useRef(new Set<string>());

  const onConnection = useEffectEvent((isOpen: boolean) => {
    if (isOpen && isLost) handlers.onReconnected();
    setLost(!isOpen);
  });
  const onMessage = useEffectEvent((message: ReceivedMessage, isReplayed: boolean) => {
    const id = bubbleId(message);
    if (known.current.has(id)) return;
    known.current.add(id);
    setMessages((before) => [...before, message].slice(-MESSAGES_MAX));
    if (!isReplayed) handlers.onNews(message);
  });
  const onReceipt = useEffectEvent((messageId: string) => handlers.onReceipt(messageId));

  useEffect(() => {
    if (!hasPhone) return;
    return backend.listen({
      onConnection: (isOpen) => onConnection(isOpen),
      onMessage: (message, isReplayed) => onMessage(message, isReplayed),
      onReplayed: () => setReplaying(false),
      onReceipt: (messageId) => onReceipt(messageId),
    });
  }, [backend, hasPhone]);

  const clear = async () => {
    await backend.clearPhone();
    known.current.clear();
    setMessages([]);
  };
  return { messages, isLost, isReplaying, clear };
}
