const FIRST_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const SECOND_WEIGHTS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2];

/**
 * Whether twelve digits can be a БИН or an ИИН: the last one is a checksum of the others. When the
 * first weights give ten, the second ones decide; ten again is never valid.
 */
export function isBusinessId(text: string): boolean {
  if (!/^[0-9]{12}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = (weights: readonly number[]) =>
    weights.reduce((total, weight, i) => total + weight * (digits[i] as number), 0) % 11;
  const first = sum(FIRST_WEIGHTS);
  const checksum = first === 10 ? sum(SECOND_WEIGHTS) : first;
  return checksum === digits[11];
}
