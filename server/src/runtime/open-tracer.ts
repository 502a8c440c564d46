/**
 * Makes spans and sends them to a collector. Written here because we use a tenth of the packages of
 * OpenTelemetry: they are seven, patch nothing that we run, and our spans are opened by hand anyway.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createSpanExport, type EndedSpan } from './span-export.ts';
import type { SpanKind, SpanStart, Tracer, TracingSettings } from './tracer.ts';

/** The place of a span in its trace. `isKept` is decided once for a trace. */
type Place = { traceId: string; spanId: string; isKept: boolean };

export function openTracer(
  settings: TracingSettings & { version: string },
  log: Pick<Logger, 'warn'>,
): Tracer {
  const exported = createSpanExport(settings, log);
  const current = new AsyncLocalStorage<Place>();
  const placeBelow = (parent: Pick<Place, 'traceId'> | undefined): Place => {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    return { traceId, spanId: newSpanId(), isKept: isKept(traceId, settings.ratio) };
  };
  const end = (place: Place, span: Omit<EndedSpan, 'traceId' | 'spanId' | 'endedMs'>) => {
    if (!place.isKept) return;
    const { traceId, spanId } = place;
    exported.add({ ...span, traceId, spanId, endedMs: nowMs() });
  };

  return {
    async span(start, work, describe) {
      const parent = current.getStore();
      const place = placeBelow(parent);
      const span = { ...asStarted(start), parentId: parent?.spanId, startedMs: nowMs() };
      try {
        const result = await current.run(place, work);
        const attributes = { ...start.attributes, ...describe?.(result) };
        end(place, { ...span, attributes, hasFailed: false });
        return result;
      } catch (error) {
        end(place, { ...span, attributes: { ...start.attributes }, hasFailed: true });
        throw error;
      }
    },
    openRequest({ elapsedMs, traceparent }) {
      const caller = readTraceparent(traceparent);
      const place = placeBelow(caller);
      const startedMs = nowMs() - elapsedMs;
      return {
        enter: (work) => current.run(place, work),
        end: (answer) =>
          end(place, { ...answer, kind: 'server', parentId: caller?.spanId, startedMs }),
      };
    },
    close: () => exported.close(),
  };
}

function asStarted({ name, kind = 'internal' }: SpanStart): { name: string; kind: SpanKind } {
  return { name, kind };
}

/** By the monotonic clock, so that a span never ends before it began. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}

/**
 * Every service with the same ratio decides the same, because the end of a trace id is random. Whether
 * the caller keeps its trace decides nothing here: anybody may call, and would fill the collector.
 */
function isKept(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const ZEROS = /^0+$/;

/** The header of W3C Trace Context. A malformed one is ignored, as it demands. */
export function readTraceparent(
  header: string | undefined,
): Pick<Place, 'traceId' | 'spanId'> | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  if (header?.startsWith('00-') && header.length !== 55) return undefined;
  return { traceId, spanId };
}
