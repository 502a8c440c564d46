/** Texts of a provider that are stored and shown. */
const REASON_LENGTH_MAX = 200;

/** An id that a provider gave: 1 to 200 visible ASCII characters. */
export function isProviderId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value);
}

/** The provider's reason, cleaned and cut to what one line of the history can show. */
export function displayReason(reason: unknown): string | undefined {
  if (typeof reason !== 'string') return undefined;
  const shown = reason.replaceAll(/\p{C}+/gu, ' ').trim();
  return shown === '' ? undefined : [...shown].slice(0, REASON_LENGTH_MAX).join('');
}
