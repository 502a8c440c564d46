import type { LiveTexts } from '../../../texts/try-texts-ru.ts';

export type Mode = 'test' | 'live';
export type Switches = Record<'no_whatsapp' | 'no_telegram' | 'offline' | 'not_mobile', boolean>;

export type Session = {
  base_url: string;
  keys: Record<Mode, string>;
  company: { name: string; balance: number };
  prices: Record<'whatsapp' | 'telegram' | 'sms' | 'group', number>;
  switches: Switches;
  groups: { id: string; name: string; channel: string }[];
};

export type PhoneMessage = {
  message_id: string;
  mode: Mode;
  phone: string;
  channel: string;
  kind: 'otp' | 'link' | 'group' | 'letter';
  text: string;
  code: string | null;
  link: string | null;
  at: string;
};

export type StepName = keyof LiveTexts['steps'];
export type Step = { at: string; step: StepName; channel: string | null; text: string };
export type Story = {
  message_id: string;
  phone: string;
  mode: Mode;
  state: keyof LiveTexts['states'];
  channel: string | null;
  cost: number;
  created_at: string;
  steps: Step[];
};

export type ApiRequest = {
  path: string;
  body: Record<string, string | number>;
  mode: Mode;
};

/** What came of a request. A refusal by the API is an answer like any other. */
export type Outcome =
  | { kind: 'answered'; status: number; ms: number; requestId: string | null; body: unknown }
  | { kind: 'away' }
  | { kind: 'tooSlow'; seconds: number };

/**
 * The service gives up on its channels after ten seconds, so nothing honest takes longer than this.
 */
const ANSWER_TIMEOUT_MS = 20_000;

export function loadSession(): Promise<Session> {
  return ask<Session>('/try/session');
}

export function loadStory(messageId: string): Promise<Story> {
  return ask<Story>(`/try/messages/${encodeURIComponent(messageId)}`);
}

export async function putSwitches(switches: Switches): Promise<Switches> {
  const answer = await ask<{ switches: Switches }>('/try/switches', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(switches),
  });
  return answer.switches;
}

export async function clearMessages(): Promise<void> {
  const answer = await fetch('/try/messages', { method: 'DELETE' });
  if (!answer.ok) throw new Error(`DELETE /try/messages: ${answer.status}`);
}

/** Calls the real API with one of the demo company's keys. */
export async function callApi(session: Session, request: ApiRequest): Promise<Outcome> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(apiPath(session) + request.path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${session.keys[request.mode]}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const body = parsed(await answer.text());
    const ms = Math.round(performance.now() - startedAt);
    const requestId = answer.headers.get('x-request-id');
    return { kind: 'answered', status: answer.status, ms, requestId, body };
  } catch (error) {
    const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
    return isTimeout ? { kind: 'tooSlow', seconds: ANSWER_TIMEOUT_MS / 1000 } : { kind: 'away' };
  }
}

/**
 * The page may be open under another name of the same server, such as 127.0.0.1; the path is the
 * same.
 */
function apiPath(session: Session): string {
  return new URL(session.base_url, location.href).pathname.replace(/\/$/, '');
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as T;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy in between may answer in HTML. It is shown as it came.
    return text;
  }
}
