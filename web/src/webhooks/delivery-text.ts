import type { WebhookTry } from '@zhiber/contract/cabinet/webhooks.ts';
import { shellQuoted } from '../snippets/snippets.ts';

/** The request as it was sent: its headers, an empty line, its body. */
export function requestText(url: string, { request }: Pick<WebhookTry, 'request'>): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...headers, '', request.body].join('\n');
}

/**
 * The same request for a terminal. Its signature is the original one, so a receiver that checks the
 * timestamp refuses it some minutes later.
 */
export function curlOf(url: string, { request }: Pick<WebhookTry, 'request'>): string {
  return [
    `curl ${shellQuoted(url)}`,
    ...Object.entries(request.headers).map(
      ([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`,
    ),
    `--data-raw ${shellQuoted(request.body)}`,
  ].join(' \\\n  ');
}
