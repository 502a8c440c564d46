const KAZAKH = /^\+7([\d•*]{3})([\d•*]{3})([\d•*]{2})([\d•*]{2})$/;

/**
 * Formats `+77011234567` as `+7 701 123-45-67`, masked numbers too. Anything else, such as the name
 * of a group, is returned unchanged.
 */
export function formatPhone(phone: string): string {
  const parts = KAZAKH.exec(phone.replaceAll('*', '•'));
  if (parts === null) return phone;
  const [, operator, three, two, last] = parts;
  return `+7\u00a0${operator}\u00a0${three}-${two}-${last}`;
}
