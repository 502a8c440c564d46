/** Sends spans to a collector in batches: OTLP over HTTP, in JSON. What it does not take is dropped. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Attributes, SpanKind, TracingSettings } from './tracer.ts';

export type EndedSpan = {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: SpanKind;
  startedMs: number;
  endedMs: number;
  attributes: Attributes;
  hasFailed: boolean;
};

const PAUSE_MS = 2_000;
const BATCH_MAX = 512;
/** While the collector is away, newer spans are dropped rather than kept in memory. */
const WAITING_MAX = 4_096;
const ANSWER_LIMIT_MS = 10_000;
/** A stop waits no longer for the last spans. */
const CLOSE_LIMIT_MS = 2_000;
const WARN_EVERY_MS = 60_000;

export function createSpanExport(
  settings: TracingSettings & { version: string },
  log: Pick<Logger, 'warn'>,
) {
  const url = `${settings.endpoint}/v1/traces`;
  let waiting: EndedSpan[] = [];
  let dropped = 0;
  let warnedMs = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;

  const send = async (spans: readonly EndedSpan[]) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...settings.headers },
        body: JSON.stringify(encodeSpans(spans, settings)),
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      await answer.body?.cancel();
      if (!answer.ok) warn(spans.length, `the collector answered ${answer.status}`);
    } catch (error) {
      warn(spans.length, (error as Error).message);
    }
  };
  const warn = (lost: number, reason: string) => {
    dropped += lost;
    const now = performance.now();
    if (now - warnedMs < WARN_EVERY_MS) return;
    warnedMs = now;
    log.warn({ reason, dropped }, 'spans were dropped');
    dropped = 0;
  };
  const sendWaiting = async () => {
    while (waiting.length > 0) await send(waiting.splice(0, BATCH_MAX));
  };
  const flush = (): Promise<void> => {
    sending ??= sendWaiting().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(flush, PAUSE_MS).unref();

  return {
    add(span: EndedSpan): void {
      if (waiting.length >= WAITING_MAX) {
        warn(1, 'more than the collector takes');
        return;
      }
      waiting.push(span);
      if (waiting.length >= BATCH_MAX) void flush();
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.race([flush(), pause(CLOSE_LIMIT_MS, undefined, { ref: false })]);
      waiting = [];
    },
  };
}

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;

/** As `ExportTraceServiceRequest` in JSON: ids in hexadecimal, 64-bit numbers as text. */
export function encodeSpans(
  spans: readonly EndedSpan[],
  { serviceName, version }: { serviceName: string; version: string },
): object {
  const resource = { 'service.name': serviceName, 'service.version': version };
  return {
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'zhiber', version }, spans: spans.map(encodeSpan) }],
      },
    ],
  };
}

function encodeSpan(span: EndedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanoseconds(span.startedMs),
    endTimeUnixNano: toNanoseconds(span.endedMs),
    attributes: encodeAttributes(span.attributes),
    ...(span.hasFailed && { status: { code: STATUS_ERROR } }),
  };
}

function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function encodeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  );
}

function encodeValue(value: string | number | boolean): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: value };
    case 'boolean':
      return { boolValue: value };
    default:
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
}
