import Type, { type Static } from 'typebox';
import { ChannelName, Count, Instant, orNull } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** What a provider answered. `skipped`: it was given nothing, because it fails or is overloaded. */
export const PROVIDER_ANSWERS = [
  'accepted',
  'refused',
  'unavailable',
  'unknown',
  'skipped',
] as const;
const Answers = Type.Object({
  accepted: Count,
  refused: Count,
  unavailable: Count,
  unknown: Count,
  skipped: Count,
});

/** A provider as one node sees it. Every node has a circuit of its own. */
const NodeProvider = Type.Object({
  node: Type.String(),
  circuit: Type.Enum(['closed', 'open']),
  in_flight: Count,
  /** Whether it says that it can carry messages; null where it does not know without one. */
  is_up: orNull(Type.Boolean()),
  /** Why, in English; null as above. */
  detail: orNull(Type.String()),
  /** How long it takes to answer; null before the first answer and where it is not measured. */
  answer_ms_p99: orNull(Count),
});

export const DeskProvider = Type.Object({
  name: Type.String(),
  kind: Type.Enum(['messages', 'payments']),
  /** Null for payments. */
  channel: orNull(ChannelName),
  /** By the settings of at least one running node. */
  is_configured: Type.Boolean(),
  nodes: Type.Array(NodeProvider),
  /** Of messages; null for payments. */
  last_hour: orNull(Answers),
  last_day: orNull(Answers),
});
export type DeskProvider = Static<typeof DeskProvider>;

export const ADMIN_CHANNELS_ENDPOINTS = {
  channels: {
    method: 'GET',
    path: '/channels',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      /** No provider is configured: nothing leaves the machine. */
      is_sandbox: Type.Boolean(),
      /** The processes that run now. */
      nodes: Type.Array(
        Type.Object({
          name: Type.String(),
          version: Type.String(),
          /** Null in a node of the release before. */
          role: orNull(Type.Enum(['all', 'api', 'worker'])),
          started_at: Instant,
          seen_at: Instant,
        }),
      ),
      providers: Type.Array(DeskProvider),
    }),
  },
  /** What became of live messages, by channel: of the newest ones of each company. */
  channelQuality: {
    method: 'GET',
    path: '/channels/quality',
    policy: 'operator',
    query: Type.Object({ range: Type.Optional(Type.Enum(['1h', '24h'])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** No more than so many of each company are read. */
      messages_per_company_max: Count,
      channels: Type.Array(
        Type.Object({
          channel: ChannelName,
          messages: Count,
          confirmed: Count,
          failed: Count,
          confirm_ms_p95: orNull(Count),
          /** The most frequent first. */
          reasons: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
        }),
      ),
    }),
  },
  /** Asks a provider whether it would accept a message. Nothing is sent. */
  checkProvider: {
    method: 'POST',
    path: '/channels/:provider/check',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      /** `warning`: what could be checked works. `not_configured`: not at the node that was asked. */
      result: Type.Enum(['ok', 'warning', 'failed', 'timeout', 'not_configured']),
      /** In English, as `zhiber doctor` says it; with the balance where the provider tells it. */
      detail: orNull(Type.String()),
      /** The money left at the provider, as it writes it. */
      balance: orNull(Type.String()),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;
