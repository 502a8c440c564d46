import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done, Id, Instant, Lang, NameInput, orNull, Tokens } from './fields.ts';
import { RIGHTS, type Right, ROLES } from './rights.ts';

const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;
const NewPassword = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
});
const Phone = Type.String({ minLength: 1, maxLength: 64 });
const Code = Type.String({ minLength: 4, maxLength: 32 });

/** The person, and the company they are in right now. */
export const Session = Type.Object({
  success: Type.Literal(true),
  person: Type.Object({
    name: Type.String(),
    email: orNull(Type.String()),
    phone: orNull(Type.String()),
    language: orNull(Lang),
    has_password: Type.Boolean(),
    has_second_factor: Type.Boolean(),
  }),
  company: orNull(
    Type.Object({
      id: Id,
      name: Type.String(),
      role: Type.Enum([...ROLES]),
      rights: Type.Array(Type.Enum(Object.keys(RIGHTS) as [Right, ...Right[]])),
      balance: Tokens,
      is_demo: Type.Boolean(),
    }),
  ),
  /** Every company of this person, for switching. */
  companies: Type.Array(Type.Object({ id: Id, name: Type.String(), role: Type.Enum([...ROLES]) })),
  /** No provider is configured: nothing leaves this machine. */
  is_sandbox: Type.Boolean(),
  base_url: Type.String(),
});
export type Session = Static<typeof Session>;

/** What the pages before sign-in may know. */
export const Entrance = Type.Object({
  success: Type.Literal(true),
  is_sandbox: Type.Boolean(),
  /** Whether there is a demo company to click into. */
  has_demo: Type.Boolean(),
  /** Whether letters can be sent, and so whether one may sign up by e-mail. */
  has_mail: Type.Boolean(),
});

export const SESSION_ENDPOINTS = {
  entrance: { method: 'GET', path: '/entrance', policy: 'anyone', answer: Entrance },
  session: { method: 'GET', path: '/session', policy: 'signed-in', answer: Session },
  /** Sends a code to the phone, whether or not anybody has it. */
  sendPhoneCode: {
    method: 'POST',
    path: '/sign-in/phone',
    policy: 'anyone',
    body: Type.Object({ phone: Phone, channel: Type.Optional(Type.Enum(['auto', 'sms'])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      expires_in: Type.Integer(),
      resend_after: Type.Integer(),
    }),
  },
  /** Signs in, or makes the account of a phone that is new here. */
  signInByPhone: {
    method: 'POST',
    path: '/sign-in/phone/code',
    policy: 'anyone',
    body: Type.Object({ phone: Phone, code: Code }),
    answer: Done,
  },
  signInByEmail: {
    method: 'POST',
    path: '/sign-in/email',
    policy: 'anyone',
    body: Type.Object({ email: Email, password: Type.String({ maxLength: PASSWORD_LENGTH_MAX }) }),
    answer: Done,
  },
  /** The second step, with a code of the app or a recovery code. */
  signInSecond: {
    method: 'POST',
    path: '/sign-in/second-factor',
    policy: 'anyone',
    body: Type.Object({ code: Code, is_recovery_code: Type.Optional(Type.Boolean()) }),
    answer: Done,
  },
  /** Always answered the same: a letter is on its way. */
  signUpByEmail: {
    method: 'POST',
    path: '/sign-up/email',
    policy: 'anyone',
    body: Type.Object({ name: NameInput, email: Email, password: NewPassword }),
    answer: Done,
  },
  /** From the link of a letter. Signs in. */
  confirmEmail: {
    method: 'POST',
    path: '/sign-up/email/confirm',
    policy: 'anyone',
    body: Type.Object({ token: Type.String({ maxLength: 2000 }) }),
    answer: Done,
  },
  forgotPassword: {
    method: 'POST',
    path: '/password/forgot',
    policy: 'anyone',
    body: Type.Object({ email: Email }),
    answer: Done,
  },
  resetPassword: {
    method: 'POST',
    path: '/password/reset',
    policy: 'anyone',
    body: Type.Object({ token: Type.String({ maxLength: 2000 }), password: NewPassword }),
    answer: Done,
  },
  /** Into the demo company; 404 unless this is a sandbox. */
  enterDemo: { method: 'POST', path: '/demo', policy: 'anyone', answer: Done },
  signOut: { method: 'POST', path: '/sign-out', policy: 'signed-in', answer: Done },
  /** Proves again that it is still this person. */
  confirmIdentity: {
    method: 'POST',
    path: '/session/confirm',
    policy: 'signed-in',
    body: Type.Object({
      password: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH_MAX })),
      code: Type.Optional(Code),
    }),
    answer: Done,
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

export const PROFILE_ENDPOINTS = {
  changeProfile: {
    method: 'PUT',
    path: '/profile',
    policy: 'signed-in',
    body: Type.Object({
      name: Type.Optional(NameInput),
      language: Type.Optional(Lang),
    }),
    answer: Done,
  },
  changePassword: {
    method: 'PUT',
    path: '/profile/password',
    policy: 'signed-in',
    body: Type.Object({
      /** Absent where there was none. */
      current: Type.Optional(Type.String({ maxLength: PASSWORD_LENGTH_MAX })),
      password: NewPassword,
    }),
    answer: Done,
    needsFreshSignIn: true,
  },
  /** Sends a letter to a new address; it counts once its link has been opened. */
  changeEmail: {
    method: 'PUT',
    path: '/profile/email',
    policy: 'signed-in',
    body: Type.Object({ email: Email }),
    answer: Done,
    needsFreshSignIn: true,
  },
  /** Sends a code to a new phone. */
  sendNewPhoneCode: {
    method: 'POST',
    path: '/profile/phone',
    policy: 'signed-in',
    body: Type.Object({ phone: Phone }),
    answer: Type.Object({ success: Type.Literal(true), resend_after: Type.Integer() }),
  },
  changePhone: {
    method: 'PUT',
    path: '/profile/phone',
    policy: 'signed-in',
    body: Type.Object({ phone: Phone, code: Code }),
    answer: Done,
    needsFreshSignIn: true,
  },
  startSecondFactor: {
    method: 'POST',
    path: '/profile/second-factor',
    policy: 'signed-in',
    answer: Type.Object({ success: Type.Literal(true), secret: Type.String(), uri: Type.String() }),
    needsFreshSignIn: true,
  },
  /** Recovery codes are shown this once. */
  confirmSecondFactor: {
    method: 'PUT',
    path: '/profile/second-factor',
    policy: 'signed-in',
    body: Type.Object({ code: Code }),
    answer: Type.Object({
      success: Type.Literal(true),
      recovery_codes: Type.Array(Type.String()),
    }),
    needsFreshSignIn: true,
  },
  endSecondFactor: {
    method: 'DELETE',
    path: '/profile/second-factor',
    policy: 'signed-in',
    answer: Done,
    needsFreshSignIn: true,
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
  endOtherSessions: {
    method: 'DELETE',
    path: '/profile/sessions',
    policy: 'signed-in',
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
