import type { Logger } from 'pino';
import type {
  AttemptRef,
  ChannelAdapter,
  Load,
  Outcome,
  OutgoingMessage,
  Receipt,
  Recipient,
  StatusQuestion,
} from './channel.ts';
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
  const carrying = (load: Load) => providers.filter((provider) => provider.carries.has(load));

  const walk = async (message: OutgoingMessage, signal: AbortSignal, ask: Ask) => {
    let outcome: Outcome = CANNOT;
    for (const provider of carrying(message.load)) {
      if (signal.aborted) break;
      if (!(await canReach(provider, message.to, message.load))) continue;
      outcome = await ask(provider, message, signal);
      if (outcome.result === 'accepted') return await keep(provider, message, outcome);
      if (outcome.result === 'unknown') return outcome;
    }
    return outcome;
  };

  const keep = async (provider: Provider, { ref }: OutgoingMessage, accepted: Accepted) => {
    const name = (id: string) => `${provider.name}:${id}`;
    const outcome = { ...accepted, providerId: name(accepted.providerId) };
    if (provider.receiptsBy !== 'id') return outcome;
    const ids = (accepted.partIds ?? [accepted.providerId]).map(name);
    // Without it the receipts find no message; that is no reason to take the acceptance back.
    const isOurs = await tools.remember(ref, ids).catch((error: unknown) => {
      tools.log.error({ err: error, message_id: ref.messageId }, 'a provider id was not kept');
      return true;
    });
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
    send: (message, signal) => walk(message, signal, (provider) => provider.send(message, signal)),
    ...(providers.some(isRecoverable) && {
      recover: (message: OutgoingMessage, signal: AbortSignal) => walk(message, signal, recoverAt),
    }),
    readStatus: (question, signal) => readStatus(providers, question, signal),
  };
}

type Accepted = Extract<Outcome, { result: 'accepted' }>;
type Ask = (provider: Provider, message: OutgoingMessage, signal: AbortSignal) => Promise<Outcome>;

function isRecoverable(provider: Provider): boolean {
  return provider.deduplicates || provider.tellsByRef;
}

async function canReach(provider: Provider, to: Recipient, load: Load): Promise<boolean> {
  return (await provider.canReach?.(to, load)) ?? true;
}

/**
 * Takes up a message that this provider may have or may not: only one that can tell, or knows a
 * repeat for what it is, can be asked again.
 */
async function recoverAt(
  provider: Provider,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<Outcome> {
  if (provider.tellsByRef && 'phone' in message.to && provider.readStatus !== undefined) {
    const { ref, isTest } = message;
    const question = { ref, isTest, to: message.to.phone, providerId: undefined, secondsAgo: 0 };
    const status = await provider.readStatus(question, signal);
    return await outcomeOf(status, () => provider.send(message, signal));
  }
  return provider.deduplicates ? await provider.send(message, signal) : INTERRUPTED;
}

async function outcomeOf(status: ProviderStatus, send: () => Promise<Outcome>): Promise<Outcome> {
  switch (status.known) {
    case 'accepted':
      return { result: 'accepted', providerId: status.providerId };
    case 'refused':
      return { result: 'refused', reason: status.reason };
    case 'nothing':
      return await send();
    case 'unclear':
      return INTERRUPTED;
  }
}

async function readStatus(
  providers: readonly Provider[],
  question: StatusQuestion,
  signal: AbortSignal,
): Promise<Receipt | undefined> {
  const [, name, id] = /^([^:]+):(.*)$/s.exec(question.providerId ?? '') ?? [];
  const provider = providers.find((candidate) => candidate.name === name);
  const status = await provider?.readStatus?.({ ...question, providerId: id }, signal);
  if (status?.known === 'refused') return 'failed';
  return status?.known === 'accepted' ? status.receipt : undefined;
}
