/** The constants of broadcasts, apart from the schemas: pages load only these. */
export const BROADCAST_STATES = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'done',
  'cancelled',
] as const;
export type BroadcastState = (typeof BROADCAST_STATES)[number];

/** `quiet`, `money` and `channel` end by themselves; for the others a person decides. */
export const PAUSE_REASONS = [
  'person',
  'operator',
  'quiet',
  'money',
  'failures',
  'channel',
  'suspended',
  'late',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What becomes of a row of the file. Every row has exactly one, so they add up to the rows. */
export const ROW_VERDICTS = [
  'send',
  'duplicate',
  'invalid',
  'cannot_receive',
  'other_country',
  'unsubscribed',
  'no_consent',
] as const;
export type RowVerdict = (typeof ROW_VERDICTS)[number];

/** Why the text of a cell is no phone. */
export const PHONE_FAULTS = [
  'empty',
  'letters',
  'too_short',
  'too_long',
  'two_numbers',
  'ambiguous',
  'not_a_number',
] as const;
export type PhoneFault = (typeof PHONE_FAULTS)[number];

/**
 * Where a recipient of a started broadcast is. Every recipient is in exactly one, so they add up.
 * `sent`: a channel has it, and has not said more. `unknown`: a channel may have it; it is free and is
 * not sent again. `skipped`: unsubscribed since the check, or left out by a cancellation.
 */
export const RECIPIENT_OUTCOMES = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'skipped',
] as const;
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number];

export const SKIP_REASONS = ['unsubscribed', 'cancelled', 'text_too_long', 'no_channel'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** On what basis the company may write to these people. */
export const CONSENT_BASES = ['form', 'contract', 'request', 'other'] as const;

export const UNSUBSCRIBE_SOURCES = ['link', 'word', 'provider', 'company', 'operator'] as const;

export const RECIPIENT_FILE_BYTES_MAX = 32 * 1024 * 1024;
export const RECIPIENTS_MAX = 100_000;
export const COLUMNS_MAX = 50;
export const CELL_LENGTH_MAX = 500;
export const BROADCAST_TEXT_LENGTH_MAX = 1_000;
export const SPREAD_MINUTES_MAX = 7 * 24 * 60;
export const QUIET_FROM_DEFAULT = 21;
export const QUIET_TO_DEFAULT = 9;
/** A broadcast stops by itself when more than this share of its last so many messages fail. */
export const FAILURE_SHARE_MAX = 0.2;
export const FAILURE_WINDOW = 200;
/** From this many recipients on, starting asks the person to prove who they are. */
export const LARGE_BROADCAST = 1_000;
/** A schedule that was missed by more than this, in an outage or a restored backup, waits for a person. */
export const START_LATE_HOURS_MAX = 6;
