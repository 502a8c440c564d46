const YEAR_SECONDS = 31_536_000;

/** A cookie, not localStorage: the server needs it too, and a page before its first paint. */
export function rememberChoice(name: 'lang' | 'theme' | 'shortcuts', value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, the sandbox has none.
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
}

export function readChoice(name: 'lang' | 'theme' | 'shortcuts'): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1];
}
