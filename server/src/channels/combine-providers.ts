import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import type { Logger } from 'pino';
import type { Phone } from '../phone.ts';
import { type Tracer, traced } from '../runtime/tracer.ts';
import { bulkShareOf } from './bulk-room.ts';
import type {
  AcceptanceQuery,
  Accepted,
  AttemptRef,
  ChannelAdapter,
  ContentKind,
  KnownReceipt,
  Outcome,
  OutgoingMessage,
  Recipient,
  StatusQuery,
} from './channel.ts';
import { IN_FLIGHT_MAX } from './circuit-breaker.ts';
import { createDuplicateIdCheck } from './duplicate-id-check.ts';
import { refused, unknown } from './failed-outcome.ts';
import type { Provider, ProviderStatus } from './provider.ts';
import { qualifiedId } from './qualified-id.ts';
import type { AcceptedSms, SmsOrder, SmsRouting } from './sms/sms-routing.ts';

/** The ids that a provider gave to one attempt. */
export type ProviderIds = {
  ref: AttemptRef;
  providerIds: readonly string[];
  /** Only for a provider whose ids repeat. */
  phone?: Phone | undefined;
};

export type CombineTools = {
  log: Logger;
  /**
   * Stores the provider ids of an accepted attempt, for receipts that carry only those ids. False
   * when an id already belongs to another message. With a phone the newest message has it.
   */
  storeProviderIds(ids: ProviderIds): Promise<boolean>;
  /** Only for SMS: which of several providers is tried first. */
  smsRouting?: Pick<SmsRouting, 'order'> | undefined;
  tracer?: Tracer | undefined;
  /** Hears of every accepted SMS with more than one part, or not by the first provider as usual. */
  onSmsAccepted?(sms: AcceptedSms): void;
};

const CANNOT_DELIVER = refused('Канал не может доставить это сообщение');
const INTERRUPTED = unknown('Обработка прервана');

/**
 * Combines the providers of a channel into one adapter. The next provider is tried only after a
 * definite failure. An unknown outcome ends the attempt, because the message may be on its way.
 */
export function combineProviders(
  providers: readonly Provider[],
  tools: CombineTools,
): ChannelAdapter {
  const duplicateIds = createDuplicateIdCheck();
  const carried = createUnion(providers);
  const withTemplates = providers.filter(({ listTemplates }) => listTemplates !== undefined);
  const providersFor = (content: ContentKind) =>
    providers.filter((provider) => provider.carries.has(content));

  /** Only an SMS with a choice is routed; all else keeps the order of the settings. */
  const findOrder = async (candidates: readonly Provider[], { to }: OutgoingMessage) => {
    const isRouted = candidates.length > 1 && candidates[0]?.channel === 'sms';
    if (!isRouted || !('phone' in to)) return undefined;
    return await tools.smsRouting?.order(
      to.phone,
      candidates.map(({ name }) => name),
    );
  };

  const noteSms = (provider: Provider, message: OutgoingMessage, order: SmsOrder | undefined) => {
    if (provider.channel !== 'sms') return;
    const parts = countParts(message.text);
    const why = order?.names[0] === provider.name ? order.why : order && 'failover';
    // The usual way of a short text needs no record.
    if (parts === 1 && (why === undefined || why === 'order')) return;
    tools.onSmsAccepted?.({ ref: message.ref, parts, why, operator: order?.operator });
  };

  const sendInOrder = async (
    given: readonly Provider[],
    message: OutgoingMessage,
    signal: AbortSignal,
  ) => {
    const order = await findOrder(given, message);
    const candidates = order === undefined ? given : sortByName(given, order.names);
    let outcome: Outcome = CANNOT_DELIVER;
    for (const provider of candidates) {
      if (signal.aborted) break;
      // When the check fails, send anyway: the provider answers with a definite outcome itself.
      const isReachable = await canReach(provider, message.to, message.content).catch(() => true);
      if (!isReachable) continue;
      outcome = await traced(
        tools.tracer,
        {
          name: `call ${provider.name}`,
          kind: 'client',
          attributes: { 'zhiber.provider': provider.name },
        },
        () => provider.send(message, signal),
        ({ result }) => ({ 'zhiber.outcome': result }),
      );
      if (outcome.result === 'accepted') {
        noteSms(provider, message, order);
        return await register(provider, message, outcome);
      }
      if (outcome.result === 'unknown') return { ...outcome, provider: provider.name };
      if (outcome.result === 'refused' && outcome.isUnsubscribed) return outcome;
    }
    return outcome;
  };

  const recover = async (message: OutgoingMessage, signal: AbortSignal) => {
    const found = await searchProviders(providersFor(message.content), message, signal);
    if (found === 'unclear') return INTERRUPTED;
    if ('outcome' in found) return await register(found.provider, message, found.outcome);
    const { candidates, refusal } = found;
    return candidates.length > 0 ? await sendInOrder(candidates, message, signal) : refusal;
  };

  const findAccepted = async (query: AcceptanceQuery, signal: AbortSignal) => {
    for (const provider of providersFor(query.content)) {
      const status = await findStatusByRef(provider, query, signal);
      if (status?.known !== 'accepted') continue;
      const { providerId } = status;
      const outcome = await register(provider, query, { result: 'accepted', providerId });
      return outcome.result === 'accepted' ? outcome : undefined;
    }
    return undefined;
  };

  // When storing fails, receipts find no message, but the acceptance stands.
  const storeProviderIds = (ids: ProviderIds) =>
    tools.storeProviderIds(ids).catch((error: unknown) => {
      tools.log.error({ err: error, message_id: ids.ref.messageId }, 'provider id was not saved');
      return true;
    });

  const register = async (
    provider: Provider,
    { ref, to }: Pick<OutgoingMessage, 'ref' | 'to'>,
    accepted: Accepted,
  ) => {
    const qualify = (id: string) => qualifiedId(provider.name, id);
    const outcome: Accepted = {
      ...accepted,
      providerId: qualify(accepted.providerId),
      ...(provider.receiptKey === 'none' && { hasNoReceipts: true }),
    };
    const providerIds = (accepted.partIds ?? [accepted.providerId]).map(qualify);
    const phone = provider.idsRepeat && 'phone' in to ? to.phone : undefined;
    const isOurs =
      provider.receiptKey === 'id'
        ? await storeProviderIds({ ref, providerIds, phone })
        : duplicateIds.take(outcome.providerId, ref);
    if (isOurs) return outcome;
    tools.log.error({ provider: provider.name }, 'provider gave one id to two messages');
    return { result: 'unknown', reason: 'Провайдер ответил номером другого сообщения' } as const;
  };

  return {
    name: providers.map((provider) => provider.name).join(', '),
    get carries() {
      return carried();
    },
    bulkInFlightMax: providers.reduce(
      (sum, { inFlightMax }) => sum + bulkShareOf(inFlightMax ?? IN_FLIGHT_MAX),
      0,
    ),
    get ratePerSecond() {
      return sumOfRates(providersFor('broadcast'));
    },
    async canReach(to, content) {
      for (const provider of providersFor(content))
        if (await canReach(provider, to, content)) return true;
      return false;
    },
    send: (message, signal) => sendInOrder(providersFor(message.content), message, signal),
    ...(providers.some(({ canQueryByRef }) => canQueryByRef) && { findAccepted }),
    ...(providers.some(isRecoverable) && { recover }),
    readStatus: (query, signal) => readStatus(providers, query, signal),
    ...(withTemplates.length > 0 && {
      async listTemplates(signal) {
        const lists = withTemplates.map((provider) => provider.listTemplates?.(signal) ?? []);
        return (await Promise.all(lists)).flat();
      },
    }),
  };
}

function sortByName(providers: readonly Provider[], names: readonly string[]): Provider[] {
  return providers.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
}

/** What the providers carry together; made again only when one of them has changed. */
function createUnion(providers: readonly Provider[]): () => ReadonlySet<ContentKind> {
  let sets: readonly ReadonlySet<ContentKind>[] = [];
  let union: ReadonlySet<ContentKind> = new Set();
  return () => {
    const isSame =
      sets.length === providers.length && providers.every(({ carries }, i) => carries === sets[i]);
    if (isSame) return union;
    sets = providers.map(({ carries }) => carries);
    union = new Set(sets.flatMap((set) => [...set]));
    return union;
  };
}

function sumOfRates(providers: readonly Provider[]): number | undefined {
  let sum = 0;
  for (const { ratePerSecond } of providers) {
    if (ratePerSecond === undefined) return undefined;
    sum += ratePerSecond;
  }
  return sum === 0 ? undefined : sum;
}

function isRecoverable(provider: Provider): boolean {
  return provider.deduplicates || provider.canQueryByRef;
}

async function canReach(provider: Provider, to: Recipient, content: ContentKind): Promise<boolean> {
  return (await provider.canReach?.(to, content)) ?? true;
}

/** The provider that has a message, or those that may be sent it because none has. */
type Search =
  | { provider: Provider; outcome: Accepted }
  | { candidates: readonly Provider[]; refusal: Outcome }
  /** A provider may have it, and sending it again could deliver it twice. */
  | 'unclear';

/**
 * Looks for a message whose process died while a provider was handling it. Which provider is not
 * known, and one that refused it then might accept it now. So every provider that supports queries
 * by reference is asked before any is sent it. Of the others there may be at most one, and it has
 * to deduplicate.
 */
async function searchProviders(
  providers: readonly Provider[],
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Search> {
  const notQueryable: Provider[] = [];
  const candidates: Provider[] = [];
  let refusal = CANNOT_DELIVER;
  for (const provider of providers) {
    if (!(await canReach(provider, message.to, message.content))) continue;
    const status = await findStatusByRef(provider, message, signal);
    if (status === undefined) notQueryable.push(provider);
    else if (status.known === 'unclear') return 'unclear';
    else if (status.known === 'nothing') candidates.push(provider);
    else if (status.known === 'refused') refusal = { result: 'refused', reason: status.reason };
    else return { provider, outcome: { result: 'accepted', providerId: status.providerId } };
  }
  const [provider] = notQueryable;
  if (provider === undefined) return { candidates, refusal };
  if (notQueryable.length > 1 || !provider.deduplicates) return 'unclear';
  const outcome = await provider.send(message, signal);
  if (outcome.result === 'accepted') return { provider, outcome };
  // A provider that could not be reached now may have accepted it before.
  return outcome.result === 'refused' ? { candidates, refusal: outcome } : 'unclear';
}

/** Undefined when the provider cannot be queried by our reference. */
async function findStatusByRef(
  provider: Provider,
  { ref, isTest, to }: AcceptanceQuery,
  signal: AbortSignal,
): Promise<ProviderStatus | undefined> {
  if (!provider.canQueryByRef || !('phone' in to)) return undefined;
  const query = { ref, isTest, to: to.phone, providerId: undefined, secondsAgo: 0 };
  return await provider.readStatus?.(query, signal);
}

async function readStatus(
  providers: readonly Provider[],
  query: StatusQuery,
  signal: AbortSignal,
): Promise<KnownReceipt | undefined> {
  const [, name, id] = /^([^:]+):(.*)$/s.exec(query.providerId ?? '') ?? [];
  const provider = providers.find((candidate) => candidate.name === name);
  const providerId = id === '' ? undefined : id;
  const status = await provider?.readStatus?.({ ...query, providerId }, signal);
  if (status?.known === 'refused') return { receipt: 'failed', reason: status.reason };
  if (status?.known !== 'accepted' || status.receipt === undefined) return undefined;
  return { receipt: status.receipt, reason: status.reason };
}
