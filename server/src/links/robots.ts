import type { IncomingHttpHeaders } from 'node:http';
import { isbot } from 'isbot';

/** Headers that mark a prefetch or a preview, before a person has clicked. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const PREFETCH = /\b(?:prefetch|preview|prerender)\b/i;

/** The preview server of Viber. Its in-app browser has the name elsewhere in the user agent. */
const VIBER_PREVIEW = /^viber\//i;

export type Visit = { method: string; headers: IncomingHttpHeaders };

/**
 * Whether a link was opened by a program, such as one that renders a preview. It is redirected, but
 * does not count as a click by a person.
 */
export function isRobot({ method, headers }: Visit): boolean {
  if (method === 'HEAD' || PREFETCH_HEADERS.some((name) => PREFETCH.test(String(headers[name])))) {
    return true;
  }
  const agent = headers['user-agent'] ?? '';
  return isbot(agent) || VIBER_PREVIEW.test(agent);
}
