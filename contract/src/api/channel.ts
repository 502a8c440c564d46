/** The channels to a phone, in the order in which `auto` tries them by default. */
export const CHANNELS = ['whatsapp', 'telegram', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Only messengers have groups. */
export const GROUP_CHANNELS = ['whatsapp', 'telegram'] as const;
export type GroupChannel = (typeof GROUP_CHANNELS)[number];

/** The name of a channel as people read it. */
export const CHANNEL_TITLES = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  sms: 'SMS',
} as const satisfies Record<Channel, string>;
