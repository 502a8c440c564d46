import Type, { type Static } from 'typebox';
import {
  Code,
  LetterToken,
  NewPassword,
  PASSWORD_LENGTH_MAX,
  PasskeyAnswer,
  PasskeyChallenge,
  Phone,
  RequestToken,
} from './credentials.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done, EmailInput, Id, Instant, Language, NameInput, orNull, Tokens } from './fields.ts';
import { PhoneMessage } from './playground.ts';
import { RIGHTS, type Right, ROLES } from './rights.ts';
import { SIGN_IN_STEPS } from './sign-in-steps.ts';

/** The signed-in person, and their current company. */
export const Session = Type.Object({
  success: Type.Literal(true),
  person: Type.Object({
    name: Type.String(),
    /** False for somebody who signed up by phone and has not said their name: it is the masked phone. */
    has_name: Type.Boolean(),
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
      /** Null for a role that sees nothing of the money. */
      balance: orNull(Tokens),
      is_demo: Type.Boolean(),
      /** The operator's reason, when the company is suspended: it can only be read. */
      suspended_because: orNull(Type.String()),
      /** Nothing of the company opens before this person has a second factor. */
      needs_second_factor: Type.Boolean(),
    }),
  ),
  /** Every company of this person, for switching. */
  companies: Type.Array(Type.Object({ id: Id, name: Type.String(), role: Type.Enum([...ROLES]) })),
  /** Set while an operator of the installation looks at this cabinet: it can only be read. */
  viewed_until: orNull(Instant),
  /** No provider is configured: nothing leaves this machine. */
  is_sandbox: Type.Boolean(),
  /** The price of an SMS is that of each of its parts. */
  is_sms_per_part: Type.Boolean(),
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

/** Made by the browser that asks for a letter, which a sandbox then shows to it alone. */
const OwnToken = Type.Optional(RequestToken);

export const SESSION_ENDPOINTS = {
  signInOptions: {
    method: 'GET',
    path: '/sign-in-options',
    policy: 'anyone',
    answer: SignInOptions,
  },
  session: {
    method: 'GET',
    path: '/session',
    policy: 'signed-in',
    answer: Session,
    isOpenInView: true,
  },
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
  /**
   * The code and the letters that this very browser has asked for, in a sandbox, where they reach no
   * phone and no mailbox; elsewhere 404. The token proves which browser asks.
   */
  sandboxInbox: {
    method: 'POST',
    path: '/sign-in/sandbox',
    policy: 'anyone',
    body: Type.Object({ request_token: RequestToken, phone: Type.Optional(Phone) }),
    answer: Type.Object({ success: Type.Literal(true), messages: Type.Array(PhoneMessage) }),
  },
  ...SIGN_IN_STEPS,
  /** The answer is always the same, whether or not the address has an account: a letter is sent. */
  signUpByEmail: {
    method: 'POST',
    path: '/sign-up/email',
    policy: 'anyone',
    body: Type.Object({ name: NameInput, email: EmailInput, request_token: OwnToken }),
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
    body: Type.Object({ email: EmailInput, request_token: OwnToken }),
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
  /** Ends the session, or the view of an operator. */
  signOut: {
    method: 'POST',
    path: '/sign-out',
    policy: 'signed-in',
    answer: Done,
    isOpenInView: true,
  },
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
