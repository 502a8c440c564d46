import type { IncomingMessage } from 'node:http';

/**
 * How often a header was sent. Node joins or drops repeated headers in `headers`, so only
 * `rawHeaders` shows the repetition.
 */
export function countHeader(raw: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < raw.rawHeaders.length; i += 2) {
    if (raw.rawHeaders[i]?.toLowerCase() === name) count++;
  }
  return count;
}
