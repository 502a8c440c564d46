import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
} from 'node:crypto';
import type { KeyId } from './ids.ts';
import type { Phone } from './phone.ts';
import { randomBytes } from './random.ts';

/**
 * What the installation's secret is used for. Keys are derived from it and never stored in the
 * database: a pepper for comparing codes, one for the short-lived copy of a code that a later
 * fallback needs, one for recognising repeated requests, one for what people of the cabinet prove
 * themselves with, one for the notices of the sandbox bank, one for papers, one for links, one for
 * terminals that listen to events, and one for the keys of the page with the virtual phone.
 */
export type Secrets = {
  /** HMAC of a guess or a code; equal exactly when the code and its whole identity are. */
  macOfCode(identity: { keyId: KeyId; phone: Phone; purpose: string }, code: string): Buffer;
  /** Recognises a repeated body; a plain hash would reveal the code in it. */
  macOfBody(body: string): Buffer;
  /** HMAC of what people prove themselves with, stored in its place. */
  macOfProof(use: ProofUse, text: string): Buffer;
  /** Signs the notices of the sandbox bank. */
  macOfBankNotice(body: Buffer): Buffer;
  /** HMAC of what a paper is about, printed on it: proves that the paper is ours. */
  macOfPaper(text: string): Buffer;
  /** HMAC of the row of a broadcast: proves that an unsubscribe link is ours. */
  macOfUnsubscribeLink(rowId: number): Buffer;
  /** The secret of a company's terminal that listens to events: the same whenever it listens. */
  macOfListener(companyId: number): Buffer;
  /** What the text of a key is made of that every node has to know. */
  bytesOfKey(name: string): Buffer;
  seal(text: string): Buffer;
  unseal(sealed: Buffer): string;
  /** Lets a start detect data written with another secret, without revealing either. */
  fingerprint: string;
};

export type ProofUse =
  | 'recovery code'
  | 'attempt to sign in'
  | 'warning of attempts'
  | 'search for a phone'
  | 'codes to sign in';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function deriveSecrets(secret: string): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'zhiber', use, 32));
  // Key objects are created once: with plain bytes, each use would cost five times as much.
  const pepper = createSecretKey(derive('code comparison'));
  const sealKey = createSecretKey(derive('code for a later fallback'));
  const bodyKey = createSecretKey(derive('body that comes again'));
  const proofKey = createSecretKey(derive('proof of a person'));
  const noticeKey = createSecretKey(derive('notice of the sandbox bank'));
  const paperKey = createSecretKey(derive('genuine paper'));
  const listenerKey = createSecretKey(derive('terminal that listens'));
  const keyKey = createSecretKey(derive('key that every node knows'));
  const unsubscribeKey = createSecretKey(derive('unsubscribe link'));

  return {
    macOfCode({ keyId, phone, purpose }, code) {
      // The purpose cannot contain a line feed, and only the code follows it, so the parts cannot
      // run together.
      return createHmac('sha256', pepper)
        .update(`${keyId}\n${phone}\n${purpose}\n${code}`)
        .digest();
    },
    macOfBody: (body) => createHmac('sha256', bodyKey).update(body).digest(),
    macOfProof: (use, text) => createHmac('sha256', proofKey).update(`${use}\n${text}`).digest(),
    macOfBankNotice: (body) => createHmac('sha256', noticeKey).update(body).digest(),
    macOfPaper: (text) => createHmac('sha256', paperKey).update(text).digest(),
    macOfUnsubscribeLink: (rowId) =>
      createHmac('sha256', unsubscribeKey).update(String(rowId)).digest(),
    macOfListener: (companyId) =>
      createHmac('sha256', listenerKey).update(String(companyId)).digest(),
    bytesOfKey: (name) => createHmac('sha256', keyKey).update(name).digest(),
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    unseal(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    fingerprint: derive('fingerprint').toString('hex').slice(0, 32),
  };
}
