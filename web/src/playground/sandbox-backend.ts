import type { TrySession } from '@zhiber/contract/try.ts';
import type { ApiRequest } from '../snippets/request-body.ts';
import type { Outcome, PlaygroundBackend, PlaygroundKey, Story } from './backend.ts';
import { openPhoneStream } from './phone-stream.ts';
import { fetchJson, loadTrySession, SANDBOX_SWITCHES } from './try-server.ts';

/** The service gives up on its channels after ten seconds, so nothing takes longer than this. */
const ANSWER_TIMEOUT_MS = 20_000;

type Timeline = Omit<Story, 'id' | 'at'> & { message_id: string; created_at: string };

/** The backend of `/try`: the public API with the keys of the demo company, and no sign-in. */
export function createSandboxBackend(
  loaded: TrySession,
  {
    onSession,
    onBalance,
  }: { onSession: (session: TrySession) => void; onBalance: (balance: number) => void },
): PlaygroundBackend {
  let session = loaded;

  /** Loads the keys again: each start of the server makes new ones. False when it does not answer. */
  async function renew(): Promise<boolean> {
    try {
      session = await loadTrySession();
    } catch {
      // The caller goes on with the old keys; the page shows that the connection is lost.
      return false;
    }
    onSession(session);
    return true;
  }

  return {
    run: async ({ mode }, _operation, request) => {
      const outcome = await callApi(session, mode, request);
      const isOldKey = outcome.kind === 'answered' && outcome.status === 401;
      if (!isOldKey || !(await renew())) return outcome;
      return await callApi(session, mode, request);
    },
    readStory: async (messageId) => {
      const { message_id, created_at, ...story } = await fetchJson<Timeline>(
        `/try/messages/${encodeURIComponent(messageId)}`,
      );
      return { ...story, id: message_id, at: created_at };
    },
    listen: (listener) => {
      let wasLost = false;
      return openPhoneStream('/try/events', {
        ...listener,
        onBalance,
        onConnection: (isOpen) => {
          if (isOpen && wasLost) void renew();
          wasLost = !isOpen;
          listener.onConnection(isOpen);
        },
      });
    },
    clearPhone: async () => {
      await fetchJson('/try/messages', { method: 'DELETE' });
    },
    switches: SANDBOX_SWITCHES,
  };
}

async function callApi(
  session: TrySession,
  mode: PlaygroundKey['mode'],
  { path, body }: ApiRequest,
): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(apiPath(session) + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${session.keys[mode]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return {
      kind: 'answered',
      status: answer.status,
      body: parsed(await answer.text()),
      ms: Math.round(performance.now() - startedAt),
      requestId: answer.headers.get('x-request-id') ?? undefined,
    };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    return isTimeout ? { kind: 'tooSlow', seconds: ANSWER_TIMEOUT_MS / 1_000 } : { kind: 'away' };
  }
}

/** The page may be open under another name of the same server, such as 127.0.0.1. */
function apiPath({ base_url: baseUrl }: TrySession): string {
  return new URL(baseUrl, location.href).pathname.replace(/\/$/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in between may answer in HTML. It is shown as it came.
    return text;
  }
}
