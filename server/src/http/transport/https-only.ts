import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../../config/config.ts';

/**
 * A year of HTTPS alone, for browsers. Without `includeSubDomains`: whoever hosts this service may
 * have others under the same domain that speak plain HTTP.
 */
const STRICT_TRANSPORT = 'max-age=31536000';

/** The headers of every answer that keep browsers on HTTPS; none where the site is plain HTTP. */
export function httpsOnlyHeaders({
  publicUrl,
}: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> {
  const isHttps = publicUrl !== undefined && new URL(publicUrl).protocol === 'https:';
  return isHttps ? { 'strict-transport-security': STRICT_TRANSPORT } : {};
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Sets the headers before any handler runs, so that streams and refusals have them too. */
export function withHttpsOnly(config: Pick<Config, 'publicUrl'>, handle: Handler): Handler {
  const headers = Object.entries(httpsOnlyHeaders(config));
  if (headers.length === 0) return handle;
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    handle(request, response);
  };
}
