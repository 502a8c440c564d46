/** For providers that accept a phone with or without a plus, and store it without. */
export function withoutPlus(phone: string): string {
  return phone.replace(/^\+/, '');
}
