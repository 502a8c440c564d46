import type { Static, TSchema } from 'typebox';
import type { Right } from './rights.ts';

/**
 * Who may call an endpoint of the cabinet: `anyone`, a person who is `signed-in`, or a member of
 * the company whose role has a right.
 */
export type Policy = 'anyone' | 'signed-in' | Right;

/**
 * An endpoint of the cabinet as data. The route, its policy, the typed call of the pages and the
 * permission tests are made from it. Paths are relative to `/cabinet`.
 */
export type CabinetEndpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  policy: Policy;
  query?: TSchema;
  body?: TSchema;
  answer: TSchema;
  /** Takes a file as the body, of at most this size, and reads it as it comes. */
  fileBytesMax?: number;
  /** Requires the password or a code again when the last proof of identity is too old. */
  needsFreshSignIn?: true;
  /**
   * Requires a proof by the second factor where there is one, otherwise by the password or a code to
   * the phone, just before: a cookie alone must not change who can sign in.
   */
  needsProof?: true;
  /** Answers also an operator who only looks at the cabinet (see VIEW_RIGHTS). */
  isOpenInView?: true;
};

export type BodyOf<Endpoint> = Endpoint extends { body: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;
export type QueryOf<Endpoint> = Endpoint extends { query: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined;
export type AnswerOf<Endpoint extends { answer: TSchema }> = Static<Endpoint['answer']>;
