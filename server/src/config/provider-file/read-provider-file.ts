/** Reads a provider file: JSON without comments, whose form docs/provider-files.md describes. */
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { accountsOf, PROVIDER_BLOCKS } from '../provider-settings.ts';
import type {
  BalanceDescription,
  FileContent,
  ProviderDescription,
  RequestDescription,
  SendDescription,
  StatusDescription,
} from './description.ts';
import {
  type FileValue,
  isGiven,
  itemsOf,
  membersOf,
  optional,
  readFlag,
  readInteger,
  readMatching,
  readText,
  readWord,
  report,
} from './file-value.ts';
import { readPlace } from './place.ts';
import { readDocumentFormat, readSendAnswer, readStatusAnswer } from './read-answers.ts';
import { readReceipts } from './read-receipts.ts';
import { REQUEST_MEMBERS, readRequest } from './read-request.ts';
import { findRepeatedNames } from './repeated-names.ts';
import type { Vocabulary } from './template.ts';

/** A file that is wrong has mistakes and no description. */
export type ProviderFile =
  | { description: ProviderDescription; mistakes?: never }
  | { description?: never; mistakes: readonly string[] };

const BUILT_IN: ReadonlySet<string> = new Set(
  PROVIDER_BLOCKS.flatMap(accountsOf).map(({ name }) => name),
);
const CONTENTS: readonly FileContent[] = ['code', 'code_with_link', 'text', 'broadcast'];
const SEND_NAMES = [
  'phone',
  'phone_plus',
  'text',
  'code',
  'link',
  'sender',
  'id',
  'ttl_minutes',
  'ttl_seconds',
  'language',
  'callback_url',
];
const OPTIONAL_NAMES = ['code', 'link', 'sender', 'ttl_minutes', 'ttl_seconds'];
const STATUS_NAMES = ['id', 'provider_id', 'phone', 'phone_plus'];
const RATE_MAX = 10_000;
const IN_FLIGHT_MAX = 256;

export function readProviderFile(text: string): ProviderFile {
  const mistakes: string[] = [];
  const item: FileValue = { value: parseJson(text, mistakes), path: '', mistakes };
  const description = item.value === undefined ? undefined : readProvider(item);
  return description === undefined || mistakes.length > 0 ? { mistakes } : { description };
}

function parseJson(text: string, mistakes: string[]): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    for (const { name, line } of findRepeatedNames(text)) {
      mistakes.push(`the file: has "${name}" a second time in the same object, in line ${line}`);
    }
    return value;
  } catch (error) {
    mistakes.push(`the file: should be JSON: ${(error as Error).message}`);
    return undefined;
  }
}

function readProvider(item: FileValue): ProviderDescription | undefined {
  const members = membersOf(item, [
    'name',
    'channel',
    'carries',
    'sender',
    'rate',
    'in_flight',
    'ids_repeat',
    'send',
    'status',
    'receipts',
    'balance',
  ]);
  if (members === undefined) return undefined;
  const nameRule = 'should be 1 to 40 of a-z, 0-9 and -, beginning with a letter';
  const name = readMatching(members.name, /^[a-z][a-z0-9-]{0,39}$/, nameRule);
  if (BUILT_IN.has(name ?? '')) report(members.name, 'should not be that of a built-in provider');
  const channel: Channel | undefined = readWord(members.channel, CHANNELS);
  const carries = isGiven(members.carries)
    ? (itemsOf(members.carries) ?? []).flatMap((one) => readWord(one, CONTENTS) ?? [])
    : CONTENTS;
  const sender = optional(members.sender, readText);
  const ratePerSecond = optional(members.rate, (one) =>
    readInteger(one, { min: 1, max: RATE_MAX }),
  );
  const inFlightMax = optional(members.in_flight, (one) =>
    readInteger(one, { min: 1, max: IN_FLIGHT_MAX }),
  );
  const idsRepeat = readFlag(members.ids_repeat);
  const send = readSend(members.send, { hasSender: sender !== undefined });
  const status = optional(members.status, (one) => readStatus(one, channel));
  const receiptUses = new Set<string>();
  const receipts = optional(members.receipts, (one) =>
    readReceipts(one, { channel, vocabulary: { ...wordsOf([], []), uses: receiptUses } }),
  );
  const balance = optional(members.balance, readBalance);
  if (name === undefined || channel === undefined || send === undefined) return undefined;

  // Before, a mistake could cause others.
  if (item.mistakes.length === 0) {
    checkContents(members, carries, send);
    checkIdentity(members, { send, status, receipts });
    if (idsRepeat && receipts?.key.by === 'id' && receipts.phone === undefined) {
      report(members.receipts, 'should read the "phone", because ids repeat');
    }
  }
  const requests = [send.request, status?.request, balance?.request];
  const uses = [...requests.flatMap((request) => [...(request?.uses ?? [])]), ...receiptUses];
  const secretNames = [...new Set(uses)]
    .filter((one) => one.startsWith('secret.'))
    .map((one) => one.slice('secret.'.length));
  return {
    name,
    channel,
    carries,
    sender,
    ratePerSecond,
    inFlightMax,
    idsRepeat,
    send,
    status,
    receipts,
    balance,
    secretNames,
  };
}

/** The request has room for all that is to be sent. */
function checkContents(
  { carries: item, send }: { carries: FileValue; send: FileValue },
  carries: readonly FileContent[],
  { request: { uses }, ignoresRepeats }: SendDescription,
): void {
  if (!uses.has('phone') && !uses.has('phone_plus')) {
    report(send, 'should send {{phone}} or {{phone_plus}}');
  }
  if (ignoresRepeats && !uses.has('id')) {
    report(send, 'should send {{id}}, which shows a repetition that is to be ignored');
  }
  if (uses.has('text')) return;
  if (!uses.has('code')) {
    report(send, 'should send {{text}} or {{code}}');
    return;
  }
  const canCarry = (content: FileContent) =>
    content === 'code' || (content === 'code_with_link' && uses.has('link'));
  const others = carries.filter((content) => !canCarry(content));
  if (others.length > 0) report(item, `should not have ${others.join(', ')} without {{text}}`);
}

/** What identifies a message in a receipt or a question has to be known from the send. */
function checkIdentity(
  members: { send: FileValue; status: FileValue; receipts: FileValue },
  { send, status, receipts }: Pick<ProviderDescription, 'send' | 'status' | 'receipts'>,
): void {
  const isOurs =
    receipts?.key.by === 'reference' || status?.isByReference || send.answer.id === undefined;
  if (isOurs && !send.request.uses.has('id')) {
    report(members.send, 'should send {{id}}, because the file identifies messages by it');
  }
  if (send.answer.id !== undefined) {
    const hasNoId = status?.isByReference && status.answer.id === undefined;
    if (hasNoId) report(members.status, 'should read the "id" of the provider from its answer');
    return;
  }
  const problem = 'needs the id of the provider, which "send.answer" does not read';
  if (receipts?.key.by === 'id') report(members.receipts, problem);
  if (status?.isByReference === false) report(members.status, problem);
}

function readSend(
  item: FileValue,
  { hasSender }: { hasSender: boolean },
): SendDescription | undefined {
  const members = membersOf(item, [...REQUEST_MEMBERS, 'repeats_ignored', 'answer']);
  if (members === undefined) return undefined;
  const missing = OPTIONAL_NAMES.filter((name) => name !== 'sender' || !hasSender);
  const request = readRequest(item, members, wordsOf(SEND_NAMES, missing));
  const ignoresRepeats = readFlag(members.repeats_ignored);
  const answer = readSendAnswer(members.answer);
  if (request === undefined || answer === undefined) return undefined;
  return { request, ignoresRepeats, answer };
}

function readStatus(item: FileValue, channel: Channel | undefined): StatusDescription | undefined {
  const members = membersOf(item, [...REQUEST_MEMBERS, 'answer']);
  if (members === undefined) return undefined;
  const request = readRequest(item, members, wordsOf(STATUS_NAMES, []));
  const answer = readStatusAnswer(members.answer, channel);
  if (request === undefined || answer === undefined) return undefined;
  const isByReference = request.uses.has('id');
  if (isByReference === request.uses.has('provider_id')) {
    report(item, 'should ask either by {{id}}, which is ours, or by {{provider_id}}');
  }
  if (!isByReference && answer.notFound.length > 0) {
    report(
      item,
      'can have "not_found" only when it asks by {{id}}: the provider knows its own ids',
    );
  }
  return { request, isByReference, answer };
}

function readBalance(item: FileValue): BalanceDescription | undefined {
  const members = membersOf(item, [...REQUEST_MEMBERS, 'answer']);
  const request: RequestDescription | undefined =
    members && readRequest(item, members, wordsOf([], []));
  const answer = members && membersOf(members.answer, ['format', 'pattern', 'amount', 'currency']);
  const document = answer && readDocumentFormat(answer, ['json', 'xml', 'text']);
  const amount = document && readPlace(answer.amount, document);
  const currency = answer && optional(answer.currency, readText);
  if (request === undefined || document === undefined || amount === undefined) return undefined;
  return { request, answer: { document, amount, currency } };
}

function wordsOf(names: readonly string[], missing: readonly string[]): Omit<Vocabulary, 'uses'> {
  return { names: new Set(names), optional: new Set(missing) };
}
