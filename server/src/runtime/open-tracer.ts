/**
 * Makes spans and sends them to a collector. Written here because we use a tenth of the packages of
 * OpenTelemetry: they are seven, patch nothing that we run, and our spans are opened by hand anyway.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createSpanExport, type EndedSpan } from './span-export.ts';
import type { Tracer, TracingSettings } from './tracer.ts';

/** The place of a span in its trace. */
type Place = { traceId: string; spanId: string };
/** What is decided at the beginning of a trace: nothing is recorded below it. */
const NOT_KEPT = 'not kept';

export function openTracer(
  settings: TracingSettings & { version: string },
  log: Pick<Logger, 'warn'>,
): Tracer {
  const exported = createSpanExport(settings, log);
  const current = new AsyncLocalStorage<Place | typeof NOT_KEPT>();
  const placeBelow = (parent: Place | undefined): Place | typeof NOT_KEPT => {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    if (!isKept(traceId, settings.ratio)) return NOT_KEPT;
    return { traceId, spanId: randomBytes(8).toString('hex') };
  };
  const end = (place: Place, span: Omit<EndedSpan, keyof Place | 'endedMs'>) => {
    exported.add({ ...span, ...place, endedMs: nowMs() });
  };

  return {
    async span(start, work, describe) {
      const parent = current.getStore();
      if (parent === NOT_KEPT) return await work();
      const place = placeBelow(parent);
      if (place === NOT_KEPT) return await current.run(place, work);
      const { name, kind = 'internal', attributes } = start;
      const span = { name, kind, parentId: parent?.spanId, startedMs: nowMs() };
      try {
        const result = await current.run(place, work);
        end(place, {
          ...span,
          attributes: { ...attributes, ...describe?.(result) },
          hasFailed: false,
        });
        return result;
      } catch (error) {
        end(place, { ...span, attributes: { ...attributes }, hasFailed: true });
        throw error;
      }
    },
    openRequest({ elapsedMs, traceparent }) {
      const caller = readTraceparent(traceparent);
      const place = placeBelow(caller);
      const startedMs = nowMs() - elapsedMs;
      return {
        enter: (work) => current.run(place, work),
        end(answer) {
          if (place === NOT_KEPT) return;
          end(place, { ...answer, kind: 'server', parentId: caller?.spanId, startedMs });
        },
      };
    },
    close: () => exported.close(),
  };
}

/** By the monotonic clock, so that a span never ends before it began. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
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
export function readTraceparent(header: string | undefined): Place | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  if (header?.startsWith('00-') && header.length !== 55) return undefined;
  return { traceId, spanId };
}
