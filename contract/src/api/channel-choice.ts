import Type, { type Static } from 'typebox';

export const ChannelChoice = Type.Enum(['whatsapp', 'telegram', 'sms', 'auto']);
export type ChannelChoice = Static<typeof ChannelChoice>;

export const GroupChannelChoice = Type.Enum(['whatsapp', 'telegram', 'auto']);
export type GroupChannelChoice = Static<typeof GroupChannelChoice>;
