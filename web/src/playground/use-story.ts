import { useCallback, useEffect, useRef, useState } from 'react';
import type { PlaygroundBackend, Story } from './backend.ts';

/**
 * The story of the message that is followed. A new one replaces the old one once it is loaded; a
 * request that was refused made no message, so that nothing is followed after it.
 */
export function useStory(backend: PlaygroundBackend) {
  const [messageId, setMessageId] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const [story, setStory] = useState<Story>();
  const [hasFailed, setFailed] = useState(false);
  const load = useRef(() => {});

  useEffect(() => {
    if (messageId === undefined) return;
    let isFollowed = true;
    load.current = coalesced(async () => {
      const loaded = await backend.readStory(messageId).catch(() => undefined);
      if (!isFollowed) return;
      setFailed(loaded === undefined);
      if (loaded !== undefined) setStory(loaded);
    });
    load.current();
    return () => {
      isFollowed = false;
    };
  }, [backend, messageId]);

  /** Loads the story again; for the receipt of another message there is nothing to load. */
  const refresh = useCallback(
    (changedId?: string) => {
      if (changedId === undefined || changedId === messageId) load.current();
    },
    [messageId],
  );
  const follow = useCallback((id: string) => {
    setRefused(false);
    setMessageId(id);
  }, []);
  const refuse = useCallback(() => {
    setRefused(true);
    setMessageId(undefined);
    setStory(undefined);
    setFailed(false);
  }, []);
  return { messageId, story, hasFailed, isRefused, follow, refuse, refresh };
}

/** Receipts come in bursts: while one load is under way, the rest become a single further one. */
function coalesced(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isRunning = false;
  };
  return () => void run();
}
