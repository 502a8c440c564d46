import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config/config.ts';

/** A browser takes the prefixed name only from this very host, over https, for all its paths. */
export function cookieNameOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl?.startsWith('https:') ? '__Host-zhiber' : 'zhiber';
}

/** The token in a Cookie header, if its signature is ours; read as better-auth writes it. */
export function readToken(
  header: string | undefined,
  { name, key }: { name: string; key: string },
): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === name) return checkSigned(pair.slice(at + 1).trim(), key);
  }
  return undefined;
}

function checkSigned(written: string, key: string): string | undefined {
  const [token, signature] = decode(written).split('.');
  if (token === undefined || signature === undefined) return undefined;
  const given = Buffer.from(signature, 'base64');
  const expected = createHmac('sha256', key).update(token).digest();
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs ? token : undefined;
}

function decode(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return '';
  }
}
