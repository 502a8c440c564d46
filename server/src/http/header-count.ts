import type { IncomingMessage } from 'node:http';

/**
 * How often a header was sent. Node joins or drops repeated ones, and then nobody sees that there
 * were two.
 */
export function countOf(raw: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    if (raw.rawHeaders[i]?.toLowerCase() === name) count++;
  }
  return count;
}
