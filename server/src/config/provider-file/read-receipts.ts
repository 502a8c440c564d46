/** The part of a provider file that says how its callbacks are read and proven. */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  type ReceiptProof,
  type ReceiptsDescription,
  SIGNATURE_ALGORITHMS,
  type SignedPiece,
} from './description.ts';
import {
  type FileValue,
  isGiven,
  membersOf,
  optional,
  readMatching,
  readText,
  readWord,
  report,
} from './file-value.ts';
import { type DocumentFormat, type Place, parsePlace, readPlace } from './place.ts';
import { readDocumentFormat, readStatuses } from './read-answers.ts';
import { readField, readPlain, type Template, type Vocabulary } from './template.ts';

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
