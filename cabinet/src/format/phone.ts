const KAZAKH = /^\+7([\d•*]{3})([\d•*]{3})([\d•*]{2})([\d•*]{2})$/;

/**
 * `+77011234567` as people read it, `+7 701 123-45-67`, masked ones as well. What is no phone, such
 * as the name of a group, stays as it is.
 */
export function formatPhone(phone: string): string {
  const parts = KAZAKH.exec(phone.replaceAll('*', '•'));
  if (parts === null) return phone;
  const [, operator, three, two, last] = parts;
  return `+7\u00a0${operator}\u00a0${three}-${two}-${last}`;
}
