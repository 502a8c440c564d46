const INSIDE = ['/app', '/invite'];

/**
 * Where to go after signing in. The address comes from the outside, so only pages of the cabinet
 * count: a link to our entrance must not lead to somebody else's site.
 */
export function placeAfterSignIn(asked: string | undefined, origin: string): string {
  if (asked === undefined || !URL.canParse(asked, origin)) return '/app';
  const { origin: itsOrigin, pathname, search, hash } = new URL(asked, origin);
  const isInside = itsOrigin === origin && INSIDE.some((place) => pathname.startsWith(place));
  return isInside ? `${pathname}${search}${hash}` : '/app';
}
