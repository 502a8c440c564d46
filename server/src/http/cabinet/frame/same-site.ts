import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../problem.ts';

/**
 * Only the cabinet's own pages may use a session. A change needs a header that no form and no image
 * can send; and whoever says where a request comes from must say that it comes from here.
 */
export function refuseForeign(request: FastifyRequest, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site, 'x-zhiber-cabinet': mark } = request.headers;
  const isChange = request.method !== 'GET' && request.method !== 'HEAD';
  const isOwnSite = site === undefined || site === 'same-origin' || (!isChange && site === 'none');
  const isOwnOrigin = origin === undefined || isOurs(origin, request, publicUrl);
  if ((isChange && mark !== '1') || !isOwnSite || !isOwnOrigin) {
    throw new Problem('foreign_request');
  }
}

/** A local start is reached by several names; the name it was reached by is ours as well. */
function isOurs(origin: string, request: FastifyRequest, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === request.headers.host;
}
