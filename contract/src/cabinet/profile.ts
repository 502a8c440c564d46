import Type, { type Static } from 'typebox';
import {
  Code,
  LetterToken,
  NewPasskeyAnswer,
  NewPassword,
  PASSWORD_LENGTH_MAX,
  PasskeyChallenge,
  PasskeyName,
  Phone,
} from './credentials.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done, EmailInput, Instant, Language, NameInput, orNull } from './fields.ts';

/** What a person sees in the log of their own sign-in. */
export const SECURITY_EVENTS = [
  'signed_in',
  'password_changed',
  'password_reset',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'phone_changed',
  'email_changed',
  'sessions_ended',
  'blocked',
  'unblocked',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENTS)[number];

export const SecurityEvent = Type.Object({
  at: Instant,
  kind: Type.Enum([...SECURITY_EVENTS]),
  /** A masked contact, or the name of a passkey. */
  detail: orNull(Type.String()),
  device: orNull(Type.String()),
  address: orNull(Type.String()),
});
export type SecurityEvent = Static<typeof SecurityEvent>;

export const PROFILE_ENDPOINTS = {
  changeProfile: {
    method: 'PUT',
    path: '/profile',
    policy: 'signed-in',
    body: Type.Object({
      name: Type.Optional(NameInput),
      language: Type.Optional(Language),
    }),
    answer: Done,
  },
  changePassword: {
    method: 'PUT',
    path: '/profile/password',
    policy: 'signed-in',
    body: Type.Object({
      /** Absent when there is no password yet. */
      current: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH_MAX })),
      password: NewPassword,
    }),
    answer: Done,
    needsFreshSignIn: true,
  },
  /** Sends a letter to the new address, which takes effect once its link is opened. */
  changeEmail: {
    method: 'PUT',
    path: '/profile/email',
    policy: 'signed-in',
    body: Type.Object({ email: EmailInput }),
    answer: Done,
    needsProof: true,
  },
  /** Called from the link of that letter, by the signed-in person who asked for it. */
  confirmNewEmail: {
    method: 'POST',
    path: '/profile/email/confirm',
    policy: 'signed-in',
    body: Type.Object({ token: LetterToken }),
    answer: Done,
  },
  /** Sends a code to a new phone. */
  sendNewPhoneCode: {
    method: 'POST',
    path: '/profile/phone',
    policy: 'signed-in',
    body: Type.Object({ phone: Phone }),
    answer: Type.Object({ success: Type.Literal(true), resend_after: Type.Integer() }),
    needsProof: true,
  },
  changePhone: {
    method: 'PUT',
    path: '/profile/phone',
    policy: 'signed-in',
    body: Type.Object({ phone: Phone, code: Code }),
    answer: Done,
    needsProof: true,
  },
  startSecondFactor: {
    method: 'POST',
    path: '/profile/second-factor',
    policy: 'signed-in',
    answer: Type.Object({ success: Type.Literal(true), secret: Type.String(), uri: Type.String() }),
    needsProof: true,
  },
  /** The recovery codes are returned only here. */
  confirmSecondFactor: {
    method: 'PUT',
    path: '/profile/second-factor',
    policy: 'signed-in',
    body: Type.Object({ code: Code }),
    answer: Type.Object({
      success: Type.Literal(true),
      recovery_codes: Type.Array(Type.String()),
    }),
    needsProof: true,
  },
  endSecondFactor: {
    method: 'DELETE',
    path: '/profile/second-factor',
    policy: 'signed-in',
    answer: Done,
    needsProof: true,
  },
  passkeys: {
    method: 'GET',
    path: '/profile/passkeys',
    policy: 'signed-in',
    answer: Type.Object({
      success: Type.Literal(true),
      passkeys: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          created_at: Instant,
          used_at: orNull(Instant),
        }),
      ),
    }),
  },
  startPasskey: {
    method: 'POST',
    path: '/profile/passkeys/start',
    policy: 'signed-in',
    answer: PasskeyChallenge,
    needsProof: true,
  },
  /** With the first second factor of a person, recovery codes are returned, only here. */
  addPasskey: {
    method: 'POST',
    path: '/profile/passkeys',
    policy: 'signed-in',
    body: Type.Object({ name: PasskeyName, answer: NewPasskeyAnswer }),
    answer: Type.Object({
      success: Type.Literal(true),
      recovery_codes: Type.Array(Type.String()),
    }),
    needsProof: true,
  },
  renamePasskey: {
    method: 'PUT',
    path: '/profile/passkeys/:id',
    policy: 'signed-in',
    body: Type.Object({ name: PasskeyName }),
    answer: Done,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/profile/passkeys/:id',
    policy: 'signed-in',
    answer: Done,
    needsProof: true,
  },
  sessions: {
    method: 'GET',
    path: '/profile/sessions',
    policy: 'signed-in',
    answer: Type.Object({
      success: Type.Literal(true),
      sessions: Type.Array(
        Type.Object({
          id: Type.String(),
          device: Type.String(),
          address: orNull(Type.String()),
          created_at: Instant,
          seen_at: Instant,
          is_this: Type.Boolean(),
        }),
      ),
    }),
  },
  endSession: {
    method: 'DELETE',
    path: '/profile/sessions/:id',
    policy: 'signed-in',
    answer: Done,
  },
  /** The newest hundred. */
  securityEvents: {
    method: 'GET',
    path: '/profile/security-events',
    policy: 'signed-in',
    answer: Type.Object({ success: Type.Literal(true), events: Type.Array(SecurityEvent) }),
  },
  endOtherSessions: {
    method: 'DELETE',
    path: '/profile/sessions',
    policy: 'signed-in',
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
