import { useRef } from 'react';

const BYTES = 16;

/**
 * The id of a request, the same for as long as its content is: a second click, or a repeat after a
 * lost answer, is the same request. `renew` is for a try that has certainly failed.
 */
export function useRequestId(): { idFor(content: object): string; renew(): void } {
  const last = useRef({ content: '', id: '' });
  return {
    idFor(content) {
      const text = JSON.stringify(content);
      if (last.current.content !== text) last.current = { content: text, id: newRequestId() };
      return last.current.id;
    },
    renew() {
      last.current = { content: '', id: '' };
    },
  };
}

/** Not `crypto.randomUUID`, which browsers offer only over HTTPS. */
function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
