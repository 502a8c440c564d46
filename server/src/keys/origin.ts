import { domainToASCII } from 'node:url';

/** Normalises a domain as its owner typed it; undefined when it is not a domain. */
export function readDomain(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase().replace(/\.$/, '');
  if (!/^[^\s/:@?#[\]]+$/.test(trimmed)) return undefined;
  const ascii = domainToASCII(trimmed);
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(ascii)) {
    return undefined;
  }
  return ascii.length <= 253 ? ascii : undefined;
}

export type OriginVerdict = 'allowed' | 'missing' | 'foreign';

/**
 * Whether a request with a bound key comes from its domain or a subdomain, on a label boundary, any
 * port. This protects against a key pasted into another site, not against a program, which can send
 * any header.
 */
export function checkOrigin(
  domain: string,
  headers: { origin?: string | undefined; referer?: string | undefined },
): OriginVerdict {
  const source = headers.origin ?? headers.referer;
  if (source === undefined || source === '') return 'missing';
  const host = hostOf(source);
  if (host === undefined) return 'foreign';
  return host === domain || host.endsWith(`.${domain}`) ? 'allowed' : 'foreign';
}

function hostOf(source: string): string | undefined {
  if (!URL.canParse(source)) return undefined;
  const url = new URL(source);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return url.hostname.replace(/\.$/, '');
}
