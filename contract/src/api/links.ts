import Type, { type Static } from 'typebox';
import { ChannelChoice } from './channel-choice.ts';
import {
  ALIAS_LENGTH_MAX,
  ALIAS_LENGTH_MIN,
  LINK_TEXT_LENGTH_MAX,
  LINK_TTL_SECONDS_MAX,
} from './limits.ts';
import { PhoneInput, sentFields, UrlInput } from './otp.ts';

export const LinkShortenRequest = Type.Object(
  {
    url: UrlInput,
    alias: Type.Optional(
      Type.String({
        minLength: ALIAS_LENGTH_MIN,
        maxLength: ALIAS_LENGTH_MAX,
        pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$',
        examples: ['spring-sale'],
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LINK_TTL_SECONDS_MAX,
        examples: [86_400],
      }),
    ),
  },
  { $id: 'LinkShortenRequest' },
);
export type LinkShortenRequest = Static<typeof LinkShortenRequest>;

export const LinkShortenAnswer = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    short_url: Type.String({ format: 'uri' }),
    expires_in: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { $id: 'LinkShortenAnswer' },
);
export type LinkShortenAnswer = Static<typeof LinkShortenAnswer>;

export const LinkSendRequest = Type.Object(
  {
    phone: PhoneInput,
    url: UrlInput,
    channel: ChannelChoice,
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LINK_TEXT_LENGTH_MAX,
        examples: ['Ваш заказ готов: :link'],
      }),
    ),
  },
  { $id: 'LinkSendRequest' },
);
export type LinkSendRequest = Static<typeof LinkSendRequest>;

export const LinkSendAnswer = Type.Object(
  {
    ...sentFields,
    short_url: Type.String({ format: 'uri' }),
    expires_in: Type.Integer({ minimum: 0 }),
  },
  { $id: 'LinkSendAnswer' },
);
export type LinkSendAnswer = Static<typeof LinkSendAnswer>;
