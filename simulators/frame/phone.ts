/** For providers that take a phone with or without its plus, and know it without. */
export function withoutPlus(phone: string): string {
  return phone.replace(/^\+/, '');
}
