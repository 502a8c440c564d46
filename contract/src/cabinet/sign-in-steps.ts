import Type from 'typebox';
import {
  Code,
  PasskeyAnswer,
  PasskeyChallenge,
  PasskeyOptions,
  RequestToken,
} from './credentials.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done } from './fields.ts';

/** The second step of a sign-in, and the one with a passkey: the same in the cabinet and at the desk. */
export const SIGN_IN_STEPS = {
  /** The second step, with a code from the app or a recovery code. */
  signInSecond: {
    method: 'POST',
    path: '/sign-in/second-factor',
    policy: 'anyone',
    body: Type.Object({ code: Code, is_recovery_code: Type.Optional(Type.Boolean()) }),
    answer: Done,
  },
  /** What the second step can be done with, after the first one. */
  secondFactors: {
    method: 'GET',
    path: '/sign-in/second-factor',
    policy: 'anyone',
    answer: Type.Object({
      success: Type.Literal(true),
      has_code_app: Type.Boolean(),
      has_passkey: Type.Boolean(),
    }),
  },
  /** A challenge for any passkey of this site that the browser knows. */
  startPasskeySignIn: {
    method: 'POST',
    path: '/sign-in/passkey',
    policy: 'anyone',
    answer: Type.Object({
      success: Type.Literal(true),
      options: PasskeyOptions,
      request_token: Type.String(),
    }),
  },
  /** A passkey is both factors at once: what the person has, and what unlocks it. */
  signInByPasskey: {
    method: 'POST',
    path: '/sign-in/passkey/answer',
    policy: 'anyone',
    body: Type.Object({ answer: PasskeyAnswer, request_token: RequestToken }),
    answer: Done,
  },
  startPasskeySecondStep: {
    method: 'POST',
    path: '/sign-in/second-factor/passkey',
    policy: 'anyone',
    answer: PasskeyChallenge,
  },
  signInSecondByPasskey: {
    method: 'POST',
    path: '/sign-in/second-factor/passkey/answer',
    policy: 'anyone',
    body: Type.Object({ answer: PasskeyAnswer }),
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
