/** Codes of six digits, all different from this one and from each other. */
export function wrongCode(code: string, index: number): string {
  return String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');
}
