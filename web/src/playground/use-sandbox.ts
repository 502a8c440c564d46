import type { TrySession } from '@zhiber/contract/try.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import type { PlaygroundBackend } from './backend.ts';
import { createSandboxBackend } from './sandbox-backend.ts';
import { loadTrySession } from './try-server.ts';

/** While the server is starting, the page waits for its keys. */
const RETRY_MS = 2_000;

export type OpenSandbox = { session: TrySession; backend: PlaygroundBackend };

/** The session of `/try`; undefined until the server has answered. */
export function useSandbox(): OpenSandbox | undefined {
  const texts = useTexts().playground.tryPage;
  const { showToast } = useToasts();
  const [session, setSession] = useState<TrySession>();
  const [backend, setBackend] = useState<PlaygroundBackend>();

  const open = useEffectEvent((loaded: TrySession) => {
    setSession(loaded);
    setBackend(
      createSandboxBackend(loaded, {
        onSession: setSession,
        onBalance: (balance) =>
          setSession((now) => now && { ...now, company: { ...now.company, balance } }),
      }),
    );
  });
  const onFailure = useEffectEvent(() => showToast(texts.sessionFailed));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = () =>
      loadTrySession().then(
        (loaded) => {
          if (!isOver) open(loaded);
        },
        () => {
          if (isOver) return;
          onFailure();
          timer = setTimeout(load, RETRY_MS);
        },
      );
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return session && backend && { session, backend };
}
