import { PASSWORD_LENGTH_MIN } from '@zhiber/contract/cabinet/credentials.ts';

export const STRENGTHS = ['short', 'fair', 'good', 'strong'] as const;
export type Strength = (typeof STRENGTHS)[number];

const GOOD_LENGTH = 12;
const STRONG_LENGTH = 16;

/** By length only: composition rules make passwords worse, not better. */
export function passwordStrength(password: string): Strength {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) return 'short';
  if (length < GOOD_LENGTH) return 'fair';
  return length < STRONG_LENGTH ? 'good' : 'strong';
}
