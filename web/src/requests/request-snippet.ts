import { SNIPPET_OPERATIONS } from '../snippets/operations.ts';
import { printSnippet, type SnippetRequest } from '../snippets/snippets.ts';

const BODIES: Record<string, SnippetRequest['body']> = Object.fromEntries(
  Object.values(SNIPPET_OPERATIONS).map(({ path, body }) => [`/api${path}`, body]),
);

/** Endpoints that take a key. Calls without a key belong to no company and are not logged. */
export const KEYED_PATHS = Object.keys(BODIES);

/**
 * An example call of an endpoint; the real request body is not stored. Logged paths include `/api`,
 * and so does `apiUrl`.
 */
export function exampleCurl(path: string, apiUrl: string): string {
  return printSnippet('curl', {
    url: `${apiUrl}${path.replace(/^\/api/, '')}`,
    body: BODIES[path] ?? {},
    key: undefined,
  });
}
