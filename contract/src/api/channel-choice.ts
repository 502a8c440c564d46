import Type, { type Static } from 'typebox';

export const ChannelChoice = Type.Enum(['whatsapp', 'telegram', 'sms', 'auto'], {
  description: 'Канал доставки. `auto` — каналы ключа по порядку: сначала мессенджеры, затем SMS.',
});
export type ChannelChoice = Static<typeof ChannelChoice>;

export const GroupChannelChoice = Type.Enum(['whatsapp', 'telegram', 'auto'], {
  description: 'Мессенджер группы. `auto` — тот, в котором группа привязана.',
});
export type GroupChannelChoice = Static<typeof GroupChannelChoice>;
