/** The constants of lists and charts, apart from the schemas: pages load only these. */
export const MESSAGE_KINDS = ['otp', 'link', 'group', 'broadcast'] as const;

/** How far a message got on one channel. */
export const PATH_OUTCOMES = [
  'sending',
  'accepted',
  'delivered',
  'unconfirmed',
  'refused',
  'failed',
] as const;

/** In days and hours of Almaty. */
export const RANGES = ['hour', 'today', 'yesterday', '7d', '30d', 'month', 'last_month'] as const;

/** Ranges of charts: in hours for the first, in days for the others. */
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
