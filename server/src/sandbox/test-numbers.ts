import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Phone } from '../phone.ts';

/** The documented test numbers, by what they do. They work with test keys only. */
export type TestNumber =
  | 'fixed_code'
  | 'no_whatsapp'
  | 'whatsapp_silent'
  | 'failure_receipt'
  | 'all_refuse'
  | 'insufficient_tokens'
  | 'send_rate_limited'
  | 'hangs'
  | 'expired_code';

const TEST_NUMBERS: Readonly<Record<string, TestNumber>> = {
  '77000000000': 'fixed_code',
  '77000000001': 'no_whatsapp',
  '77000000002': 'whatsapp_silent',
  '77000000003': 'failure_receipt',
  '77000000004': 'all_refuse',
  '77000000005': 'insufficient_tokens',
  '77000000006': 'send_rate_limited',
  '77000000007': 'hangs',
  '77000000008': 'expired_code',
};

export function findTestNumber(phone: Phone, isTest: boolean): TestNumber | undefined {
  return isTest ? TEST_NUMBERS[phone] : undefined;
}

/** How a channel of the sandbox treats a message. */
export type Behaviour =
  | { does: 'refuse'; reason: string }
  | { does: 'hang' }
  | { does: 'accept'; confirms: boolean }
  | { does: 'accept_then_fail'; reason: string };

/** Interference switched on by hand, for every number and key. */
export type Switches = {
  noWhatsapp: boolean;
  noTelegram: boolean;
  offline: boolean;
  notMobile: boolean;
};

export const NO_INTERFERENCE: Switches = {
  noWhatsapp: false,
  noTelegram: false,
  offline: false,
  notMobile: false,
};

const notOn = (channel: string) => `Номера нет в ${channel}`;

export function behaviourOf(
  channel: Channel,
  number: TestNumber | undefined,
  switches: Switches,
): Behaviour {
  if (channel === 'whatsapp' && switches.noWhatsapp) {
    return { does: 'refuse', reason: notOn('WhatsApp') };
  }
  if (channel === 'telegram' && switches.noTelegram) {
    return { does: 'refuse', reason: notOn('Telegram') };
  }
  if (channel === 'sms' && switches.notMobile) {
    return { does: 'refuse', reason: 'Номер не мобильный' };
  }
  switch (number) {
    case 'no_whatsapp':
      if (channel === 'whatsapp') return { does: 'refuse', reason: notOn('WhatsApp') };
      break;
    case 'whatsapp_silent':
      if (channel === 'whatsapp') return { does: 'accept', confirms: false };
      break;
    case 'failure_receipt':
      return { does: 'accept_then_fail', reason: 'Сообщение не доставлено' };
    case 'all_refuse':
      return { does: 'refuse', reason: 'Канал отказал' };
    case 'hangs':
      if (channel === 'whatsapp') return { does: 'hang' };
      break;
    default:
      break;
  }
  return { does: 'accept', confirms: !switches.offline };
}
