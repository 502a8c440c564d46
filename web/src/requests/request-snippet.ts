import { printSnippet, type SnippetRequest } from '../snippets/snippets.ts';

/** The test number that accepts everything and whose code is always the same. */
const PHONE = '+77000000000';
const ADDRESS = 'https://example.kz';

const BODIES: Record<string, SnippetRequest['body']> = {
  '/api/otp/send': { phone: PHONE, purpose: 'login' },
  '/api/otp/verify': { phone: PHONE, code: '000000', purpose: 'login' },
  '/api/links/shorten': { url: ADDRESS },
  '/api/links/send': { phone: PHONE, url: ADDRESS, channel: 'auto' },
  '/api/group/send': { group: 'Дежурные', text: 'Новая заявка' },
};

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
