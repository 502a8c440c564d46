/** A shorter row of digits is a sum or a house, not a phone. People put signs between digits, and letters for them. */
const LONG_NUMBER = /\d(?:\D{0,3}\d){6,}/g;
const DIGITS_SHOWN = 4;

/** A cell for somebody who sees phones masked: of every long number the last digits are left. */
export function hideDigits(cell: string): string {
  return cell.replaceAll(LONG_NUMBER, (number) => {
    let digits = number.replaceAll(/\D/g, '').length;
    return number.replaceAll(/\d/g, (digit) => {
      digits -= 1;
      return digits < DIGITS_SHOWN ? digit : '*';
    });
  });
}
