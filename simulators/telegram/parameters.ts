import { type Json, readForm, readJson } from '../frame/read-body.ts';
import type { SimulatedCall } from '../frame/simulator.ts';

export type Parameters = Readonly<Json>;

/** Both of Telegram's HTTP interfaces take parameters from the query, a form, or JSON. */
export function readParameters({ query, headers, body }: SimulatedCall): Parameters {
  return { ...Object.fromEntries(query), ...readBody(headers['content-type'] ?? '', body) };
}

function readBody(contentType: string, body: Buffer): Parameters {
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    return readForm(body);
  }
  return contentType.startsWith('application/json') ? (readJson(body) ?? {}) : {};
}

/** Telegram calls HTTPS addresses only; HTTP is allowed for this machine. */
export function isCallableUrl(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    URL.canParse(value) &&
    /^(?:https:|http:\/\/(?:127\.0\.0\.1|localhost)[:/])/.test(value)
  );
}
