import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  Done,
  EmailInput,
  Id,
  Instant,
  Language,
  NameInput,
  orNull,
  PLAIN_NAME,
  Tokens,
} from './fields.ts';
import { RIGHTS, type Right, ROLES } from './rights.ts';

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;
const NewPassword = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
});
const Phone = Type.String({ minLength: 1, maxLength: 64 });
const Code = Type.String({ minLength: 4, maxLength: 32 });
/** Given to the browser that asked for a code: only there can the code be entered. */
const RequestToken = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const LetterToken = Type.String({ maxLength: 200 });

const BASE64URL = '^[A-Za-z0-9_-]+$';
const Bytes = Type.String({ pattern: BASE64URL, maxLength: 8_192 });
const CredentialId = Type.String({ pattern: BASE64URL, maxLength: 1_400 });

/** The options of WebAuthn in their JSON form, as browsers take them. */
const PasskeyOptions = Type.Record(Type.String(), Type.Unknown());
/** What a browser answers to a challenge with a passkey. */
export const PasskeyAnswer = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Bytes),
  }),
  clientExtensionResults: Type.Object({}),
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;
/** What a browser answers when it has made a passkey. */
export const NewPasskeyAnswer = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    attestationObject: Type.String({ pattern: BASE64URL, maxLength: 65_536 }),
    /** How the device is reached; the browser gets it back with the next challenge. */
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
  }),
  clientExtensionResults: Type.Object({}),
});
export type NewPasskeyAnswer = Static<typeof NewPasskeyAnswer>;

export const PASSKEY_NAME_LENGTH_MAX = 100;
const PasskeyName = Type.String({
  minLength: 1,
  maxLength: PASSKEY_NAME_LENGTH_MAX,
  pattern: '\\S',
  format: PLAIN_NAME,
});

const PasskeyChallenge = Type.Object({ success: Type.Literal(true), options: PasskeyOptions });

/** The signed-in person, and their current company. */
export const Session = Type.Object({
  success: Type.Literal(true),
  person: Type.Object({
    name: Type.String(),
    email: orNull(Type.String()),
    phone: orNull(Type.String()),
    language: orNull(Language),
    has_password: Type.Boolean(),
    /** An app with codes or a passkey. */
    has_second_factor: Type.Boolean(),
    has_code_app: Type.Boolean(),
    has_passkey: Type.Boolean(),
  }),
  company: orNull(
    Type.Object({
      id: Id,
      name: Type.String(),
      role: Type.Enum([...ROLES]),
      rights: Type.Array(Type.Enum(Object.keys(RIGHTS) as [Right, ...Right[]])),
      balance: Tokens,
      is_demo: Type.Boolean(),
      /** The operator's reason, when the company is suspended: it can only be read. */
      suspended_because: orNull(Type.String()),
      /** Nothing of the company opens before this person has a second factor. */
      needs_second_factor: Type.Boolean(),
    }),
  ),
  /** Every company of this person, for switching. */
  companies: Type.Array(Type.Object({ id: Id, name: Type.String(), role: Type.Enum([...ROLES]) })),
  /** No provider is configured: nothing leaves this machine. */
  is_sandbox: Type.Boolean(),
  base_url: Type.String(),
});
export type Session = Static<typeof Session>;

/** What the pages before the sign-in may know. */
export const SignInOptions = Type.Object({
  success: Type.Literal(true),
  is_sandbox: Type.Boolean(),
  /** Whether there is a demo company to enter. */
  has_demo: Type.Boolean(),
  /** Whether letters can be sent, which sign-up by e-mail needs. */
  has_mail: Type.Boolean(),
});

export const SESSION_ENDPOINTS = {
  signInOptions: {
    method: 'GET',
    path: '/sign-in-options',
    policy: 'anyone',
    answer: SignInOptions,
  },
  session: { method: 'GET', path: '/session', policy: 'signed-in', answer: Session },
  /** Sends a code to the phone, whether or not it has an account. */
  sendPhoneCode: {
    method: 'POST',
    path: '/sign-in/phone',
    policy: 'anyone',
    body: Type.Object({
      phone: Phone,
      /** SMS is sent only after a messenger was tried by the same browser. */
      channel: Type.Optional(Type.Enum(['auto', 'sms'])),
      /** Of the request before, when the code is asked for again. */
      request_token: Type.Optional(RequestToken),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      request_token: Type.String(),
      expires_in: Type.Integer(),
      resend_after: Type.Integer(),
    }),
  },
  /** Signs in; a new phone gets its account. */
  signInByPhone: {
    method: 'POST',
    path: '/sign-in/phone/code',
    policy: 'anyone',
    body: Type.Object({ phone: Phone, code: Code, request_token: RequestToken }),
    answer: Done,
  },
  signInByEmail: {
    method: 'POST',
    path: '/sign-in/email',
    policy: 'anyone',
    body: Type.Object({
      email: EmailInput,
      password: Type.String({ maxLength: PASSWORD_LENGTH_MAX }),
    }),
    answer: Done,
  },
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
  /** The answer is always the same, whether or not the address has an account: a letter is sent. */
  signUpByEmail: {
    method: 'POST',
    path: '/sign-up/email',
    policy: 'anyone',
    body: Type.Object({ name: NameInput, email: EmailInput }),
    answer: Done,
  },
  /**
   * Called from the link of the letter. Creates the account and signs in. The password is chosen
   * here, by whoever can read the mailbox.
   */
  finishSignUp: {
    method: 'POST',
    path: '/sign-up/email/finish',
    policy: 'anyone',
    body: Type.Object({ token: LetterToken, password: NewPassword }),
    answer: Done,
  },
  forgotPassword: {
    method: 'POST',
    path: '/password/forgot',
    policy: 'anyone',
    body: Type.Object({ email: EmailInput }),
    answer: Done,
  },
  resetPassword: {
    method: 'POST',
    path: '/password/reset',
    policy: 'anyone',
    body: Type.Object({ token: LetterToken, password: NewPassword }),
    answer: Done,
  },
  /** Signs in to the demo company; 404 unless this is a sandbox. */
  enterDemo: { method: 'POST', path: '/demo', policy: 'anyone', answer: Done },
  signOut: { method: 'POST', path: '/sign-out', policy: 'signed-in', answer: Done },
  /** Confirms the identity of the signed-in person again. */
  confirmIdentity: {
    method: 'POST',
    path: '/session/confirm',
    policy: 'signed-in',
    body: Type.Object({
      password: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH_MAX })),
      code: Type.Optional(Code),
      is_recovery_code: Type.Optional(Type.Boolean()),
      passkey: Type.Optional(PasskeyAnswer),
    }),
    answer: Done,
  },
  startPasskeyProof: {
    method: 'POST',
    path: '/session/confirm/passkey',
    policy: 'signed-in',
    answer: PasskeyChallenge,
  },
  /** Sends the code that confirms an identity to the person's own phone. */
  sendIdentityCode: {
    method: 'POST',
    path: '/session/confirm/code',
    policy: 'signed-in',
    answer: Type.Object({ success: Type.Literal(true), resend_after: Type.Integer() }),
  },
  switchCompany: {
    method: 'PUT',
    path: '/session/company',
    policy: 'signed-in',
    body: Type.Object({ company_id: Id }),
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;

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
