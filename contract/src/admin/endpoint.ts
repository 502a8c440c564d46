import type { TSchema } from 'typebox';

/**
 * Who may call an endpoint of the operator's desk:
 * - `anyone`: signing in and out.
 * - `half`: a session of the first step, while its person has no second factor yet. It opens the
 *   set-up of one, and nothing else. A complete session needs a proof just before.
 * - `operator`: a session in which a second factor or a passkey was used.
 */
export type AdminPolicy = 'anyone' | 'half' | 'operator';

/**
 * An endpoint of the operator's desk as data. The route, its policy, the typed call of the pages and
 * the permission tests are made from it. Paths are relative to `/admin/api`.
 */
export type AdminEndpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  policy: AdminPolicy;
  query?: TSchema;
  body?: TSchema;
  /** The body is a file of at most so many bytes, instead of JSON. */
  fileBytesMax?: number;
  answer: TSchema;
  /** Dangerous: requires a second factor or a passkey again, when the last use is too old. */
  needsProof?: true;
};
