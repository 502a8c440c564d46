import { isIP } from 'node:net';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { URL_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';

/**
 * Parses the target of a short link, or throws invalid_url. The parsed form is stored, never the
 * raw text: parsing removes line breaks, decodes unusual spellings of addresses and converts hosts
 * to punycode.
 */
export function readTarget(
  ctx: Pick<Context, 'channels' | 'urls'>,
  raw: string,
  field: 'url' | 'link' = 'url',
): string {
  const href = readHref(ctx, raw);
  if (href !== undefined) return href;
  throw new Problem('invalid_url', { errors: { [field]: [ERRORS.invalid_url.message] } });
}

function readHref(ctx: Pick<Context, 'channels' | 'urls'>, raw: string): string | undefined {
  if (raw.length > URL_LENGTH_MAX || !URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.username !== '' || url.password !== '') return undefined;
  if (url.href.length > URL_LENGTH_MAX || url.hostname === '') return undefined;
  if (isShortLink(url, ctx.urls.shortLinkBase)) return undefined;
  // Integrators test the sandbox with localhost. In production no phone could open such a link.
  if (!ctx.channels.isSandbox && isPrivateHost(url.hostname)) return undefined;
  return url.href;
}

/** A short link to a short link could form a redirect loop. */
function isShortLink(url: URL, shortLinkBase: string): boolean {
  const base = new URL(shortLinkBase);
  // A trailing dot names the same host.
  if (url.hostname.replace(/\.$/, '') !== base.hostname || url.port !== base.port) return false;
  const folder = base.pathname === '/' ? '/' : `${base.pathname}/`;
  return url.pathname.toLowerCase().startsWith(folder.toLowerCase());
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return (
    isIP(host) !== 0 ||
    !host.includes('.') ||
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example)$/.test(host)
  );
}
