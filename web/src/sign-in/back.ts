const PATHS = ['/app', '/invite'];

/**
 * Where to go after signing in. The URL is untrusted, so only pages of the cabinet are allowed: the
 * sign-in page must not be an open redirect.
 */
export function safeReturnPath(back: string | undefined, origin: string): string {
  if (back === undefined || !URL.canParse(back, origin)) return '/app';
  const { origin: backOrigin, pathname, search, hash } = new URL(back, origin);
  const isAllowed = backOrigin === origin && PATHS.some((place) => isUnder(place, pathname));
  return isAllowed ? `${pathname}${search}${hash}` : '/app';
}

function isUnder(place: string, pathname: string): boolean {
  return pathname === place || pathname.startsWith(`${place}/`);
}
