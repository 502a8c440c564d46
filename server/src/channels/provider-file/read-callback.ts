/** Receipts that the provider sends, by the rules of its file. */
import { createHash, createHmac } from 'node:crypto';
import type {
  ReceiptProof,
  ReceiptsDescription,
  SignedPiece,
} from '../../config/provider-file/description.ts';
import { isSameSecret } from '../../token.ts';
import type { CallbackContent, CallbackRequest, ProviderReport } from '../provider.ts';
import { readShortRefText } from '../short-ref.ts';
import { type Document, fieldDocument, openDocument } from './document.ts';
import { receiptOf } from './read-answer.ts';
import { fill, type ReadValue } from './render-request.ts';

/** Undefined when it does not come from the provider. */
export function readCallback(
  request: CallbackRequest,
  rules: ReceiptsDescription,
  secrets: ReadValue,
): CallbackContent | undefined {
  const document = openCallback(request, rules);
  if (!isProven(request, rules.proof, { document, secrets })) return undefined;
  const answer = rules.answer === '' ? {} : { answer: answerOf(rules.answer) };
  return { reports: document === undefined ? [] : readReports(document, rules), ...answer };
}

/** The receipts in a callback, whoever sent it. */
export function readReports(document: Document, rules: ReceiptsDescription): ProviderReport[] {
  const receipts = rules.each === undefined ? [document] : document.each(rules.each);
  return receipts.flatMap((receipt) => readReport(receipt, rules));
}

/** Undefined when it cannot be read. */
export function openCallback(
  { method, query, body }: CallbackRequest,
  { document }: ReceiptsDescription,
): Document | undefined {
  if (document.format === 'query') return fieldDocument((name) => query[name]);
  return method === 'POST' ? openDocument(document, body.toString()) : undefined;
}

function readReport(document: Document, rules: ReceiptsDescription): ProviderReport[] {
  const { key, statuses } = rules;
  const identity = document.find(key.place);
  const meaning = statuses.get(document.find(rules.status) ?? '');
  const receipt = meaning && receiptOf(meaning, rules.reason && document.find(rules.reason));
  if (identity === undefined || receipt === undefined) return [];
  const phone = rules.phone && document.find(rules.phone);
  if (key.by === 'id') return [{ providerId: identity, ...receipt, ...(phone && { phone }) }];
  // Others may use the same account.
  const ref = readShortRefText(identity);
  return ref === undefined ? [] : [{ ref, ...receipt }];
}

type ProofTools = { document: Document | undefined; secrets: ReadValue };

export function isProven(
  { headers, body, pathSecret }: CallbackRequest,
  proof: ReceiptProof,
  { document, secrets }: ProofTools,
): boolean {
  if (proof.kind === 'path') return isSameSecret(pathSecret, fill(proof.secret, secrets) ?? '');
  const { at } = proof;
  const given = 'header' in at ? headers[at.header] : document?.find(at.place);
  const signed = proof.over === 'body' ? body : fillSigned(proof.over, { document, secrets });
  const expected = signed && signatureOf(signed, proof, secrets);
  return expected !== undefined && isSameSecret(toCompare(given, proof), expected);
}

type Signature = Extract<ReceiptProof, { kind: 'signature' }>;

/** Letters of hex may be large or small. */
function toCompare(given: unknown, { prefix, encoding }: Signature): string | undefined {
  if (typeof given !== 'string' || !given.startsWith(prefix)) return undefined;
  const signature = given.slice(prefix.length);
  return encoding === 'hex' ? signature.toLowerCase() : signature;
}

/** Undefined without its key: an empty one is known to everybody. */
function signatureOf(
  signed: Buffer | string,
  { algorithm, key, encoding }: Signature,
  secrets: ReadValue,
): string | undefined {
  const keyText = key && fill(key, secrets);
  if (!algorithm.startsWith('hmac-')) {
    return createHash(algorithm).update(signed).digest(encoding);
  }
  if (!keyText) return undefined;
  return createHmac(algorithm.replace('hmac-', ''), keyText).update(signed).digest(encoding);
}

/** Undefined without a secret of it. */
function fillSigned(
  pieces: readonly SignedPiece[],
  { document, secrets }: ProofTools,
): string | undefined {
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    return 'secret' in piece ? secrets(piece.secret) : (document?.find(piece.place) ?? '');
  });
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function answerOf(body: string): { contentType: string; body: string } {
  const [first] = body.trim();
  const kind = first === '{' || first === '[' ? 'application/json' : 'text/plain';
  return { contentType: first === '<' ? 'text/xml' : kind, body };
}
