/** What people prove who they are with: passwords, codes, links of letters and passkeys. */
import Type, { type Static } from 'typebox';
import { PLAIN_NAME } from './fields.ts';

export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 128;
export const NewPassword = Type.String({
  minLength: PASSWORD_LENGTH_MIN,
  maxLength: PASSWORD_LENGTH_MAX,
});
export const Phone = Type.String({ minLength: 1, maxLength: 64 });
export const Code = Type.String({ minLength: 4, maxLength: 32 });
/** Given to the browser that asked for a code: only there can the code be entered. */
export const RequestToken = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
export const LetterToken = Type.String({ maxLength: 200 });

const BASE64URL = '^[A-Za-z0-9_-]+$';
const Bytes = Type.String({ pattern: BASE64URL, maxLength: 8_192 });
const CredentialId = Type.String({ pattern: BASE64URL, maxLength: 1_400 });

/** The options of WebAuthn in their JSON form, as browsers take them. */
export const PasskeyOptions = Type.Record(Type.String(), Type.Unknown());
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
export const PasskeyName = Type.String({
  minLength: 1,
  maxLength: PASSKEY_NAME_LENGTH_MAX,
  pattern: '\\S',
  format: PLAIN_NAME,
});

export const PasskeyChallenge = Type.Object({
  success: Type.Literal(true),
  options: PasskeyOptions,
});
