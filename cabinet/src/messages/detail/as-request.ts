import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import {
  printSnippet,
  type SnippetRequest,
} from '../../../../server/src/http/pages/assets/client/snippets.ts';

/** Stands where the page does not know a value: a phone is masked, a long address is not kept. */
const PHONE = '+77000000000';
const ADDRESS = 'https://example.kz';

type Sent = Pick<
  MessageDetail,
  'kind' | 'phone' | 'purpose' | 'has_link' | 'body' | 'short_url' | 'route'
>;

/** The call that sends such a message again, with the key in an environment variable. */
export function toCurl(message: Sent, apiUrl: string): string {
  const [path, body] = CALLS[message.kind](message);
  return printSnippet('curl', { url: `${apiUrl}${path}`, body, key: undefined });
}

type Call = [path: string, body: SnippetRequest['body']];

const CALLS: Record<Sent['kind'], (message: Sent) => Call> = {
  otp: ({ purpose, has_link, ...message }) => [
    '/otp/send',
    {
      phone: phoneOf(message),
      ...(purpose !== null && { purpose }),
      ...(has_link && { link: linkOf(message) }),
    },
  ],
  link: (message) => [
    '/links/send',
    {
      phone: phoneOf(message),
      url: linkOf(message),
      channel: 'auto',
      ...(message.body !== null && { text: withMark(message.body, message.short_url) }),
    },
  ],
  group: (message) => [
    '/group/send',
    {
      group: message.phone,
      text: withMark(message.body ?? '', message.short_url),
      ...(message.has_link && { link: linkOf(message) }),
    },
  ],
};

function phoneOf({ phone }: Pick<Sent, 'phone'>): string {
  return isWholePhone(phone) ? phone : PHONE;
}

/** Not a masked one, nor the name of a group. */
export function isWholePhone(phone: string): boolean {
  return /^\+\d+$/.test(phone);
}

function linkOf({ short_url: url }: Pick<Sent, 'short_url'>): string {
  return url ?? ADDRESS;
}

/** The text as it was given: where the short link stands now, the mark for it stood. */
function withMark(text: string, shortUrl: string | null): string {
  return shortUrl === null ? text : text.replaceAll(shortUrl, ':link');
}
