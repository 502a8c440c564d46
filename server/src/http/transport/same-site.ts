import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/**
 * Only pages of this site may call: `Origin` and `Sec-Fetch-Site`, where a browser sends them, must
 * name it. A program sends neither.
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  // Somebody who types an address comes from no site.
  const isOwnSite =
    site === undefined || site === 'same-origin' || (!isChange(request) && site === 'none');
  const isOwnOrigin = origin === undefined || isSameOrigin(origin, request, publicUrl);
  if (!isOwnSite || !isOwnOrigin) throw new Problem('foreign_request');
}

/**
 * CSRF protection: only the own pages may use a session. A change needs a header that forms and
 * images cannot send.
 */
export function refuseForeignChange(
  request: FastifyRequest,
  publicUrl: string,
  header: string,
): void {
  refuseOtherSites(request, publicUrl);
  if (isChange(request) && request.headers[header] !== '1') throw new Problem('foreign_request');
}

export function isChange({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A local server is reached by several names, so the requested host is accepted as well. */
function isSameOrigin(origin: string, request: FastifyRequest, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}
