import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { HOUR_MS } from '../almaty.ts';
import { listMessageProviders } from '../config/read-providers.ts';
import type { Context } from '../context.ts';
import { PAYMENT_PROVIDERS } from '../payments/payment.ts';
import { DeadlineExceeded, withDeadline } from '../runtime/deadline.ts';
import {
  type Answers,
  listNodes,
  type NodeState,
  type SeenProvider,
  sumAnswers,
} from './node-store.ts';
import {
  type ChannelQuality,
  type FailureReason,
  listFailureReasons,
  MESSAGES_PER_COMPANY_MAX,
  measureChannels,
} from './quality-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

export type WatchedProvider = {
  name: string;
  kind: 'messages' | 'payments';
  channel: Channel | null;
  isConfigured: boolean;
  nodes: (SeenProvider & { node: string })[];
  lastHour: Answers | null;
  lastDay: Answers | null;
};

const NONE: Answers = { accepted: 0, refused: 0, unavailable: 0, unknown: 0, skipped: 0 };

/** Every provider that there is a file for, as the running nodes see it. */
export async function readProviders({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<{ nodes: NodeState[]; providers: WatchedProvider[] }> {
  const nodes = await listNodes(db);
  const [lastHour, lastDay] = [await sumAnswers(db, 1), await sumAnswers(db, 24)];
  const answersOf = (rows: typeof lastDay, name: string) => {
    const { provider: _provider, ...answers } = rows.find((row) => row.provider === name) ?? {
      provider: name,
      ...NONE,
    };
    return answers;
  };
  const seenBy = (name: string) =>
    nodes.flatMap(({ node, providers }) =>
      providers.filter((one) => one.name === name).map((one) => ({ ...one, node })),
    );
  const messages = listMessageProviders(config).map(({ name, channel }) => ({
    name,
    kind: 'messages' as const,
    channel,
    lastHour: answersOf(lastHour, name),
    lastDay: answersOf(lastDay, name),
  }));
  const payments = PAYMENT_PROVIDERS.map((name) => ({
    name,
    kind: 'payments' as const,
    channel: null,
    lastHour: null,
    lastDay: null,
  }));
  const providers = [...messages, ...payments].map((provider) => {
    const seen = seenBy(provider.name);
    return { ...provider, nodes: seen, isConfigured: seen.length > 0 };
  });
  return { nodes, providers };
}

export type QualityOfChannel = ChannelQuality & { reasons: Omit<FailureReason, 'channel'>[] };

/** What became of the newest live messages of each company, by channel. */
export async function readQuality(
  { db, clock }: Ctx,
  hours: number,
): Promise<{ messagesPerCompanyMax: number; channels: QualityOfChannel[] }> {
  const since = new Date(clock.now().getTime() - hours * HOUR_MS);
  const measured = await measureChannels(db, since);
  const reasons = await listFailureReasons(db, since);
  const channels = CHANNELS.map((channel) => ({
    ...(measured.find((one) => one.channel === channel) ?? {
      channel,
      messages: 0,
      confirmed: 0,
      failed: 0,
      confirmMsP95: null,
    }),
    reasons: reasons
      .filter((one) => one.channel === channel)
      .map(({ reason, count }) => ({ reason, count })),
  }));
  return { messagesPerCompanyMax: MESSAGES_PER_COMPANY_MAX, channels };
}

export type CheckedProvider = {
  result: 'ok' | 'warning' | 'failed' | 'timeout' | 'not_configured';
  detail: string | null;
  balance: string | null;
};

/** A person waits for it. */
const CHECK_LIMIT_MS = 8_000;

/**
 * Asks a provider of this node whether it would accept a message; nothing is sent. Undefined for a
 * name that no provider has.
 */
export async function checkProvider(
  { providers, config }: Pick<Context, 'providers' | 'config'>,
  name: string,
  limitMs = CHECK_LIMIT_MS,
): Promise<CheckedProvider | undefined> {
  if (!listMessageProviders(config).some((provider) => provider.name === name)) return undefined;
  const opened = providers.all.find((one) => one.name === name);
  if (opened === undefined) return { result: 'not_configured', detail: null, balance: null };
  try {
    const check = await withDeadline({ limitMs, graceMs: 500 }, (signal) => opened.check(signal));
    const result = check.ok ? (check.warning ? 'warning' : 'ok') : 'failed';
    return { result, detail: check.detail, balance: check.balance ?? null };
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { result: 'timeout', detail: null, balance: null };
  }
}
