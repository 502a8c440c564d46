import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openTracer, readTraceparent } from './open-tracer.ts';

type Sent = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: object[];
  status?: { code: number };
};

async function openCollector(t: TestContext, status = 200) {
  const requests: { headers: NodeJS.Dict<string | string[]>; url: string | undefined }[] = [];
  const spans: Sent[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
    };
    requests.push({ headers: request.headers, url: request.url });
    spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    response.writeHead(status).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const warnings: object[] = [];
const log = { warn: (fields: object) => void warnings.push(fields) };
const openFor = (endpoint: string, ratio = 1) =>
  openTracer(
    { endpoint, ratio, headers: { 'x-token': 'one' }, serviceName: 'codes', version: '1' },
    log,
  );

test('work within work is a span below a span, and what runs beside it is not', async (t) => {
  const collector = await openCollector(t);
  const tracer = openFor(collector.url);
  const other = tracer.span({ name: 'other' }, async () => undefined);
  await tracer.span({ name: 'outer', kind: 'client', attributes: { parts: 2 } }, async () => {
    await Promise.all(
      ['first', 'second'].map((name) =>
        tracer.span(
          { name },
          async () => name,
          (result) => ({ result, left: undefined }),
        ),
      ),
    );
  });
  await other;
  await tracer.close();

  const find = (name: string) => collector.spans.find((span) => span.name === name) as Sent;
  const [outer, first, second] = [find('outer'), find('first'), find('second')];
  assert.deepEqual([first.traceId, second.traceId], [outer.traceId, outer.traceId]);
  assert.deepEqual([first.parentSpanId, second.parentSpanId], [outer.spanId, outer.spanId]);
  assert.notEqual(find('other').traceId, outer.traceId);
  assert.equal(outer.parentSpanId, undefined);
  assert.match(outer.traceId, /^[0-9a-f]{32}$/);
  assert.match(outer.spanId, /^[0-9a-f]{16}$/);
  assert.deepEqual([outer.kind, first.kind], [3, 1]);
  assert.deepEqual(outer.attributes, [{ key: 'parts', value: { intValue: '2' } }]);
  assert.deepEqual(first.attributes, [{ key: 'result', value: { stringValue: 'first' } }]);
  assert(BigInt(outer.startTimeUnixNano) <= BigInt(first.startTimeUnixNano));
  assert(BigInt(outer.endTimeUnixNano) >= BigInt(first.endTimeUnixNano));
  const now = BigInt(Date.now()) * 1_000_000n;
  const minute = 60_000_000_000n;
  assert(now - BigInt(outer.startTimeUnixNano) < minute);
  assert.equal(collector.requests[0]?.url, '/v1/traces');
  assert.equal(collector.requests[0]?.headers['x-token'], 'one');
});

test('work that throws is a failed span without the reason', async (t) => {
  const collector = await openCollector(t);
  const tracer = openFor(collector.url);
  const failing = tracer.span({ name: 'work' }, async () => {
    throw new Error('+77010000001');
  });
  await assert.rejects(failing, /77010000001/);
  await tracer.close();
  assert.deepEqual(collector.spans[0]?.status, { code: 2 });
  assert(!JSON.stringify(collector.spans).includes('77010000001'));
});

test('a request goes on the trace of its caller, and what it starts is below it', async (t) => {
  const collector = await openCollector(t);
  const tracer = openFor(collector.url);
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const request = tracer.openRequest({
    elapsedMs: 250,
    traceparent: `00-${traceId}-b7ad6b7169203331-00`,
  });
  let work: Promise<unknown> | undefined;
  request.enter(() => {
    work = tracer.span({ name: 'inner' }, async () => undefined);
  });
  await work;
  request.end({ name: 'POST /api/otp/send', attributes: {}, hasFailed: false });
  await tracer.close();
  const [inner, outer] = collector.spans as [Sent, Sent];
  assert.deepEqual([outer.traceId, inner.traceId], [traceId, traceId]);
  assert.equal(outer.parentSpanId, 'b7ad6b7169203331');
  assert.equal(inner.parentSpanId, outer.spanId);
  assert.equal(outer.kind, 2);
  const lasted = BigInt(outer.endTimeUnixNano) - BigInt(outer.startTimeUnixNano);
  assert(lasted >= 250_000_000n, String(lasted));
});

test('a traceparent that is not one is ignored', () => {
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  assert.deepEqual(readTraceparent(good), {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
  });
  // A later version may have more.
  assert.notEqual(readTraceparent(`cc${good.slice(2)}-what`), undefined);
  const bad = [
    undefined,
    '',
    `ff${good.slice(2)}`,
    `${good}-what`,
    good.toUpperCase(),
    good.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32)),
    good.replace('b7ad6b7169203331', '0'.repeat(16)),
    good.slice(0, -1),
    `${good}, ${good}`,
  ];
  for (const header of bad) assert.equal(readTraceparent(header), undefined, header);
});

test('a trace is kept or dropped as a whole, and every service decides the same', async (t) => {
  const collector = await openCollector(t);
  const none = openFor(collector.url, 0);
  await none.span({ name: 'dropped' }, async () => undefined);
  await none.close();
  assert.equal(collector.spans.length, 0);

  const half = openFor(collector.url, 0.5);
  const keep = (end: string) =>
    half
      .openRequest({
        elapsedMs: 0,
        traceparent: `00-${'a'.repeat(24)}${end}-b7ad6b7169203331-01`,
      })
      .end({ name: end, attributes: {}, hasFailed: false });
  for (const end of ['00000000', '7fffffff', '80000000', 'ffffffff']) keep(end);
  for (let i = 0; i < 40; i++) {
    await half.span({ name: 'outer' }, () => half.span({ name: 'inner' }, async () => undefined));
  }
  await half.close();
  const named = (name: string) => collector.spans.filter((span) => span.name === name);
  assert.deepEqual(
    collector.spans.map(({ name }) => name).filter((name) => /^[0-9a-f]{8}$/.test(name)),
    ['00000000', '7fffffff'],
  );
  assert.deepEqual(
    new Set(named('inner').map(({ traceId }) => traceId)),
    new Set(named('outer').map(({ traceId }) => traceId)),
  );
  assert(named('outer').length > 0 && named('outer').length < 40, 'one in 2^39 runs');
});

test('a collector that is away or refuses costs spans, and one warning a minute', async (t) => {
  const refusing = await openCollector(t, 401);
  for (const url of ['http://127.0.0.1:1', refusing.url]) {
    warnings.length = 0;
    const tracer = openFor(url);
    // More than are kept, so that some are dropped before they are sent.
    for (let i = 0; i < 6_000; i++) await tracer.span({ name: 'work' }, async () => undefined);
    await tracer.close();
    assert.equal(warnings.length, 1, url);
  }
});
