import type { Switches, TrySession } from '@zhiber/contract/try.ts';
import type { PlaygroundBackend } from './backend.ts';

/** The endpoints of the sandbox that need no sign-in. */
export function loadTrySession(): Promise<TrySession> {
  return fetchJson<TrySession>('/try/session');
}

export const SANDBOX_SWITCHES: NonNullable<PlaygroundBackend['switches']> = {
  read: async () => (await fetchJson<{ switches: Switches }>('/try/switches')).switches,
  change: async (switches) => {
    const answer = await fetchJson<{ switches: Switches }>('/try/switches', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(switches),
    });
    return answer.switches;
  },
};

export async function fetchJson<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}
