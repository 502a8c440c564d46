/** A code that differs from the given one, and from those of other indexes. */
export function wrongCode(code: string, index = 0): string {
  return String((Number(code) + 1 + index) % 10 ** code.length).padStart(code.length, '0');
}
