/** What the service does for one request, for OpenTelemetry. It is off unless a collector is set. */

export type TracingSettings = {
  /** The collector; `/v1/traces` is added. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** The share of traces that are kept, from 0 to 1. */
  ratio: number;
};

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `server` answers a request, `client` calls somebody, `internal` does neither. */
export type SpanKind = 'internal' | 'server' | 'client';

export type SpanStart = {
  /** One of a few dozen, like the attributes: never a phone, a code, a key or a text. */
  name: string;
  kind?: SpanKind;
  attributes?: Attributes;
};

export type Tracer = {
  /**
   * Runs work as a span below the one that runs it, or as a trace of its own. What `describe` makes of
   * the result is added to the span. A span whose work throws is marked as failed, without the reason.
   */
  span<T>(
    start: SpanStart,
    work: () => Promise<T>,
    describe?: (result: T) => Attributes,
  ): Promise<T>;
  /** The span of a request, which began some time ago; with the trace of the caller, if it names one. */
  openRequest(request: { elapsedMs: number; traceparent: string | undefined }): RequestSpan;
  /** Sends what is left. */
  close(): Promise<void>;
};

export type RequestSpan = {
  /** Runs work, and all that it starts, below the request. */
  enter(work: () => void): void;
  end(answer: { name: string; attributes: Attributes; hasFailed: boolean }): void;
};

/** Runs work as a span where the service is traced, and just runs it elsewhere. */
export function traced<T>(
  tracer: Tracer | undefined,
  start: SpanStart,
  work: () => Promise<T>,
  describe?: (result: T) => Attributes,
): Promise<T> {
  return tracer === undefined ? work() : tracer.span(start, work, describe);
}
