import type { Config } from '../../config/config.ts';
import { isLocalHost } from '../../config/local-host.ts';
import { createShortHostCheck } from './short-host.ts';

/**
 * Whether a Host header may be answered. A sandbox of this machine hands out keys without a sign-in,
 * so it answers to local names alone: a page of another site, whose name was made to resolve to this
 * machine, must not read them.
 */
export function createHostCheck(config: Config): (host: string) => boolean {
  if (config.mode === 'live' || config.isSandboxPublic) return () => true;
  const isShortHost = createShortHostCheck(config);
  return (host) => {
    const hostname = URL.parse(`http://${host}`)?.hostname;
    return hostname !== undefined && (isLocalHost(hostname) || isShortHost(host));
  };
}
