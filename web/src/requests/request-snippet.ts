import { CUT, REDACTED } from '@zhiber/contract/cabinet/request-words.ts';
import { SNIPPET_OPERATIONS, type SnippetOperation } from '../snippets/operations.ts';
import { printSnippet, type SnippetRequest } from '../snippets/snippets.ts';

type Fields = Readonly<Record<string, unknown>>;

const OPERATIONS = Object.entries(SNIPPET_OPERATIONS) as [
  SnippetOperation,
  { path: string; body: SnippetRequest['body'] },
][];

/** Endpoints that take a key. Calls without a key belong to no company and are not logged. */
export const KEYED_PATHS = OPERATIONS.map(([, { path }]) => `/api${path}`);

/** An example call of an endpoint. Logged paths include `/api`, and so does `apiUrl`. */
export function exampleCurl(path: string, apiUrl: string): string {
  const body = OPERATIONS.find(([, operation]) => `/api${operation.path}` === path)?.[1].body;
  return printSnippet('curl', {
    url: `${apiUrl}${path.replace(/^\/api/, '')}`,
    body: body ?? {},
    key: undefined,
  });
}

/** The values of a request that a program can send; anything but text and numbers is left out. */
export function snippetBody(request: Fields): SnippetRequest['body'] {
  const entries = Object.entries(request).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return Object.fromEntries(entries);
}

/** Whether every value is known, so that the same call can be made again. */
export function isWhole(request: Fields): boolean {
  return Object.values(request).every(
    (value) => (typeof value === 'string' && !isHidden(value)) || typeof value === 'number',
  );
}

function isHidden(value: string): boolean {
  return value.includes(REDACTED) || value.endsWith(CUT) || /^\+\d*\*{3}\d{4}$/.test(value);
}

/**
 * The search of the playground's address that fills in its form with a request; undefined for what
 * has no form there. A value that is not known is left to the form.
 */
export function playgroundSearch(call: {
  path: string;
  keyId: number;
  request: Fields;
}): Record<string, string> | undefined {
  const operation = OPERATIONS.find(([, { path }]) => `/api${path}` === call.path)?.[0];
  if (operation === undefined || operation === 'otpVerify') return undefined;
  const fields = Object.entries(call.request)
    .filter(([, value]) => typeof value === 'number' || typeof value === 'string')
    .map(([name, value]) => [name === 'expires_in' ? 'expiresIn' : name, String(value)] as const)
    .filter(([, value]) => !isHidden(value));
  return { key_id: String(call.keyId), operation, ...Object.fromEntries(fields) };
}
