import Type, { type Static } from 'typebox';
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

/** The payload of a message event. The phone is masked. */
export const MessageEvent = Type.Object(
  {
    message_id: Type.String({ format: 'uuid' }),
    phone: Type.String({ examples: ['+7701***4567'] }),
    channel: Type.Enum([...CHANNELS]),
    state: Type.Enum([...MESSAGE_STATES]),
    cost: Type.Integer({ minimum: 0 }),
  },
  { $id: 'MessageEvent' },
);
export type MessageEvent = Static<typeof MessageEvent>;
