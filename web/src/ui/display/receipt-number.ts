/** The number of a receipt as it stands on the paper. */
export function receiptNumber(number: number): string {
  return String(number).padStart(6, '0');
}
