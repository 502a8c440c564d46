import type { NewPasskeyAnswer, PasskeyAnswer } from '@zhiber/contract/cabinet/credentials.ts';
import { CallError } from './call-error.ts';

/** Options of WebAuthn in their JSON form, as the server gives them. */
type Options = Record<string, unknown>;

/** Loaded when a passkey is wanted, not with the first page. */
const loadWebAuthn = () => import('@simplewebauthn/browser');

export const canUsePasskeys = typeof PublicKeyCredential === 'function';

let openPrompts = 0;

/** Whether a button has opened a prompt that the person has not answered yet. */
export function isPromptOpen(): boolean {
  return openPrompts > 0;
}

/** Lets the person choose and unlock a passkey, and returns the answer to the challenge. */
export async function askForPasskey(options: Options): Promise<PasskeyAnswer> {
  openPrompts += 1;
  try {
    const { startAuthentication } = await loadWebAuthn();
    return await startAuthentication({ optionsJSON: options as never }).catch(throwAsCallError);
  } finally {
    openPrompts -= 1;
  }
}

/** Lets the device make a passkey. */
export async function makePasskey(options: Options): Promise<NewPasskeyAnswer> {
  const { startRegistration } = await loadWebAuthn();
  return await startRegistration({ optionsJSON: options as never }).catch(throwAsCallError);
}

/**
 * Offers passkeys among the suggestions of the field for the e-mail address. Undefined where the
 * browser cannot, and when something else has its place: the prompt of a button, another page.
 */
export async function offerPasskeys(options: Options): Promise<PasskeyAnswer | undefined> {
  const { startAuthentication } = await loadWebAuthn();
  if (isPromptOpen()) return undefined;
  const optionsJSON = options as never;
  return await startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(
    () => undefined,
  );
}

export async function canOfferPasskeys(): Promise<boolean> {
  if (!canUsePasskeys) return false;
  return await (await loadWebAuthn()).browserSupportsWebAuthnAutofill();
}

export async function endOffer(): Promise<void> {
  (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony();
}

/** What the browser says by the name of an error. Also a timeout is a `NotAllowedError`. */
const CODES: Record<string, string> = {
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
};

/** A refusal of the browser has a text as those of the server have. */
function throwAsCallError(error: unknown): never {
  const { name, message } = error as Error;
  throw new CallError({ status: 422, code: CODES[name] ?? 'passkey_unusable', message });
}
