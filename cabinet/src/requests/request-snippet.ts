import {
  printSnippet,
  type SnippetRequest,
} from '../../../server/src/http/pages/assets/client/snippets.ts';

/** The test number that takes everything, and whose code is always the same. */
const PHONE = '+77000000000';
const ADDRESS = 'https://example.kz';

const BODIES: Record<string, SnippetRequest['body']> = {
  '/api/otp/send': { phone: PHONE, purpose: 'login' },
  '/api/otp/verify': { phone: PHONE, code: '000000', purpose: 'login' },
  '/api/links/shorten': { url: ADDRESS },
  '/api/links/send': { phone: PHONE, url: ADDRESS, channel: 'auto' },
  '/api/group/send': { group: 'Дежурные', text: 'Новая заявка' },
};

/** Endpoints that take a key: calls without one belong to no company. */
export const KEYED_PATHS = Object.keys(BODIES);

/**
 * A call of an endpoint that can be pasted and run; what the real one sent is not kept. The log has
 * whole paths, and the address of the API has their beginning.
 */
export function exampleCurl(path: string, apiUrl: string): string {
  return printSnippet('curl', {
    url: `${apiUrl}${path.replace(/^\/api/, '')}`,
    body: BODIES[path] ?? {},
    key: undefined,
  });
}
