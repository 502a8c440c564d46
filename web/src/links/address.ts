import { SCAN_MARK } from '@zhiber/contract/cabinet/scan-mark.ts';

/** The parts of a URL that people read: the domain and the rest. */
export type AddressParts = { domain: string; rest: string };

/** The domain stays in punycode, against homograph attacks with look-alike letters. */
export function splitAddress(url: string): AddressParts {
  if (!URL.canParse(url)) return { domain: url, rest: '' };
  const { host, pathname, search, hash } = new URL(url);
  const rest = `${pathname}${search}${hash}`;
  return { domain: host.replace(/^www\./, ''), rest: rest === '/' ? '' : rest };
}

/** A short URL without the scheme. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** What a QR code leads to: the same short link, with the mark of a scan. */
export function scanUrl(shortUrl: string): string {
  return `${shortUrl}?${SCAN_MARK}`;
}
