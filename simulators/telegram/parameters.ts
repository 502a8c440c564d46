import type { SimulatedCall } from '../frame/http-simulator.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** Both of Telegram's HTTP interfaces take parameters from the query, a form, or JSON. */
export function readParameters({ query, headers, body }: SimulatedCall): Parameters {
  return { ...Object.fromEntries(query), ...readBody(headers['content-type'] ?? '', body) };
}

function readBody(contentType: string, body: Buffer): Parameters {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(body.toString()));
  }
  if (!contentType.startsWith('application/json')) return {};
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}

/** Telegram calls nothing but HTTPS; on this machine there is none. */
export function isCallableUrl(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    /^(?:https:|http:\/\/(?:127\.0\.0\.1|localhost)[:/])/.test(value)
  );
}
