import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import { printSnippet, type SnippetRequest } from '../../snippets/snippets.ts';

/** Placeholders for unknown values: phones may be masked, and long URLs are not stored. */
const SAMPLE_PHONE = '+77000000000';
const SAMPLE_URL = 'https://example.kz';

type Sent = Pick<
  MessageDetail,
  'kind' | 'phone' | 'purpose' | 'has_link' | 'body' | 'short_url' | 'route'
>;

/**
 * A curl command that sends the message again, with the key in an environment variable, and by a
 * channel when one is given. Undefined for a message that no API call sends.
 */
export function toCurl(message: Sent, apiUrl: string, channel?: Channel): string | undefined {
  if (message.kind === 'broadcast') return undefined;
  const [path, sent] = CALLS[message.kind](message);
  const body = channel === undefined ? sent : { ...sent, channel };
  return printSnippet('curl', { url: `${apiUrl}${path}`, body, key: undefined });
}

type Call = [path: string, body: SnippetRequest['body']];

const CALLS: Record<Exclude<Sent['kind'], 'broadcast'>, (message: Sent) => Call> = {
  otp: ({ purpose, has_link, ...message }) => [
    '/otp/send',
    {
      phone: phoneOrSample(message),
      ...(purpose !== null && { purpose }),
      ...(has_link && { link: linkOrSample(message) }),
    },
  ],
  link: (message) => [
    '/links/send',
    {
      phone: phoneOrSample(message),
      url: linkOrSample(message),
      channel: 'auto',
      ...(message.body !== null && { text: withPlaceholder(message.body, message.short_url) }),
    },
  ],
  group: (message) => [
    '/group/send',
    {
      group: message.phone,
      text: withPlaceholder(message.body ?? '', message.short_url),
      ...(message.has_link && { link: linkOrSample(message) }),
    },
  ],
};

function phoneOrSample({ phone }: Pick<Sent, 'phone'>): string {
  return isWholePhone(phone) ? phone : SAMPLE_PHONE;
}

/** False for a masked phone and for the name of a group. */
export function isWholePhone(phone: string): boolean {
  return /^\+\d+$/.test(phone);
}

function linkOrSample({ short_url: url }: Pick<Sent, 'short_url'>): string {
  return url ?? SAMPLE_URL;
}

/** Restores the original text: the short link becomes its placeholder again. */
function withPlaceholder(text: string, shortUrl: string | null): string {
  return shortUrl === null ? text : text.replaceAll(shortUrl, ':link');
}
