/** The client of the Zhiber API. Everything that the package offers is exported here. */
import type { components } from './api-types.ts';
import { type CallOptions, type CallSettings, callApi } from './call-api.ts';
import {
  type CamelFields,
  toCamelFields,
  toSnakeFields,
  type UndefinedAllowed,
} from './field-names.ts';

export type { CallOptions } from './call-api.ts';
export {
  AuthenticationError,
  type ClientErrorCode,
  CodeError,
  ConnectionFailedError,
  DeliveryError,
  InsufficientTokensError,
  type KnownErrorCode,
  RateLimitError,
  UnavailableError,
  ValidationError,
  ZhiberError,
} from './errors.ts';
export { verifyWebhook, WebhookError, type WebhookEvent } from './verify-webhook.ts';

export const VERSION = '0.1.0';

type Schemas = components['schemas'];
type Request<Name extends keyof Schemas> = UndefinedAllowed<CamelFields<Schemas[Name]>>;
type Answer<Name extends keyof Schemas> = CamelFields<Schemas[Name]>;

export type SendCodeRequest = Request<'OtpSendRequest'>;
export type SentCode = Answer<'OtpSendAnswer'>;
export type VerifyCodeRequest = Request<'OtpVerifyRequest'>;
export type VerifiedCode = Answer<'OtpVerifyAnswer'>;
export type ShortenLinkRequest = Request<'LinkShortenRequest'>;
export type ShortLink = Answer<'LinkShortenAnswer'>;
export type SendLinkRequest = Request<'LinkSendRequest'>;
export type SentLink = Answer<'LinkSendAnswer'>;
export type SendToGroupRequest = Request<'GroupSendRequest'>;
export type SentToGroup = Answer<'GroupSendAnswer'>;
export type Health = Answer<'HealthAnswer'>;

export type ZhiberOptions = {
  /** `zk_live_…` or `zk_test_…`. It belongs on a server, never in a browser or an app. */
  apiKey: string;
  /** The root of the API, such as `https://zhiber.kz/api`. */
  baseUrl: string;
  /** For one attempt. The server itself may try channels for ten seconds. */
  timeoutMs?: number | undefined;
  /** For a whole call: its attempts and the waits between them. */
  deadlineMs?: number | undefined;
  /** How often a call is repeated when that is safe. */
  retriesMax?: number | undefined;
  /** A longer `Retry-After` is not waited for: it is in `retryAfter` of the error. */
  maxRetryWaitMs?: number | undefined;
  /** `https://your-domain`, for a key that is bound to a domain. */
  origin?: string | undefined;
  /** Another implementation, for a proxy or for tests. */
  fetch?: typeof fetch | undefined;
};

export class Zhiber {
  // Private to the runtime, so that a logged client does not show its key.
  readonly #settings: CallSettings;

  constructor(options: ZhiberOptions) {
    this.#settings = {
      apiKey: readHeaderValue('apiKey', options.apiKey),
      baseUrl: readBaseUrl(options.baseUrl),
      origin: options.origin === undefined ? undefined : readHeaderValue('origin', options.origin),
      timeoutMs: options.timeoutMs ?? 15_000,
      deadlineMs: options.deadlineMs ?? 30_000,
      retriesMax: options.retriesMax ?? 2,
      maxRetryWaitMs: options.maxRetryWaitMs ?? 10_000,
      fetch: options.fetch ?? fetch,
      userAgent: `zhiber-node/${VERSION}`,
    };
  }

  readonly otp = {
    /** Sends a code. The code itself is never in the answer. */
    send: (request: SendCodeRequest, options?: CallOptions) =>
      this.#post<SentCode>('/otp/send', request, options),
    /**
     * Resolves only when the code is right. Everything else rejects, a wrong code with `CodeError`:
     * a returned object would be true in every `if`, and let anybody in.
     */
    verify: (request: VerifyCodeRequest, options?: CallOptions) =>
      this.#post<VerifiedCode>('/otp/verify', request, options),
  };

  readonly links = {
    /** Shortens a link and sends nothing. */
    shorten: (request: ShortenLinkRequest, options?: CallOptions) =>
      this.#post<ShortLink>('/links/shorten', request, options),
    /** Shortens a link and sends it to a phone. */
    send: (request: SendLinkRequest, options?: CallOptions) =>
      this.#post<SentLink>('/links/send', request, options),
  };

  readonly groups = {
    /** Writes to a messenger group that the company has linked. */
    send: (request: SendToGroupRequest, options?: CallOptions) =>
      this.#post<SentToGroup>('/group/send', request, options),
  };

  /** Resolves when the service works, and rejects with `UnavailableError` when it does not. */
  async health(options?: Omit<CallOptions, 'idempotencyKey'>): Promise<Health> {
    const answer = await callApi(this.#settings, { method: 'GET', path: '/health' }, options);
    return toCamelFields(answer) as Health;
  }

  async #post<Result>(path: string, request: object, options?: CallOptions): Promise<Result> {
    const body = toSnakeFields(request as Record<string, unknown>);
    const answer = await callApi(this.#settings, { method: 'POST', path, body }, options);
    return toCamelFields(answer) as Result;
  }
}

function readHeaderValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`${name} must be a string of printable ASCII characters without spaces`);
}

function readBaseUrl(value: unknown): string {
  if (typeof value !== 'string' || !/^https?:\/\/[^/?#]+[^?#]*$/.test(value)) {
    throw new TypeError('baseUrl must be the http or https address of the API, such as …/api');
  }
  return value.replace(/\/+$/, '');
}
