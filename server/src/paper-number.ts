/** Receipts and acts have numbers of at least six digits. */
export function paperNumber(number: number): string {
  return String(number).padStart(6, '0');
}
