import type { TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { GroupSendAnswer, GroupSendRequest } from './group.ts';
import { HealthAnswer } from './health.ts';
import { LinkSendAnswer, LinkSendRequest, LinkShortenAnswer, LinkShortenRequest } from './links.ts';
import { OtpSendAnswer, OtpSendRequest, OtpVerifyAnswer, OtpVerifyRequest } from './otp.ts';

/**
 * The endpoints of the API as data. The routes, the OpenAPI description and the tests are made from
 * it.
 */
export type Endpoint = {
  path: string;
  methods: readonly ('GET' | 'HEAD' | 'POST')[];
  /** What generated clients call the operation; other methods of the path add their name. */
  operationId: string;
  body?: TSchema;
  answer: TSchema;
  /** Codes this endpoint can answer with, beyond those that every endpoint of its scope shares. */
  errors: readonly ErrorCode[];
  /** Errors that are the answer to a repeat too, because the call had an effect. */
  finalErrors: readonly ErrorCode[];
  needsKey: boolean;
};

/** Error codes of any path under /api. */
export const OPEN_ERRORS = [
  'not_found',
  'method_not_allowed',
  'host_not_allowed',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

/** How a key is refused, before the body is read. */
export const KEY_REFUSALS = [
  'invalid_api_key',
  'key_revoked',
  'company_suspended',
  'origin_required',
  'origin_not_allowed',
  'api_rate_limited',
] as const satisfies readonly ErrorCode[];

/** Further error codes of any endpoint that takes a key and a body. */
export const KEYED_ERRORS = [
  'missing_api_key',
  ...KEY_REFUSALS,
  'payload_too_large',
  'unsupported_media_type',
  'invalid_json',
  'validation_error',
  'request_in_progress',
  'idempotency_key_reused',
] as const satisfies readonly ErrorCode[];

const SENDING_ERRORS = [
  'channel_disabled',
  'channel_not_connected',
  'channel_unsuitable',
  'no_channel_available',
  'insufficient_tokens',
  'spend_cap_reached',
  'daily_limit_reached',
  'delivery_failed',
  'delivery_unconfirmed',
] as const satisfies readonly ErrorCode[];

/** A send that reached a channel has a final outcome, even a failure: a repeat must not resend. */
const FINAL_SEND_ERRORS = [
  'delivery_failed',
  'delivery_unconfirmed',
] as const satisfies readonly ErrorCode[];

export const ENDPOINTS = {
  otpSend: {
    path: '/otp/send',
    methods: ['POST'],
    operationId: 'sendCode',
    body: OtpSendRequest,
    answer: OtpSendAnswer,
    errors: [
      ...SENDING_ERRORS,
      'invalid_phone',
      'country_not_supported',
      'invalid_url',
      'blocked_by_fraud_guard',
      'send_rate_limited',
      'too_many_attempts',
    ],
    finalErrors: FINAL_SEND_ERRORS,
    needsKey: true,
  },
  otpVerify: {
    path: '/otp/verify',
    methods: ['POST'],
    operationId: 'verifyCode',
    body: OtpVerifyRequest,
    answer: OtpVerifyAnswer,
    errors: [
      'invalid_phone',
      'invalid_code',
      'code_expired',
      'code_already_used',
      'code_not_found',
      'too_many_attempts',
    ],
    // A wrong guess was counted; a repeat of the call must not count it again.
    finalErrors: ['invalid_code'],
    needsKey: true,
  },
  linkShorten: {
    path: '/links/shorten',
    methods: ['POST'],
    operationId: 'shortenLink',
    body: LinkShortenRequest,
    answer: LinkShortenAnswer,
    errors: ['invalid_url', 'alias_taken'],
    finalErrors: [],
    needsKey: true,
  },
  linkSend: {
    path: '/links/send',
    methods: ['POST'],
    operationId: 'sendLink',
    body: LinkSendRequest,
    answer: LinkSendAnswer,
    errors: [
      ...SENDING_ERRORS,
      'invalid_phone',
      'country_not_supported',
      'invalid_url',
      'text_too_long',
      'blocked_by_fraud_guard',
      'send_rate_limited',
    ],
    finalErrors: FINAL_SEND_ERRORS,
    needsKey: true,
  },
  groupSend: {
    path: '/group/send',
    methods: ['POST'],
    operationId: 'sendToGroup',
    body: GroupSendRequest,
    answer: GroupSendAnswer,
    errors: [...SENDING_ERRORS, 'invalid_url', 'group_not_found'],
    finalErrors: FINAL_SEND_ERRORS,
    needsKey: true,
  },
  health: {
    path: '/health',
    methods: ['GET', 'HEAD', 'POST'],
    operationId: 'checkHealth',
    answer: HealthAnswer,
    errors: [],
    finalErrors: [],
    needsKey: false,
  },
} as const satisfies Record<string, Endpoint>;

/** Every error code that an endpoint may answer with. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  return [...OPEN_ERRORS, ...(endpoint.needsKey ? KEYED_ERRORS : []), ...endpoint.errors];
}
