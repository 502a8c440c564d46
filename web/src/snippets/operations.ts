import { type CodeForm, printSnippet, type SnippetRequest } from './snippets.ts';
import { printWebhookCheck } from './webhook-check.ts';

/** The test number that accepts everything and whose code is always 000000. */
export const EXAMPLE_PHONE = '+77000000000';

/** Example calls, which work as they are with a test key. */
export const SNIPPET_OPERATIONS = {
  otpSend: {
    path: '/otp/send',
    body: { phone: EXAMPLE_PHONE, purpose: 'login', channel: 'auto' },
  },
  otpVerify: {
    path: '/otp/verify',
    body: { phone: EXAMPLE_PHONE, code: '000000', purpose: 'login' },
  },
  linkShorten: { path: '/links/shorten', body: { url: 'https://example.kz/order/42' } },
  linkSend: {
    path: '/links/send',
    body: {
      phone: EXAMPLE_PHONE,
      url: 'https://example.kz/order/42',
      channel: 'auto',
      text: 'Ваш заказ готов: :link',
    },
  },
  groupSend: {
    path: '/group/send',
    body: { group: 'Дежурные', text: 'Новая заявка', channel: 'auto' },
  },
} as const satisfies Record<string, { path: string; body: SnippetRequest['body'] }>;

export type SnippetOperation = keyof typeof SNIPPET_OPERATIONS;

/** What a documentation page can ask for by name. */
export const SNIPPET_NAMES = [
  ...(Object.keys(SNIPPET_OPERATIONS) as SnippetOperation[]),
  'webhookCheck',
] as const;
export type SnippetName = (typeof SNIPPET_NAMES)[number];

export function isSnippetName(name: string): name is SnippetName {
  return (SNIPPET_NAMES as readonly string[]).includes(name);
}

/**
 * The code of a named example. `overrides` replace fields of its body; `null` leaves one out. The
 * second form of PHP differs from the first in calls alone.
 */
export function printNamed(
  form: CodeForm,
  name: SnippetName,
  options: {
    apiUrl: string;
    key?: string | undefined;
    overrides?: Readonly<Record<string, string | number | null>> | undefined;
  },
): string {
  if (name === 'webhookCheck') return printWebhookCheck(form);
  const { path, body } = SNIPPET_OPERATIONS[name];
  const fields = Object.entries<string | number | null>({ ...body, ...options.overrides });
  return printSnippet(form, {
    url: `${options.apiUrl}${path}`,
    body: Object.fromEntries(
      fields.filter((field): field is [string, string | number] => field[1] !== null),
    ),
    key: options.key,
  });
}
