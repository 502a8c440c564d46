/** An address in the parts that people read: where it leads, and what stands behind that. */
export type AddressParts = { domain: string; rest: string };

/** The domain stays as a browser resolves it, so that nobody hides behind letters that look alike. */
export function splitAddress(url: string): AddressParts {
  if (!URL.canParse(url)) return { domain: url, rest: '' };
  const { host, pathname, search, hash } = new URL(url);
  const rest = `${pathname}${search}${hash}`;
  return { domain: host.replace(/^www\./, ''), rest: rest === '/' ? '' : rest };
}

/** A short address as it is said aloud, without the scheme. */
export function sayAddress(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
