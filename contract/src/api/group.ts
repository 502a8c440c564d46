import Type, { type Static } from 'typebox';
import { GroupChannelChoice } from './channel-choice.ts';
import { GROUP_NAME_LENGTH_MAX, GROUP_TEXT_LENGTH_MAX } from './limits.ts';
import { sentFields, UrlInput } from './otp.ts';

/** A live post needs a company that has paid once; see `insufficient_tokens`. */
export const GroupSendRequest = Type.Object(
  {
    group: Type.String({
      minLength: 1,
      maxLength: GROUP_NAME_LENGTH_MAX,
      examples: ['Дежурные'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: GROUP_TEXT_LENGTH_MAX,
      examples: ['Новая заявка: :link'],
    }),
    channel: Type.Optional(GroupChannelChoice),
    link: Type.Optional(UrlInput),
  },
  { $id: 'GroupSendRequest' },
);
export type GroupSendRequest = Static<typeof GroupSendRequest>;

export const GroupSendAnswer = Type.Object(
  {
    ...sentFields,
    short_url: Type.Optional(Type.String({ format: 'uri' })),
    expires_in: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { $id: 'GroupSendAnswer' },
);
export type GroupSendAnswer = Static<typeof GroupSendAnswer>;
