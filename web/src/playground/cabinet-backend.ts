import type { QueryClient } from '@tanstack/react-query';
import { addressOf, call, type EndpointName } from '../call.ts';
import { CallError } from '../call-error.ts';
import type { Outcome, PhoneListener, PlaygroundBackend } from './backend.ts';
import { openPhoneStream } from './phone-stream.ts';
import { SANDBOX_SWITCHES } from './try-server.ts';

/** How often the phone is read while its stream is broken. */
const POLL_MS = 3_000;

/** A call may cost tokens and leaves its trace on these pages. */
const OUTDATED = [
  'session',
  'messages',
  'requests',
  'overview',
  'message',
] as const satisfies readonly EndpointName[];

/** The backend of the cabinet: calls, phone and messages of one key of the company. */
export function createCabinetBackend(
  client: QueryClient,
  { keyId, isSandbox }: { keyId: number; isSandbox: boolean },
): PlaygroundBackend {
  const query = { key_id: keyId };
  return {
    run: async ({ id }, operation, { body }) => {
      try {
        const answer = await call('runOperation', { body: { key_id: id, operation, body } });
        const { status, body: said, duration_ms: ms, request_id: requestId } = answer;
        return { kind: 'answered', status, body: said, ms, requestId };
      } catch (error) {
        return toOutcome(error as Error);
      } finally {
        for (const name of OUTDATED) void client.invalidateQueries({ queryKey: [name] });
      }
    },
    readStory: (id) => call('message', { params: { id } }),
    listen: (listener) => listenOrPoll(query, listener),
    clearPhone: async () => {
      await call('clearPhone', { query });
    },
    ...(isSandbox && { switches: SANDBOX_SWITCHES }),
  };
}

function toOutcome(error: Error): Outcome {
  const isAway = error instanceof CallError && error.status === 0;
  return isAway ? { kind: 'away' } : { kind: 'refused', error };
}

/** A session may hold few streams, so a page without one reads the phone again and again. */
function listenOrPoll(query: { key_id: number }, listener: PhoneListener): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const poll = async () => {
    const { messages } = await call('phoneMessages', { query });
    for (const message of messages) listener.onMessage(message, false);
    listener.onReplayed();
  };
  const close = openPhoneStream(addressOf('phoneEvents', { query }), {
    ...listener,
    onConnection: (isOpen) => {
      clearInterval(timer);
      // A failed reading needs no word of its own: the page says already that the stream is lost.
      if (!isOpen) timer = setInterval(() => void poll().catch(() => undefined), POLL_MS);
      listener.onConnection(isOpen);
    },
  });
  return () => {
    clearInterval(timer);
    close();
  };
}
