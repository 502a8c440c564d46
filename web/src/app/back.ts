/** Where a sign-in leads, and the pages that it may lead back to. */
type Places = { home: string; within: readonly string[] };
const CABINET: Places = { home: '/app', within: ['/app', '/invite'] };
export const DESK: Places = { home: '/admin', within: ['/admin'] };

/**
 * Where to go after signing in. The URL is untrusted, so only own pages are allowed: the sign-in page must
 * not be an open redirect.
 */
export function safeReturnPath(
  back: string | undefined,
  origin: string,
  { home, within }: Places = CABINET,
): string {
  if (back === undefined || !URL.canParse(back, origin)) return home;
  const { origin: backOrigin, pathname, search, hash } = new URL(back, origin);
  const isAllowed = backOrigin === origin && within.some((place) => isUnder(place, pathname));
  return isAllowed ? `${pathname}${search}${hash}` : home;
}

function isUnder(place: string, pathname: string): boolean {
  return pathname === place || pathname.startsWith(`${place}/`);
}
