/** The words of lists and charts, without the schemas around them: pages load these alone. */
export const MESSAGE_KINDS = ['otp', 'link', 'group'] as const;

/** Days and hours of Almaty. */
export const RANGES = ['hour', 'today', 'yesterday', '7d', '30d'] as const;

/** Charts: hours for the first, days for the others. */
export const OVERVIEW_RANGES = ['24h', '7d', '30d'] as const;

export const STEP_KINDS = [
  'accepted',
  'attempt',
  'sent',
  'refused',
  'unavailable',
  'unknown',
  'delivered',
  'read',
  'failed',
  'unconfirmed',
  'fallback',
  'verified',
  'clicked',
] as const;
