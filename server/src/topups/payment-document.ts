import { isId } from '../ids.ts';
import type { Payment } from './payment-store.ts';

/** The provider of payments that the operator enters. */
export const BY_TERMINAL = 'terminal';

/**
 * What the bank or the operator calls a payment. Undefined for one that was entered without a
 * reference: it has an id of our own, which says nothing to people.
 */
export function documentOf({
  provider,
  provider_payment_id: id,
}: Pick<Payment, 'provider' | 'provider_payment_id'>): string | undefined {
  return provider === BY_TERMINAL && isId(id) ? undefined : id;
}
