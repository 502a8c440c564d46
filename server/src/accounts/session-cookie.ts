import type { Config } from '../config/config.ts';

/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Site = Pick<Config, 'publicUrl'>;

/** A session of the one opens nothing of the other, also for the same person. */
const COOKIES = {
  cabinet: { name: 'zhiber', sameSite: 'Lax' },
  desk: { name: 'zhiber-admin', sameSite: 'Strict' },
  /** An operator looks at the cabinet of a company. */
  view: { name: 'zhiber-view', sameSite: 'Strict' },
} as const;
export type CookieKind = keyof typeof COOKIES;

function isHttps({ publicUrl }: Site): boolean {
  return publicUrl?.startsWith('https:') ?? false;
}

/** A browser accepts the prefixed name only from this very host, over https, for all its paths. */
export function cookieNameOf(site: Site, kind: CookieKind = 'cabinet'): string {
  const { name } = COOKIES[kind];
  return isHttps(site) ? `__Host-${name}` : name;
}

/** The token of the session in a Cookie header. */
export function readSessionToken(
  site: Site,
  header: string | undefined,
  kind: CookieKind = 'cabinet',
): string | undefined {
  const name = cookieNameOf(site, kind);
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() !== name) continue;
    const token = pair.slice(at + 1).trim();
    // A malformed token does not reach the database.
    return TOKEN.test(token) ? token : undefined;
  }
  return undefined;
}

/** The Set-Cookie header of a session. Without a token it removes the cookie. */
export function sessionCookie(
  site: Site,
  { token = '', seconds }: { token?: string; seconds: number },
  kind: CookieKind = 'cabinet',
): string {
  const parts = [
    `${cookieNameOf(site, kind)}=${token}`,
    `Max-Age=${seconds}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${COOKIES[kind].sameSite}`,
  ];
  return (isHttps(site) ? [...parts, 'Secure'] : parts).join('; ');
}
