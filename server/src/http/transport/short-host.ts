import type { IncomingMessage } from 'node:http';
import { type Config, localUrl } from '../../config/config.ts';
import { isLocalHost } from '../../config/local-host.ts';

/** Whether a Host header names the domain that serves short links and nothing else. */
export type IsShortHost = (host: string | undefined) => boolean;

type HostConfig = Pick<Config, 'host' | 'port' | 'publicUrl' | 'shortLinkBase'>;

/** Always false where short links have no domain of their own. */
export function createShortHostCheck(config: HostConfig): IsShortHost {
  const shortHost = findShortHost(config);
  if (shortHost === undefined) return () => false;
  return (host) => host !== undefined && plainHost(host) === shortHost;
}

/** Whether short links have a host that serves nothing else. */
export function hasShortHost(config: HostConfig): boolean {
  return findShortHost(config) !== undefined;
}

/** The host of short links, where it is another one than that of the site. */
function findShortHost(config: HostConfig): string | undefined {
  const { publicUrl, shortLinkBase } = config;
  if (shortLinkBase === undefined) return undefined;
  const short = new URL(shortLinkBase);
  // Without a public address the site has any name of this machine, and perhaps another port.
  if (publicUrl === undefined && isLocalHost(short.hostname)) return undefined;
  const site = new URL(publicUrl ?? localUrl(config.host, config.port));
  const shortHost = plainHost(short.host);
  return shortHost === plainHost(site.host) ? undefined : shortHost;
}

/**
 * A host in one spelling: in lower case and punycode, without the dot of a full name and without a
 * default port, whichever protocol it is the default of: a proxy may end the encryption.
 */
function plainHost(host: string): string | undefined {
  const url = URL.parse(`http://${host}`);
  if (url === null) return undefined;
  const name = url.hostname.replace(/\.$/, '');
  return url.port === '' || url.port === '443' ? name : `${name}:${url.port}`;
}

/** The constraint of a route of the short host. */
export const SHORT_HOST_ONLY = { site: 'short' } as const;

/**
 * Separates the routes of the short host from all others: a request to that host finds only routes
 * with `SHORT_HOST_ONLY`, and any other request finds none of them.
 */
export function shortHostConstraint(isShortHost: IsShortHost) {
  return {
    name: 'site',
    mustMatchWhenDerived: true,
    storage() {
      const routes = new Map<unknown, never>();
      return {
        get: (site: unknown) => routes.get(site) ?? null,
        set: (site: unknown, route: never) => void routes.set(site, route),
      };
    },
    // The router takes undefined for "any other host", but its types do not say so.
    deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>) =>
      (isShortHost(headers.host) ? SHORT_HOST_ONLY.site : undefined) as string,
  };
}
