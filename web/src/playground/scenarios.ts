/**
 * The test numbers of the contract, in the order of the menu. Limits do not apply to them with a
 * test key, except for the one that shows a limit; that is why the first of them, and not an
 * ordinary number, greets a newcomer.
 */
export const SCENARIOS = [
  { id: 'delivered', phone: '+77000000000' },
  { id: 'notOnWhatsapp', phone: '+77000000001' },
  { id: 'silent', phone: '+77000000002' },
  { id: 'failedLater', phone: '+77000000003' },
  { id: 'allRefuse', phone: '+77000000004' },
  { id: 'noTokens', phone: '+77000000005' },
  { id: 'tooOften', phone: '+77000000006' },
  { id: 'hangs', phone: '+77000000007' },
  { id: 'expired', phone: '+77000000008' },
  { id: 'ordinary', phone: '+77011234567' },
] as const;

/** The four that have a button and a digit key. */
export const QUICK_SCENARIOS = [SCENARIOS[0], SCENARIOS[1], SCENARIOS[2], SCENARIOS[4]] as const;
