/** The parts of a provider file that say how answers and callbacks are to be understood. */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { BadPattern, compileRegExp } from '../../runtime/linear-regexp.ts';
import {
  type Condition,
  type Failure,
  type FailureWord,
  type ReceiptProof,
  type ReceiptsDescription,
  type SendDescription,
  SIGNATURE_ALGORITHMS,
  type SignedPiece,
  type StatusDescription,
  type StatusMeaning,
  type StatusMeanings,
} from './description.ts';
import {
  entriesOf,
  type FileValue,
  isGiven,
  itemsOf,
  listOf,
  membersOf,
  optional,
  readMatching,
  readText,
  readWord,
  report,
} from './file-value.ts';
import { type DocumentFormat, type Place, parsePlace, readPlace } from './place.ts';
import { readField, readPlain, type Template, type Vocabulary } from './template.ts';

const FAILURES: readonly FailureWord[] = ['refused', 'unavailable', 'unknown'];
const REASON_LENGTH_MAX = 200;
/** Answers with these statuses are never read as a refusal of the message: see provider-answer.ts. */
const HTTP_STATUS = /^4\d\d$/;
const HTTP_TIMED_OUT = '408';

export function readDocumentFormat(
  members: { format: FileValue; pattern?: FileValue },
  formats: readonly DocumentFormat['format'][],
): DocumentFormat | undefined {
  const format = readWord(members.format, formats);
  const { pattern } = members;
  if (format !== 'text') {
    if (pattern !== undefined && isGiven(pattern)) report(pattern, 'is only for the format text');
    return format && { format };
  }
  const text = pattern && readText(pattern);
  if (pattern === undefined || text === undefined) return undefined;
  try {
    return { format, pattern: compileRegExp(text) };
  } catch (error) {
    if (!(error instanceof BadPattern)) throw error;
    return report(pattern, error.message);
  }
}

export function readSendAnswer(item: FileValue): SendDescription['answer'] | undefined {
  const members = membersOf(item, [
    'format',
    'pattern',
    'accepted',
    'id',
    'reference',
    'error',
    'errors',
    'http',
  ]);
  const document = members && readDocumentFormat(members, ['json', 'xml', 'text']);
  if (members === undefined || document === undefined) return undefined;
  const accepted = readConditions(members.accepted, document);
  const id = optional(members.id, (one) => readPlace(one, document));
  const reference = optional(members.reference, (one) => readPlace(one, document));
  const hasSign = [members.accepted, members.id, members.reference].some(isGiven);
  if (!hasSign) {
    report(item, 'should have "accepted", "id" or "reference", which shows an acceptance');
  }
  const error = optional(members.error, (one) => readPlace(one, document));
  const errors = isGiven(members.errors)
    ? readFailures(members.errors)
    : new Map<string, Failure>();
  const otherErrors = errors.get('*');
  errors.delete('*');
  if (isGiven(members.errors) && !isGiven(members.error)) {
    report(members.errors, 'should not be given without "error", which says where their codes are');
  }
  return {
    document,
    accepted,
    id,
    reference,
    error,
    errors,
    otherErrors,
    failuresByHttpStatus: readHttpFailures(members.http),
  };
}

function readConditions(item: FileValue, document: DocumentFormat): Condition[] {
  if (!isGiven(item)) return [];
  return (entriesOf(item) ?? []).flatMap(([name, member]) => {
    const place = parsePlace(member, name, document);
    const values = (itemsOf(member) ?? []).map(readScalar);
    if (place === undefined || !values.every((value) => value !== undefined)) return [];
    return [{ place, values: new Set(values) }];
  });
}

/** As it is compared with what is read: `0` and `"0"` are the same. */
function readScalar(item: FileValue): string | undefined {
  const { value } = item;
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  return report(item, 'should be a text, a number, true or false');
}

function readFailures(item: FileValue): Map<string, Failure> {
  const failures = new Map<string, Failure>();
  for (const [code, member] of entriesOf(item) ?? []) {
    const failure = readFailure(member);
    if (failure !== undefined) failures.set(code, failure);
  }
  return failures;
}

function readFailure(item: FileValue): Failure | undefined {
  const entries = entriesOf(item);
  const [word, member] = entries?.[0] ?? [];
  const result = FAILURES.find((one) => one === word);
  if (entries?.length !== 1 || member === undefined || result === undefined) {
    const example = '{"refused": "Неверный номер телефона"}';
    return entries && report(item, `should be like ${example}: ${listOf(FAILURES)}`);
  }
  const reason = readReason(member);
  return reason === undefined ? undefined : { result, reason };
}

/** The history shows it to customers. */
function readReason(item: FileValue): string | undefined {
  const text = readText(item);
  if (text === undefined) return undefined;
  if (text.length > REASON_LENGTH_MAX || /\p{C}/u.test(text)) {
    return report(item, `should be one line of at most ${REASON_LENGTH_MAX} characters`);
  }
  if (!/\p{Script=Cyrillic}/u.test(text)) {
    return report(item, 'should be Russian: customers read it in the history');
  }
  return text;
}

function readHttpFailures(item: FileValue): Map<number, Failure> {
  const failures = new Map<number, Failure>();
  if (!isGiven(item)) return failures;
  for (const [status, failure] of readFailures(item)) {
    if (HTTP_STATUS.test(status) && status !== HTTP_TIMED_OUT) {
      failures.set(Number(status), failure);
    } else {
      report(
        item,
        `should have statuses from 400 to 499 except 408, not ${JSON.stringify(status)}`,
      );
    }
  }
  return failures;
}

const STATUS_WORDS = ['sent', 'delivered', 'read', 'failed'] as const;

type StatusRules = {
  channel: Channel | undefined;
  /** In the answer to a question, which may also say that nothing was sent. */
  isAsked: boolean;
};

function readStatuses(item: FileValue, rules: StatusRules): StatusMeanings {
  const meanings = new Map<string, StatusMeaning>();
  for (const [status, member] of entriesOf(item) ?? []) {
    const meaning = readMeaning(member, rules);
    if (meaning !== undefined) meanings.set(status, meaning);
  }
  return meanings;
}

function readMeaning(
  item: FileValue,
  { channel, isAsked }: StatusRules,
): StatusMeaning | undefined {
  if (channel === 'sms' && item.value === 'read') {
    return report(item, 'should be "delivered": nobody can tell whether an SMS was read');
  }
  if (typeof item.value === 'string') {
    const kind = readWord(item, STATUS_WORDS);
    return kind && (kind === 'failed' ? { kind, reason: undefined } : { kind });
  }
  const [word, member] = entriesOf(item)?.[0] ?? [];
  const isKnown = word === 'failed' || (isAsked && word === 'refused');
  if (member === undefined || !isKnown || Object.keys(item.value as object).length !== 1) {
    const words = [...STATUS_WORDS.slice(0, 3), '{"failed": "Телефон выключен"}'];
    return report(item, `should be ${listOf(words)}`);
  }
  const reason = readReason(member);
  return reason === undefined ? undefined : { kind: word as 'failed' | 'refused', reason };
}

export function readStatusAnswer(
  item: FileValue,
  channel: Channel | undefined,
): StatusDescription['answer'] | undefined {
  const members = membersOf(item, [
    'format',
    'pattern',
    'status',
    'statuses',
    'reason',
    'id',
    'not_found',
  ]);
  const document = members && readDocumentFormat(members, ['json', 'xml', 'text']);
  if (members === undefined || document === undefined) return undefined;
  const status = readPlace(members.status, document);
  const statuses = readStatuses(members.statuses, { channel, isAsked: true });
  const reason = optional(members.reason, (one) => readPlace(one, document));
  const id = optional(members.id, (one) => readPlace(one, document));
  const notFound = readConditions(members.not_found, document);
  return status && { document, status, statuses, reason, id, notFound };
}

export function readReceipts(
  item: FileValue,
  { channel, vocabulary }: { channel: Channel | undefined; vocabulary: Vocabulary },
): ReceiptsDescription | undefined {
  const members = membersOf(item, [
    'format',
    'each',
    'id',
    'reference',
    'status',
    'statuses',
    'reason',
    'phone',
    'path_secret',
    'signature',
    'answer',
  ]);
  const document = members && readDocumentFormat(members, ['json', 'xml', 'form', 'query']);
  if (members === undefined || document === undefined) return undefined;
  const isList = document.format === 'json' || document.format === 'xml';
  if (isGiven(members.each) && !isList) report(members.each, 'is only for json and xml');
  const each = isList ? optional(members.each, (one) => readPlace(one, document)) : undefined;
  if (each?.kind === 'xml' && (each.attribute !== undefined || each.steps.length === 0)) {
    report(members.each, 'should be a path of elements');
  }
  const key = readKey(item, members, document);
  const status = readPlace(members.status, document);
  const statuses = readStatuses(members.statuses, { channel, isAsked: false });
  const reason = optional(members.reason, (one) => readPlace(one, document));
  const phone = optional(members.phone, (one) => readPlace(one, document));
  const proof = readProof(item, members, { document, vocabulary });
  const answer = optional(members.answer, readText) ?? '';
  if (key === undefined || status === undefined || proof === undefined) return undefined;
  if (proof.kind === 'signature')
    checkCoverage(members.signature, proof, { document, key, status, each });
  return { document, each, key, status, statuses, reason, phone, proof, answer };
}

function readKey(
  item: FileValue,
  { id, reference }: { id: FileValue; reference: FileValue },
  document: DocumentFormat,
): ReceiptsDescription['key'] | undefined {
  if (isGiven(id) === isGiven(reference)) {
    return report(
      item,
      'should have either "id", of the provider, or "reference", which is our {{id}}',
    );
  }
  const place = readPlace(isGiven(id) ? id : reference, document);
  return place && { by: isGiven(id) ? 'id' : 'reference', place };
}

type ProofTools = { document: DocumentFormat; vocabulary: Vocabulary };

function readProof(
  item: FileValue,
  members: { path_secret: FileValue; signature: FileValue },
  tools: ProofTools,
): ReceiptProof | undefined {
  const { path_secret: path, signature } = members;
  if (isGiven(path) === isGiven(signature)) {
    return report(
      item,
      'should have either "path_secret" or "signature": anybody could forge a receipt',
    );
  }
  if (isGiven(signature)) return readSignature(signature, tools);
  const secret = readSecret(path, tools.vocabulary);
  return secret && { kind: 'path', secret };
}

/** Nothing but a secret, which must not stand in the file. */
function readSecret(item: FileValue, vocabulary: Vocabulary): Template | undefined {
  const template = readPlain(item, vocabulary);
  const [piece] = template ?? [];
  if (template === undefined) return undefined;
  if (template.length === 1 && typeof piece === 'object') return template;
  return report(item, 'should be a secret and nothing else, like {{secret.GATEWAY_CALLBACK}}');
}

function readSignature(item: FileValue, tools: ProofTools): ReceiptProof | undefined {
  const members = membersOf(item, [
    'algorithm',
    'key',
    'over',
    'header',
    'place',
    'prefix',
    'encoding',
  ]);
  if (members === undefined) return undefined;
  const algorithm = readWord(members.algorithm, SIGNATURE_ALGORITHMS);
  const encoding =
    optional(members.encoding, (one) => readWord(one, ['hex', 'base64'] as const)) ?? 'hex';
  const prefix = optional(members.prefix, readText) ?? '';
  const at = readSignaturePlace(item, members, tools.document);
  const over = members.over.value === 'body' ? 'body' : readSigned(members.over, tools);
  const isKeyed = algorithm?.startsWith('hmac-') === true;
  const key = isKeyed ? readSecret(members.key, tools.vocabulary) : undefined;
  if (!isKeyed && isGiven(members.key)) report(members.key, 'is only for an hmac');
  const hasSecret =
    over !== 'body' && over?.some((piece) => typeof piece === 'object' && 'secret' in piece);
  if (algorithm !== undefined && over !== undefined && !isKeyed && !hasSecret) {
    report(members.over, `should have a secret, because anybody can compute ${algorithm}`);
  }
  if (algorithm === undefined || at === undefined || over === undefined) return undefined;
  return { kind: 'signature', algorithm, key, over, at, prefix, encoding };
}

function readSignaturePlace(
  item: FileValue,
  { header, place }: { header: FileValue; place: FileValue },
  document: DocumentFormat,
): { header: string } | { place: Place } | undefined {
  if (isGiven(header) === isGiven(place)) {
    return report(item, 'should have either "header" or "place", where the signature is');
  }
  if (isGiven(header)) {
    const name = readMatching(header, /^[\w-]+$/, 'should be the name of a header');
    return name === undefined ? undefined : { header: name.toLowerCase() };
  }
  const found = readPlace(place, document);
  return found && { place: found };
}

/** Here a placeholder is a place in the callback, such as `{{/id}}`, or a secret. */
function readSigned(item: FileValue, tools: ProofTools): readonly SignedPiece[] | undefined {
  const text = readText(item);
  if (text === undefined) return undefined;
  const pieces = text.split(/(\{\{[^{}]+\}\})/).flatMap((part): (SignedPiece | undefined)[] => {
    if (part === '') return [];
    if (!part.startsWith('{{')) return [part];
    const name = part.slice(2, -2).trim();
    if (name.startsWith('secret.')) {
      const isRight = readField({ ...item, value: part }, tools.vocabulary) !== undefined;
      return [isRight ? { secret: name } : undefined];
    }
    const place = parsePlace(item, name, tools.document);
    return [place && { place }];
  });
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined;
}

/** Otherwise a receipt that somebody has seen could be sent again with another status. */
function checkCoverage(
  item: FileValue,
  { over }: Extract<ReceiptProof, { kind: 'signature' }>,
  {
    document,
    key,
    status,
    each,
  }: Pick<ReceiptsDescription, 'document' | 'key' | 'status' | 'each'>,
): void {
  if (over === 'body') {
    if (document.format === 'query') report(item, 'should not be over the body, which is empty');
    return;
  }
  if (each !== undefined) report(item, 'should be over the body when there are several receipts');
  const covered = over.map((piece) =>
    typeof piece === 'object' && 'place' in piece ? JSON.stringify(piece.place) : undefined,
  );
  const missing = Object.entries({ [key.by]: key.place, status })
    .filter(([, place]) => !covered.includes(JSON.stringify(place)))
    .map(([name]) => name);
  if (missing.length > 0) report(item, `should be over the ${missing.join(' and the ')} as well`);
}
