import type { WebhookTry } from '@zhiber/contract/cabinet/webhooks.ts';

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
    `curl ${quoted(url)}`,
    ...Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(request.body)}`,
  ].join(' \\\n  ');
}

/** Inside single quotes a shell reads nothing but the closing quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
