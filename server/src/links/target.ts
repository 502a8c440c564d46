import { isIP } from 'node:net';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import { URL_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { SHORT_LINK_FOLDER } from '../config/config.ts';
import { isLocalHost } from '../config/local-host.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';

/**
 * Parses the target of a short link, or throws invalid_url. The parsed form is stored, never the
 * raw text: parsing removes line breaks, decodes unusual spellings of addresses and converts hosts
 * to punycode.
 */
export async function readTarget(
  ctx: TargetContext,
  raw: string,
  field: 'url' | 'link' = 'url',
): Promise<string> {
  const href = parseTarget(ctx, raw);
  const isBarred = href !== undefined && (await ctx.barredHosts.includes(new URL(href).hostname));
  if (href !== undefined && !isBarred) return href;
  const reason = isBarred ? BARRED : ERRORS.invalid_url.message;
  throw new Problem('invalid_url', { errors: { [field]: [reason] } });
}

const BARRED = 'Ссылки на этот сайт запретил оператор сервиса';

export type TargetContext = Pick<Context, 'channels' | 'urls' | 'barredHosts'>;

/** What the address itself allows; `readTarget` also asks for the barred hosts. */
export function parseTarget(
  ctx: Pick<Context, 'channels' | 'urls'>,
  raw: string,
): string | undefined {
  if (raw.length > URL_LENGTH_MAX || !URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  if (!isWeb || url.username !== '' || url.password !== '') return undefined;
  if (url.href.length > URL_LENGTH_MAX || url.hostname === '') return undefined;
  if (isOwnLink(url, ctx.urls)) return undefined;
  // Integrators test the sandbox with localhost. In production no phone could open such a link.
  if (!ctx.channels.isSandbox && isPrivateHost(url.hostname)) return undefined;
  return url.href;
}

/**
 * A short link to a short link could form a redirect loop. The folder of the site counts, too: it
 * serves them when the short domain is taken away. The port and the scheme do not matter: a proxy in
 * front may have others.
 */
function isOwnLink(url: URL, { publicUrl, shortLinkBase }: Context['urls']): boolean {
  const base = new URL(shortLinkBase);
  const site = new URL(publicUrl);
  // A trailing dot names the same host.
  const hostname = url.hostname.replace(/\.$/, '');
  // One machine has many local names: localhost, 127.0.0.1, [::1].
  const isHost = (own: string) => hostname === own || (isLocalHost(hostname) && isLocalHost(own));
  const path = decodePath(url.pathname).toLowerCase();
  const isIn = (folder: string) => path.startsWith(`${folder.replace(/\/$/, '').toLowerCase()}/`);
  if (isHost(base.hostname) && isIn(base.pathname)) return true;
  return isHost(site.hostname) && isIn(`${site.pathname.replace(/\/$/, '')}${SHORT_LINK_FOLDER}`);
}

/** Servers decode a path before they choose a route: `/%73/a` is `/s/a`. */
function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replaceAll(/\/{2,}/g, '/');
  } catch {
    return pathname;
  }
}

function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return (
    isIP(host) !== 0 ||
    !host.includes('.') ||
    /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|invalid|example)$/.test(host)
  );
}
