import Type, { type Static } from 'typebox';
import {
  ChannelName,
  Id,
  Instant,
  InstantInput,
  Language,
  Mode,
  orNull,
  Tokens,
} from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** A search reads the messages of all companies. */
export const SEARCH_DAYS_MAX = 31;

export const StoryStep = Type.Object({
  at: Instant,
  company: Type.Object({ id: Id, name: Type.String() }),
  kind: Type.String(),
  /** In the language that was asked for, with the raw reason of the provider. */
  text: Type.String(),
  channel: orNull(ChannelName),
  cost: orNull(Tokens),
  message_id: orNull(Type.String()),
  request_id: orNull(Type.String()),
  mode: Mode,
});
export type StoryStep = Static<typeof StoryStep>;

export const ADMIN_SEARCH_ENDPOINTS = {
  /**
   * Why a client got no code, over all companies. A body, because a phone in an address would stay
   * in logs. The search is recorded; codes are in no answer.
   */
  findStory: {
    method: 'POST',
    path: '/search',
    policy: 'operator',
    body: Type.Object({
      /** A phone, a message id or a request id. */
      search: Type.String({ minLength: 1, maxLength: 100 }),
      /** Today in Almaty, when absent. */
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
      language: Type.Optional(Language),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      by: Type.Enum(['phone', 'message', 'request']),
      verdict: Type.Enum([
        'nothing_sent',
        'refused',
        'not_confirmed',
        'not_delivered',
        'unknown',
        'sending',
        'arrived',
      ]),
      conclusion: Type.String(),
      steps: Type.Array(StoryStep),
      /** There was more than is shown. */
      is_cut: Type.Boolean(),
    }),
  },
} as const satisfies Record<string, AdminEndpoint>;
