import Type, { type Static, type TSchema } from 'typebox';
import { CHANNELS } from './channel.ts';

/** Every kind of event that a company can subscribe to. None of them ever carries a code. */
export const EVENT_TYPES = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.fallback',
  'otp.verified',
  'link.clicked',
  'balance.low',
  'broadcast.finished',
  'test.ping',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * The states of a message as its company sees them. Receipts may come twice or out of order; none
 * moves a message back.
 */
export const MESSAGE_STATES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unconfirmed',
  'unknown',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/**
 * What an event says beside its type and its time. Fields are only ever added. A phone is masked
 * unless the endpoint asks for it in full; a post to a group has `group_id` in its place.
 */
const Phone = Type.String({ examples: ['+7701***4567'] });
const MessageId = Type.String({ format: 'uuid' });
const Channel = Type.Enum([...CHANNELS]);
const Cost = Type.Integer({ minimum: 0 });
const message = {
  message_id: MessageId,
  kind: Type.Enum(['otp', 'link', 'group', 'broadcast']),
  phone: Type.Optional(Phone),
  group_id: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Of a code. */
  purpose: Type.Optional(Type.String()),
  /** Of a broadcast. */
  broadcast_id: Type.Optional(Type.String({ format: 'uuid' })),
  /** Null when no channel was tried. */
  channel: Type.Union([Channel, Type.Null()]),
  /** Tokens charged so far. */
  cost: Cost,
  /** Sent with a test key: nothing left the service, and nothing was charged. */
  test: Type.Boolean(),
};

export const MessageEvent = Type.Object(
  {
    ...message,
    state: Type.Enum(['sent', 'delivered', 'read', 'failed']),
    /** Why it failed, as the channel says it. */
    reason: Type.Optional(Type.String()),
  },
  { $id: 'MessageEvent' },
);
export type MessageEvent = Static<typeof MessageEvent>;

/** Another channel has accepted the message, because the one before did not confirm it. */
export const FallbackEvent = Type.Object(
  { ...message, state: Type.Literal('sent'), from_channel: Channel },
  { $id: 'FallbackEvent' },
);

export const VerifiedEvent = Type.Object(
  { message_id: MessageId, phone: Phone, purpose: Type.String(), test: Type.Boolean() },
  { $id: 'VerifiedEvent' },
);

/** A person has opened a short link. Robots and previews are not told. */
export const ClickEvent = Type.Object(
  {
    slug: Type.String(),
    short_url: Type.String(),
    /** Only of a link that was sent. */
    message_id: Type.Optional(MessageId),
    phone: Type.Optional(Phone),
    test: Type.Boolean(),
  },
  { $id: 'ClickEvent' },
);

export const BalanceLowEvent = Type.Object(
  { balance: Type.Integer({ minimum: 0 }), threshold: Type.Integer({ minimum: 1 }) },
  { $id: 'BalanceLowEvent' },
);

export const BroadcastFinishedEvent = Type.Object(
  {
    broadcast_id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    state: Type.Enum(['done', 'cancelled']),
    recipients: Type.Integer({ minimum: 0 }),
  },
  { $id: 'BroadcastFinishedEvent' },
);

export const PingEvent = Type.Object({ text: Type.String() }, { $id: 'PingEvent' });

/** What each type of event says. */
export const EVENT_DATA = {
  'message.sent': MessageEvent,
  'message.delivered': MessageEvent,
  'message.read': MessageEvent,
  'message.failed': MessageEvent,
  'message.fallback': FallbackEvent,
  'otp.verified': VerifiedEvent,
  'link.clicked': ClickEvent,
  'balance.low': BalanceLowEvent,
  'broadcast.finished': BroadcastFinishedEvent,
  'test.ping': PingEvent,
} as const satisfies Record<EventType, TSchema>;
export type EventData<Of extends EventType> = Static<(typeof EVENT_DATA)[Of]>;

/** The body of a call, as it is signed and sent. */
export type WebhookEvent = { type: EventType; timestamp: string; data: object };

const EXAMPLE_TIME = '2026-11-02T09:30:00.000Z';
const exampleMessage = {
  message_id: '019a4320-1c5e-7d2a-9b1e-4f6c0a7d5e31',
  kind: 'otp',
  phone: '+7701***4567',
  purpose: 'login',
  channel: 'whatsapp',
  cost: 3,
  test: false,
} as const;

/** One of each type, for the documentation, the catalogue of the cabinet and the command line. */
export const EVENT_EXAMPLES = {
  'message.sent': { ...exampleMessage, state: 'sent' },
  'message.delivered': { ...exampleMessage, state: 'delivered' },
  'message.read': { ...exampleMessage, state: 'read' },
  'message.failed': { ...exampleMessage, cost: 0, state: 'failed', reason: 'not_on_channel' },
  'message.fallback': {
    ...exampleMessage,
    channel: 'sms',
    state: 'sent',
    from_channel: 'whatsapp',
  },
  'otp.verified': {
    message_id: exampleMessage.message_id,
    phone: exampleMessage.phone,
    purpose: exampleMessage.purpose,
    test: false,
  },
  'link.clicked': {
    slug: 'Kx7mPq2w',
    short_url: 'https://example.kz/s/Kx7mPq2w',
    message_id: exampleMessage.message_id,
    phone: exampleMessage.phone,
    test: false,
  },
  'balance.low': { balance: 940, threshold: 1000 },
  'broadcast.finished': {
    broadcast_id: '019a4321-7f3a-7c11-8e55-2b9d6f0c1a24',
    name: 'Скидки ноября',
    state: 'done',
    recipients: 9871,
  },
  'test.ping': { text: 'Zhiber' },
} as const satisfies { [Of in EventType]: EventData<Of> };

export function exampleOf(type: EventType): WebhookEvent {
  return { type, timestamp: EXAMPLE_TIME, data: EVENT_EXAMPLES[type] };
}

/** When a call is tried again: seconds after the try before. With the first there are eight tries. */
export const WEBHOOK_RETRY_SECONDS = [5, 30, 300, 1800, 7200, 28_800, 57_600] as const;
export const WEBHOOK_TRIES_MAX = WEBHOOK_RETRY_SECONDS.length + 1;
/** A call that takes longer has failed. */
export const WEBHOOK_TIMEOUT_SECONDS = 10;
/** `Retry-After` of 429 and 503 is followed up to this long. */
export const WEBHOOK_RETRY_AFTER_SECONDS_MAX = 24 * 3600;
/** An endpoint is switched off when nothing has succeeded for this long. */
export const WEBHOOK_FAILING_HOURS_MAX = 120;
/** After a rotation both secrets sign for this long. */
export const WEBHOOK_OVERLAP_HOURS = 24;
/** Events and their tries are kept, and can be sent again, for this long. */
export const WEBHOOK_LOG_DAYS = 14;
/** Without TLS, and to other ports, only in the sandbox. */
export const WEBHOOK_PORTS = [443, 8443] as const;
export const WEBHOOK_ENDPOINTS_MAX = 20;
