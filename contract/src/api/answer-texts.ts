import { CHANNEL_TITLES, type Channel } from './channel.ts';

/** What a success is told with; always Russian. */
export const CODE_VERIFIED = 'Код подтверждён';
export const LINK_SHORTENED = 'Короткая ссылка готова';

export const SENT_TEXTS = {
  otp: (channel: Channel) => `Код отправлен через ${CHANNEL_TITLES[channel]}`,
  link: (channel: Channel) => `Ссылка отправлена через ${CHANNEL_TITLES[channel]}`,
  group: () => 'Сообщение отправлено в группу',
} as const satisfies Record<string, (channel: Channel) => string>;
