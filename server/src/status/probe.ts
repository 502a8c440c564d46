import http from 'node:http';
import https from 'node:https';

/** Longer than any answer of a healthy service, shorter than the patience of a person. */
const LIMIT_MS = 5_000;

/**
 * One request over a connection of its own, as a customer makes it. The status of the answer, or
 * undefined when there was none in time. Never throws.
 */
export function probe(
  address: string,
  { method = 'GET', host }: { method?: 'GET' | 'HEAD'; host?: string | undefined } = {},
  limitMs = LIMIT_MS,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { request } = address.startsWith('https:') ? https : http;
    const headers = { 'user-agent': 'zhiber-probe', ...(host !== undefined && { host }) };
    const sent = request(address, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    const limit = setTimeout(() => sent.destroy(), limitMs);
    sent.on('error', () => resolve(undefined));
    sent.on('close', () => {
      clearTimeout(limit);
      resolve(undefined);
    });
    sent.end();
  });
}
