import { randomBytes } from 'node:crypto';
import type { Reply } from '../frame/transmit.ts';

/** The HTTP statuses of the documented codes; 400 for those that are not here. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [0, 401],
  [190, 401],
  [3, 500],
  [10, 403],
  [131005, 403],
  [131031, 403],
  [368, 403],
  [130497, 403],
  [2, 503],
  [133004, 503],
  [131000, 500],
  [131016, 500],
  [131045, 500],
  [131057, 500],
  [132001, 404],
]);

/** An error in the format of the Graph API. */
export function graphError(code: number, details: string): Reply {
  const isPermission = code >= 200 && code <= 299;
  return {
    status: isPermission ? 403 : (STATUSES.get(code) ?? 400),
    body: JSON.stringify({
      error: {
        message: `(#${code}) ${details}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: randomBytes(8).toString('base64url'),
      },
    }),
  };
}
