import { Resolver } from 'node:dns/promises';
import { isLocalHost } from '../config/local-host.ts';
import type { Resolve } from './checked-connector.ts';

/** Within the time that a connection may take. */
const TIMEOUT_MS = 2_000;

const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks the name servers directly. `dns.lookup` would hold one of the four threads of the process for
 * as long as a name server stays silent, and the names are chosen by others: a handful of them would
 * hold up the names of the providers as well. Without `nameServers` those of the machine are asked.
 */
export function createResolver(nameServers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  return async (host) => {
    // This name is not asked of a server.
    if (isLocalHost(host)) return LOOPBACK;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
  };
}
