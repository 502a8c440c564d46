/**
 * Whether a text can be the name that an SMS comes from: 3 to 11 of the characters that every
 * operator takes. Digits alone would be a number.
 */
export function isSenderName(text: string): boolean {
  return /^[A-Za-z0-9 ._-]{3,11}$/.test(text) && /[A-Za-z]/.test(text) && text === text.trim();
}
