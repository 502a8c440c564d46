import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { CONTENT_KINDS, Key } from '@zhiber/contract/cabinet/keys.ts';
import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import type { RequestFields } from '../../snippets/request-body.ts';
import { SCENARIOS } from '../scenarios.ts';

type ContentKind = (typeof CONTENT_KINDS)[number];
export type Carries = Record<Channel, readonly ContentKind[]>;

/** The operations that have a form of their own; a code is verified in its own panel. */
export const SENDING = ['otpSend', 'linkSend', 'linkShorten', 'groupSend'] as const;
export type Sending = (typeof SENDING)[number];

/** The first scenario greets a newcomer: it delivers at once, and no limit applies to it. */
export const FIRST_FIELDS: RequestFields = {
  phone: SCENARIOS[0].phone,
  purpose: '',
  channel: 'auto',
  link: '',
  url: 'https://example.kz/order/42',
  text: '',
  alias: '',
  expiresIn: '',
  group: '',
  code: '',
};

/** What the request asks of a channel; a link that is only shortened asks for nothing. */
export function contentOf(
  operation: Operation,
  { link }: Pick<RequestFields, 'link'>,
): ContentKind | null {
  if (operation === 'otpSend') return link.trim() === '' ? 'code' : 'code_with_link';
  if (operation === 'linkSend') return 'text';
  return operation === 'groupSend' ? 'group' : null;
}

/** Of the key's channels, those that can carry it and those that `auto` passes by. */
export function sortChannels(
  key: Pick<Key, 'channels'>,
  carries: Carries,
  content: ContentKind,
): { able: Channel[]; unable: Channel[] } {
  const isAble = (channel: Channel) => carries[channel].includes(content);
  return {
    able: key.channels.filter(isAble),
    unable: key.channels.filter((channel) => !isAble(channel)),
  };
}

/** The scenario that a number stands for, however it is written. */
export function scenarioOf(phone: string): (typeof SCENARIOS)[number] | undefined {
  const digits = `+${phone.replace(/\D/g, '')}`;
  return SCENARIOS.find((scenario) => scenario.phone === digits);
}
