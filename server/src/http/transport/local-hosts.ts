import type { Config } from '../../config/config.ts';
import { isLocalHost } from '../../config/local-host.ts';

/**
 * Whether a Host header may be answered. A sandbox of this machine hands out keys without a sign-in,
 * so it answers to local names alone: a page of another site, whose name was made to resolve to this
 * machine, must not read them.
 */
export function createHostCheck({
  mode,
  isSandboxPublic,
  shortLinkBase,
}: Pick<Config, 'mode' | 'isSandboxPublic' | 'shortLinkBase'>): (host: string) => boolean {
  if (mode === 'live' || isSandboxPublic) return () => true;
  const shortHost = shortLinkBase === undefined ? undefined : new URL(shortLinkBase).hostname;
  return (host) => {
    const hostname = URL.parse(`http://${host}`)?.hostname;
    return hostname !== undefined && (isLocalHost(hostname) || hostname === shortHost);
  };
}
