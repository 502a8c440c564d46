import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Key, LOADS } from '@zhiber/contract/cabinet/keys.ts';
import type { Operation } from '@zhiber/contract/cabinet/playground.ts';
import type { RequestFields } from '../../../../server/src/http/pages/assets/client/request-body.ts';
import { SCENARIOS } from '../../../../server/src/http/pages/assets/client/scenarios.ts';

export type { RequestFields };

type Load = (typeof LOADS)[number];
type Carries = Record<Channel, readonly Load[]>;

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
export function loadOf(operation: Operation, { link }: Pick<RequestFields, 'link'>): Load | null {
  if (operation === 'otpSend') return link.trim() === '' ? 'code' : 'code_with_link';
  if (operation === 'linkSend') return 'text';
  return operation === 'groupSend' ? 'group' : null;
}

/** Of the key's channels, those that can carry it and those that `auto` passes by. */
export function sortChannels(
  key: Pick<Key, 'channels'>,
  carries: Carries,
  load: Load,
): { able: Channel[]; unable: Channel[] } {
  const isAble = (channel: Channel) => carries[channel].includes(load);
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
