/** The balance of an account for the operator; undefined when the answer has none. */
export function balanceText({ balance, currency }: Record<string, unknown>): string | undefined {
  const amount = typeof balance === 'number' ? String(balance) : balance;
  if (typeof amount !== 'string' || !/^-?\d{1,12}(\.\d{1,6})?$/.test(amount)) return undefined;
  const isCurrency = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
  return isCurrency ? `${amount} ${currency}` : amount;
}
