import { isIP } from 'node:net';
import { WEBHOOK_PORTS } from '@zhiber/contract/api/events.ts';
import { isLocalHost } from '../config/local-host.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** What the installation allows as a target. */
export type WebhookReach = {
  /** In the sandbox: http and any port. */
  isSandbox: boolean;
  /** Loopback addresses, in a sandbox that is reachable from this machine alone. */
  allowsLoopback: boolean;
};

export type RefusedUrl = 'not_a_url' | 'not_https' | 'user_info' | 'port' | 'not_public';

/**
 * The parsed address of an endpoint, or why it is refused. The parsed form is stored: parsing decodes
 * every unusual spelling of an address (`0x7f.1`, `2130706433`). Names are not resolved here: what
 * counts is where they lead at the time of each call.
 */
export function readWebhookUrl(raw: string, reach: WebhookReach): URL | RefusedUrl {
  const url = URL.parse(raw.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return 'not_a_url';
  if (url.username !== '' || url.password !== '') return 'user_info';
  if (url.protocol !== 'https:' && !reach.isSandbox) return 'not_https';
  if (!reach.isSandbox && !(WEBHOOK_PORTS as readonly number[]).includes(portOf(url))) {
    return 'port';
  }
  if (!canBePublic(url, reach)) return 'not_public';
  url.hash = '';
  return url;
}

export function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
}

/** A host without the brackets that a URL puts around an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Whether a call may be made to an address: a literal one, or one that a name was resolved to. */
export function isReachable(address: string, { allowsLoopback }: WebhookReach): boolean {
  return isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));
}

function canBePublic(url: URL, reach: WebhookReach): boolean {
  const host = withoutBrackets(url.hostname).replace(/\.$/, '');
  if (isIP(host) !== 0) return isReachable(host, reach);
  if (isLocalHost(host)) return reach.allowsLoopback;
  // Names without a dot are of a local network, and these endings never lead to the internet.
  return host.includes('.') && !/\.(?:local|internal|intranet|lan|home|corp|arpa)$/.test(host);
}
