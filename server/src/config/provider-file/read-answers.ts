/** The parts of a provider file that say what answers mean. */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { BadPattern, compileRegExp } from '../../runtime/linear-regexp.ts';
import type {
  Condition,
  Failure,
  FailureWord,
  SendDescription,
  StatusDescription,
  StatusMeaning,
  StatusMeanings,
} from './description.ts';
import {
  entriesOf,
  type FileValue,
  isGiven,
  itemsOf,
  listOf,
  membersOf,
  optional,
  readText,
  readWord,
  report,
} from './file-value.ts';
import { type DocumentFormat, parsePlace, readPlace } from './place.ts';

const FAILURES: readonly FailureWord[] = ['refused', 'unavailable', 'unknown'];
const REASON_LENGTH_MAX = 200;
/** They refuse a call, except for 408: the message may have been sent then. */
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

export function readStatuses(item: FileValue, rules: StatusRules): StatusMeanings {
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
