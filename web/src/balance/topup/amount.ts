import type { Answer } from '../../call.ts';

type Limits = Pick<Answer<'topupOptions'>, 'min' | 'max'>;

/** As long as the largest amount. */
const DIGITS_MAX = 9;

/** What people type or paste: spaces and the sign of the tenge are left out. */
export function digitsOf(typed: string): string {
  // Nobody tops up by a fraction of a tenge, and the zeros of a copied "5 000,00" are none.
  const whole = typed.replace(/[.,]\d{0,2}\s*₸?\s*$/, '');
  return whole.replaceAll(/\D/g, '').replace(/^0+/, '').slice(0, DIGITS_MAX);
}

export type AmountProblem = 'tooLittle' | 'tooMuch';

export function problemOf(amount: number, { min, max }: Limits): AmountProblem | undefined {
  if (amount < min) return 'tooLittle';
  return amount > max ? 'tooMuch' : undefined;
}

type Prices = Answer<'topupOptions'>['prices'];

/** About how many messages an amount pays for. */
export function messagesFor(amount: number, prices: Prices): { messengers: number; sms: number } {
  // A price can be 0; then there is no number to tell.
  const messenger = Math.max(1, Math.min(prices.whatsapp, prices.telegram));
  return {
    messengers: Math.floor(amount / messenger),
    sms: Math.floor(amount / Math.max(1, prices.sms)),
  };
}
