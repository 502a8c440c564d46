import Type, { type Static } from 'typebox';
import {
  Code,
  LetterToken,
  NewPasskeyAnswer,
  NewPassword,
  PASSWORD_LENGTH_MAX,
  PasskeyAnswer,
  PasskeyChallenge,
  PasskeyName,
} from '../cabinet/credentials.ts';
import { Done, EmailInput, Instant, Language, orNull } from '../cabinet/fields.ts';
import { SIGN_IN_STEPS } from '../cabinet/sign-in-steps.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** The signed-in operator. */
export const OperatorSession = Type.Object({
  success: Type.Literal(true),
  person: Type.Object({
    name: Type.String(),
    email: orNull(Type.String()),
    language: orNull(Language),
    has_code_app: Type.Boolean(),
    has_passkey: Type.Boolean(),
  }),
  /** No provider is configured: nothing leaves this machine. */
  is_sandbox: Type.Boolean(),
});
export type OperatorSession = Static<typeof OperatorSession>;

const RecoveryCodes = Type.Object({
  success: Type.Literal(true),
  recovery_codes: Type.Array(Type.String()),
});

export const ADMIN_SESSION_ENDPOINTS = {
  /** The first step. Its refusal says which second step is next; the session is half until then. */
  signIn: {
    method: 'POST',
    path: '/sign-in',
    policy: 'anyone',
    body: Type.Object({
      email: EmailInput,
      password: Type.String({ maxLength: PASSWORD_LENGTH_MAX }),
    }),
    answer: Done,
  },
  ...SIGN_IN_STEPS,
  /** Whom a welcome link is for. */
  readWelcome: {
    method: 'POST',
    path: '/welcome/read',
    policy: 'anyone',
    body: Type.Object({ token: LetterToken }),
    answer: Type.Object({
      success: Type.Literal(true),
      name: Type.String(),
      email: Type.String(),
      ends_at: Instant,
    }),
  },
  /** Uses the link up: sets the password and begins a half session, for the second factor. */
  welcome: {
    method: 'POST',
    path: '/welcome',
    policy: 'anyone',
    body: Type.Object({ token: LetterToken, password: NewPassword }),
    answer: Done,
  },
  startSecondFactor: {
    method: 'POST',
    path: '/second-factor',
    policy: 'half',
    answer: Type.Object({ success: Type.Literal(true), secret: Type.String(), uri: Type.String() }),
  },
  /** Completes the session. The recovery codes are returned only here. */
  confirmSecondFactor: {
    method: 'PUT',
    path: '/second-factor',
    policy: 'half',
    body: Type.Object({ code: Code }),
    answer: RecoveryCodes,
  },
  startPasskey: {
    method: 'POST',
    path: '/passkeys/start',
    policy: 'half',
    answer: PasskeyChallenge,
  },
  /** As `confirmSecondFactor`. */
  addPasskey: {
    method: 'POST',
    path: '/passkeys',
    policy: 'half',
    body: Type.Object({ name: PasskeyName, answer: NewPasskeyAnswer }),
    answer: RecoveryCodes,
  },
  signOut: { method: 'POST', path: '/sign-out', policy: 'anyone', answer: Done },
  session: { method: 'GET', path: '/session', policy: 'operator', answer: OperatorSession },
  /** Proves again who is there. */
  confirmIdentity: {
    method: 'POST',
    path: '/session/confirm',
    policy: 'operator',
    body: Type.Object({
      code: Type.Optional(Code),
      is_recovery_code: Type.Optional(Type.Boolean()),
      passkey: Type.Optional(PasskeyAnswer),
    }),
    answer: Done,
  },
  startPasskeyProof: {
    method: 'POST',
    path: '/session/confirm/passkey',
    policy: 'operator',
    answer: PasskeyChallenge,
  },
} as const satisfies Record<string, AdminEndpoint>;
