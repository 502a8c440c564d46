import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FullSettings } from './settings.ts';

/** One message centre, or one node of it. */
export type Place = {
  host: string;
  port: number;
  /** For people: `smsc.example:2775`. */
  text: string;
  /** Before the ids of this centre, because another one gives the same. */
  tag: string;
};

const TAG_DIGITS = 8;

/** The hosts of an account, in the order of the settings: `a.example,b.example:2776,[::1]:2775`. */
export function listPlaces(settings: Pick<FullSettings, 'host' | 'port' | 'systemId'>): Place[] {
  return settings.host.split(',').map((item) => {
    const { host, port } = readPlace(item.trim(), settings.port);
    const text = isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
    const tag = createHash('sha256').update(`${text} ${settings.systemId}`).digest('hex');
    return { host, port, text, tag: tag.slice(0, TAG_DIGITS) };
  });
}

function readPlace(text: string, usualPort: number): { host: string; port: number } {
  if (isIPv6(text)) return { host: text, port: usualPort };
  const [, inBrackets, name, port] = /^(?:\[(.+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return { host: inBrackets ?? name ?? text, port: port === undefined ? usualPort : Number(port) };
}
