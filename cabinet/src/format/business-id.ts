const FIRST_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const SECOND_WEIGHTS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2];

/** What is wrong with a БИН or ИИН: too few digits, or a last digit that does not fit the others. */
export function businessIdFault(text: string): 'length' | 'checksum' | undefined {
  if (!/^\d{12}$/.test(text)) return 'length';
  const digits = [...text].map(Number);
  return checkDigit(digits) === digits[11] ? undefined : 'checksum';
}

/** The second weights come in where the first ones give ten; ten again belongs to no number. */
function checkDigit(digits: number[]): number {
  const first = remainder(digits, FIRST_WEIGHTS);
  return first === 10 ? remainder(digits, SECOND_WEIGHTS) : first;
}

function remainder(digits: number[], weights: number[]): number {
  const sum = weights.reduce((total, weight, place) => total + weight * (digits[place] ?? 0), 0);
  return sum % 11;
}
