/**
 * All limits for customers, in one place. The validation, the SQL, the OpenAPI text and the
 * documentation read these numbers; none of them has its own copy.
 */

export const BODY_BYTES_MAX = 16 * 1024;
/** Deeper JSON than this is refused before any recursive code sees it. */
export const BODY_DEPTH_MAX = 8;

export const PURPOSE_LENGTH_MAX = 64;
export const URL_LENGTH_MAX = 2048;
export const ALIAS_LENGTH_MIN = 2;
export const ALIAS_LENGTH_MAX = 64;
export const LINK_TEXT_LENGTH_MAX = 500;
export const GROUP_TEXT_LENGTH_MAX = 4096;
export const GROUP_NAME_LENGTH_MAX = 128;
/** What a person may type as a code, separators included. */
export const CODE_INPUT_LENGTH_MAX = 32;

/** A longer brand leaves no room for the code in one SMS. */
export const BRAND_LENGTH_MAX = 40;

export const CODE_LENGTH_DEFAULT = 6;
export const CODE_LENGTH_MIN = 4;
export const CODE_LENGTH_MAX = 8;
export const CODE_TTL_SECONDS_DEFAULT = 300;
export const CODE_TTL_SECONDS_MIN = 60;
export const CODE_TTL_SECONDS_MAX = 900;

/** One accepted send per company and phone in this time, across keys, purposes and channels. */
export const SEND_INTERVAL_SECONDS = 60;
export const OTP_PER_HOUR_MAX = 10;
export const OTP_PER_DAY_MAX = 20;
export const LINKS_PER_HOUR_MAX = 30;
export const LINKS_PER_DAY_MAX = 100;
export const GROUP_PER_MINUTE_MAX = 20;

/**
 * How many codes and links a phone may get from other companies, within these seconds and within a
 * day, before those of this one are refused. A company's own never count, and those of one other
 * company count for at most two fifths of the limit, so that no single company blocks a phone for
 * the others.
 */
export const PHONE_OTHERS_SECONDS = 600;
export const PHONE_OTHERS_MAX = 5;
export const PHONE_OTHERS_PER_DAY_MAX = 20;

/**
 * SMS pumping: codes requested for numbers of one operator that nobody means to verify. Judged are
 * a company's codes to one prefix within the window that have had time to be verified. SMS is
 * suspicious when there are enough of them, and the verified share is below the minimum even at the
 * upper end of what chance allows (Wilson's bound for this many deviations).
 */
export const PUMPING_WINDOW_MINUTES = 60;
export const PUMPING_GRACE_MINUTES = 2;
export const PUMPING_CODES_MIN = 30;
export const PUMPING_SHARE_MIN = 0.2;
export const PUMPING_DEVIATIONS = 1.96;
export const GUARD_DECISION_DAYS = 90;

/** Wrong guesses at one code; the next one is refused without being compared. */
export const WRONG_PER_CODE_MAX = 5;
/** Wrong guesses within an hour for one key, phone and purpose, whatever is resent. */
export const WRONG_PER_HOUR_MAX = 10;
/** Wrong guesses in a row, however slowly; after that, one an hour until one is right. */
export const WRONG_IN_ROW_MAX = 100;

export const LINK_TTL_SECONDS_MAX = 31_536_000;
/** Links in a message are valid for 30 days. */
export const SENT_LINK_TTL_SECONDS = 30 * 24 * 3600;
export const SLUG_LENGTH = 8;
/** Unknown short names that one IP address may open in a minute. */
export const UNKNOWN_SLUGS_PER_MINUTE_MAX = 30;

/**
 * Characters of one SMS and of each part of a longer one, in the GSM alphabet (plain) and in any
 * other (wide).
 */
export const SMS_PLAIN_SINGLE = 160;
export const SMS_PLAIN_PART = 153;
export const SMS_WIDE_SINGLE = 70;
export const SMS_WIDE_PART = 67;
export const SMS_SEGMENTS_MAX = 2;

export const FALLBACK_SECONDS_DEFAULT = 30;
export const FALLBACK_SECONDS_MIN = 15;
export const FALLBACK_SECONDS_MAX = 120;

/** How long one channel may take to answer, and all of them together. */
export const ATTEMPT_TIMEOUT_MS = 4_000;
export const DELIVERY_TIMEOUT_MS = 10_000;

export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
export const IDEMPOTENCY_HOURS = 24;
export const REQUEST_LOG_DAYS = 30;

export const INBOX_WAIT_SECONDS_MAX = 30;

/** The largest cap of a key, per day or per month, in tenge. */
export const KEY_CAP_MAX = 1_000_000_000;

/** A key may be made to expire so many days from now at most. */
export const KEY_EXPIRY_DAYS_MAX = 3_650;

/** How long before its end a key is shown as about to expire. */
export const KEY_EXPIRY_WARNING_DAYS = 7;

/** Hours for which a replaced secret of a key may stay valid. */
export const OVERLAP_HOURS = [0, 1, 24, 168] as const;
