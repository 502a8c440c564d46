import type { Logger } from 'pino';
import type {
  AcceptanceQuestion,
  Accepted,
  AttemptRef,
  ChannelAdapter,
  KnownReceipt,
  Load,
  Outcome,
  OutgoingMessage,
  Recipient,
  StatusQuestion,
} from './channel.ts';
import { createGivenIds } from './given-ids.ts';
import type { Provider, ProviderStatus } from './provider.ts';
import { refused, unknown } from './verdict.ts';

export type InOrderTools = {
  log: Logger;
  /**
   * Remembers which attempt an accepted message belongs to, for receipts that name it by the
   * provider's id alone. False when that id belongs to another message already.
   */
  remember(ref: AttemptRef, providerIds: readonly string[]): Promise<boolean>;
};

const CANNOT = refused('Канал не может доставить это сообщение');
const INTERRUPTED = unknown('Обработка прервана');

/**
 * The providers of a channel as one: the next is asked when one has clearly not taken the message,
 * and only then. An unknown outcome ends it, because the message may be on its way.
 */
export function inOrder(providers: readonly Provider[], tools: InOrderTools): ChannelAdapter {
  const given = createGivenIds();
  const carrying = (load: Load) => providers.filter((provider) => provider.carries.has(load));

  const walk = async (own: readonly Provider[], message: OutgoingMessage, signal: AbortSignal) => {
    let outcome: Outcome = CANNOT;
    for (const provider of own) {
      if (signal.aborted) break;
      // Where that cannot be found out the provider says so itself, and for certain.
      const isReached = await canReach(provider, message.to, message.load).catch(() => true);
      if (!isReached) continue;
      outcome = await provider.send(message, signal);
      if (outcome.result === 'accepted') return await keep(provider, message, outcome);
      if (outcome.result === 'unknown') return outcome;
    }
    return outcome;
  };

  const recover = async (message: OutgoingMessage, signal: AbortSignal) => {
    const taker = await findTaker(carrying(message.load), message, signal);
    if (taker === 'unclear') return INTERRUPTED;
    if ('outcome' in taker) return await keep(taker.provider, message, taker.outcome);
    return taker.free.length > 0 ? await walk(taker.free, message, signal) : taker.refusal;
  };

  const findAccepted = async (question: AcceptanceQuestion, signal: AbortSignal) => {
    for (const provider of carrying(question.load)) {
      const status = await askFor(provider, question, signal);
      if (status?.known !== 'accepted') continue;
      const { providerId } = status;
      const outcome = await keep(provider, question, { result: 'accepted', providerId });
      return outcome.result === 'accepted' ? outcome : undefined;
    }
    return undefined;
  };

  // Without it the receipts find no message; that is no reason to take the acceptance back.
  const remember = (ref: AttemptRef, ids: readonly string[]) =>
    tools.remember(ref, ids).catch((error: unknown) => {
      tools.log.error({ err: error, message_id: ref.messageId }, 'a provider id was not kept');
      return true;
    });

  const keep = async (
    provider: Provider,
    { ref }: Pick<OutgoingMessage, 'ref'>,
    accepted: Accepted,
  ) => {
    const name = (id: string) => `${provider.name}:${id}`;
    const outcome = { ...accepted, providerId: name(accepted.providerId) };
    const ids = (accepted.partIds ?? [accepted.providerId]).map(name);
    const isOurs =
      provider.receiptsBy === 'id' ? await remember(ref, ids) : given.take(outcome.providerId, ref);
    if (isOurs) return outcome;
    tools.log.error({ provider: provider.name }, 'a provider gave one id to two messages');
    return { result: 'unknown', reason: 'Провайдер ответил номером другого сообщения' } as const;
  };

  return {
    name: providers.map((provider) => provider.name).join(', '),
    carries: new Set(providers.flatMap((provider) => [...provider.carries])),
    async canReach(to, load) {
      for (const provider of carrying(load)) if (await canReach(provider, to, load)) return true;
      return false;
    },
    send: (message, signal) => walk(carrying(message.load), message, signal),
    ...(providers.some(({ tellsByRef }) => tellsByRef) && { findAccepted }),
    ...(providers.some(isRecoverable) && { recover }),
    readStatus: (question, signal) => readStatus(providers, question, signal),
  };
}

function isRecoverable(provider: Provider): boolean {
  return provider.deduplicates || provider.tellsByRef;
}

async function canReach(provider: Provider, to: Recipient, load: Load): Promise<boolean> {
  return (await provider.canReach?.(to, load)) ?? true;
}

/** Who has a message, or who may be given it because nobody has. */
type Taker =
  | { provider: Provider; outcome: Accepted }
  | { free: readonly Provider[]; refusal: Outcome }
  /** Somebody may have it, and to send it would make two of it. */
  | 'unclear';

/**
 * Looks for a message whose process died while one of these had it, and nobody knows which: a first
 * one that had said no may say yes by now. So all that can tell are asked before anybody is sent it;
 * of the others there may be one at most, and it has to know a repeat for what it is.
 */
async function findTaker(
  providers: readonly Provider[],
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Taker> {
  const silent: Provider[] = [];
  const free: Provider[] = [];
  let refusal = CANNOT;
  for (const provider of providers) {
    if (!(await canReach(provider, message.to, message.load))) continue;
    const status = await askFor(provider, message, signal);
    if (status === undefined) silent.push(provider);
    else if (status.known === 'unclear') return 'unclear';
    else if (status.known === 'nothing') free.push(provider);
    else if (status.known === 'refused') refusal = { result: 'refused', reason: status.reason };
    else return { provider, outcome: { result: 'accepted', providerId: status.providerId } };
  }
  const [provider] = silent;
  if (provider === undefined) return { free, refusal };
  if (silent.length > 1 || !provider.deduplicates) return 'unclear';
  const outcome = await provider.send(message, signal);
  if (outcome.result === 'accepted') return { provider, outcome };
  // One that could not be reached may have it from before.
  return outcome.result === 'refused' ? { free, refusal: outcome } : 'unclear';
}

/** Undefined when it cannot be asked by our reference. */
async function askFor(
  provider: Provider,
  { ref, isTest, to }: AcceptanceQuestion,
  signal: AbortSignal,
): Promise<ProviderStatus | undefined> {
  if (!provider.tellsByRef || !('phone' in to)) return undefined;
  const question = { ref, isTest, to: to.phone, providerId: undefined, secondsAgo: 0 };
  return await provider.readStatus?.(question, signal);
}

async function readStatus(
  providers: readonly Provider[],
  question: StatusQuestion,
  signal: AbortSignal,
): Promise<KnownReceipt | undefined> {
  const [, name, id] = /^([^:]+):(.*)$/s.exec(question.providerId ?? '') ?? [];
  const provider = providers.find((candidate) => candidate.name === name);
  const status = await provider?.readStatus?.({ ...question, providerId: id }, signal);
  if (status?.known === 'refused') return { receipt: 'failed', reason: status.reason };
  if (status?.known !== 'accepted' || status.receipt === undefined) return undefined;
  return { receipt: status.receipt, reason: status.reason };
}
