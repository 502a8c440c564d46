/** What an answer of the provider means, by the tables of its file. */
import type {
  BalanceDescription,
  Condition,
  SendDescription,
  StatusDescription,
  StatusMeaning,
} from '../../config/provider-file/description.ts';
import { isRefusal, isSuccess, type ProviderAnswer } from '../../runtime/provider-client.ts';
import type { Outcome, Receipt } from '../channel.ts';
import { outcomeWithoutBody, UNCLEAR_ANSWER } from '../http/provider-answer.ts';
import { displayReason, isProviderId } from '../http/provider-text.ts';
import type { ProviderStatus } from '../provider.ts';
import { balanceText } from '../sms/balance-text.ts';
import { type Document, openDocument } from './document.ts';

export const FAILED = 'Провайдер не доставил сообщение';

/**
 * A known error is believed before anything else; an acceptance only with a status of success, all
 * its signs and an id. Everything else is unknown: the message may have been sent.
 */
export function readSent(
  answer: ProviderAnswer,
  rules: SendDescription['answer'],
  ownId: string,
): Outcome {
  const withoutBody = outcomeWithoutBody(answer);
  if (answer.kind !== 'answer') return withoutBody;
  const { status, text } = answer;
  const isReadable = isSuccess(status) || isRefusal(status);
  const document = isReadable ? openDocument(rules.document, text) : undefined;
  const error = rules.error && document?.find(rules.error);
  const known = error === undefined ? undefined : rules.errors.get(error);
  const failure = known ?? rules.failuresByHttpStatus.get(status);
  if (failure !== undefined) return failure;
  if (document === undefined || withoutBody !== UNCLEAR_ANSWER) return withoutBody;

  const { accepted } = rules;
  const hasSigns = accepted.length === 0 ? error === undefined : holdAll(accepted, document);
  if (isSuccess(status) && hasSigns) {
    if (rules.reference && document.find(rules.reference) !== ownId) return UNCLEAR_ANSWER;
    const id = rules.id === undefined ? ownId : document.find(rules.id);
    return isProviderId(id) ? { result: 'accepted', providerId: id } : UNCLEAR_ANSWER;
  }
  return (error === undefined ? undefined : rules.otherErrors) ?? UNCLEAR_ANSWER;
}

function holdAll(conditions: readonly Condition[], document: Document): boolean {
  return conditions.every(({ place, values }) => values.has(document.find(place) ?? ''));
}

/** The usual HTTP status for a message that the provider does not know. */
const NOT_FOUND = 404;
const UNCLEAR: ProviderStatus = { known: 'unclear' };

/** What was asked for. The provider's id is undefined while it is not known. */
export type Asked = { ownId: string; providerId: string | undefined };

export function readStatusAnswer(
  answer: ProviderAnswer,
  rules: StatusDescription['answer'],
  asked: Asked,
): ProviderStatus {
  if (answer.kind !== 'answer') return UNCLEAR;
  const { status, text } = answer;
  const isReadable = isSuccess(status) || status === NOT_FOUND;
  const document = isReadable ? openDocument(rules.document, text) : undefined;
  if (document === undefined) return UNCLEAR;
  if (rules.notFound.length > 0 && holdAll(rules.notFound, document)) return { known: 'nothing' };
  const meaning = rules.statuses.get(document.find(rules.status) ?? '');
  if (meaning === undefined || status === NOT_FOUND) return UNCLEAR;
  if (meaning.kind === 'refused') return { known: 'refused', reason: meaning.reason };
  const known = asked.providerId ?? asked.ownId;
  const providerId = rules.id === undefined ? known : document.find(rules.id);
  const isOfAnother = asked.providerId !== undefined && providerId !== asked.providerId;
  if (!isProviderId(providerId) || isOfAnother) return UNCLEAR;
  const reason = rules.reason && document.find(rules.reason);
  return { known: 'accepted', providerId, ...receiptOf(meaning, reason) };
}

/** Undefined while the message is on its way. `given` is the reason as the provider writes it. */
export function receiptOf(
  meaning: StatusMeaning,
  given: string | undefined,
): { receipt: Receipt; reason?: string } | undefined {
  switch (meaning.kind) {
    case 'delivered':
    case 'read':
      return { receipt: meaning.kind };
    case 'failed':
      return { receipt: 'failed', reason: meaning.reason ?? displayReason(given) ?? FAILED };
    default:
      return undefined;
  }
}

/** Undefined when the answer has no balance. */
export function readBalance(
  answer: ProviderAnswer,
  { document: format, amount, currency }: BalanceDescription['answer'],
): string | undefined {
  if (answer.kind !== 'answer' || !isSuccess(answer.status)) return undefined;
  const balance = openDocument(format, answer.text)?.find(amount);
  return balanceText({ balance, currency });
}
