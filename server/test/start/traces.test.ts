/** A live server whose spans go to a collector: what they tell, and what they never do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { ask, createHome } from './serve-harness.ts';

const PHONE = '+77013334455';
const TARGET = 'https://example.com/orders/canary-4711';
const REQUEST_ID = 'request-of-77013334455';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER_ID = 'b7ad6b7169203331';
const SECRET = `whsec_${Buffer.alloc(32, 'canary').toString('base64')}`;

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Received = { body: string; headers: IncomingMessage['headers'] };

async function listen(answer: (received: Received) => object) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const one = { body: await text(request), headers: request.headers };
    received.push(one);
    response.end(JSON.stringify(answer(one)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const home = createHome();
after(() => home.remove());

test('a send is one trace from the request to the provider, and holds nothing of a person', async () => {
  const collector = await listen(() => ({}));
  let sent = 0;
  const gateway = await listen(() => ({ accepted: true, id: `out-${++sent}` }));
  const settings = {
    HTTP_SMS_URL: `${gateway.url}/canary-path`,
    HTTP_SMS_SECRET: SECRET,
    PUBLIC_URL: 'http://localhost:9',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_SERVICE_NAME: 'codes',
  };
  const server = await home.serve(settings);
  const make = async (...args: string[]) => {
    const { code, out, err } = await home.run([...args, '--json'], settings);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const { company_id: company } = await make('company', 'create', '--name', 'Canary LLP');
  await make('topup', '--company', String(company), '--amount', '5000');
  const { key } = await make('key', 'create', '--company', String(company), '--name', 'canary');
  const call = (path: string, body: object) =>
    ask(server.facts.port, {
      path,
      key,
      body,
      headers: {
        traceparent: `00-${TRACE_ID}-${CALLER_ID}-01`,
        tracestate: 'canary=1',
        'x-request-id': REQUEST_ID,
      },
    });
  assert.equal((await call('/otp/send', { phone: PHONE, channel: 'sms' })).status, 200);
  const message = JSON.parse(gateway.received.at(-1)?.body ?? '') as {
    data: { code: string; text: string };
  };
  const { code } = message.data;
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  assert.equal(
    (await call(`/otp/verify?to=${PHONE.slice(1)}`, { phone: PHONE, code: wrong })).status,
    422,
  );
  assert.equal((await call('/otp/verify', { phone: PHONE, code })).status, 200);
  const link = await call('/links/send', { phone: PHONE, url: TARGET, channel: 'sms' });
  assert.equal(link.status, 200);
  // What is left is sent before the process ends.
  assert.equal((await server.stop('SIGTERM')).code, 0);

  const spans = collector.received.flatMap(({ body }) =>
    (
      JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    ).resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)),
  );
  const told = (span: Span | undefined) =>
    Object.fromEntries(
      (span?.attributes ?? []).map((one) => [one.key, ...Object.values(one.value)]),
    );
  const request = spans.find(({ name }) => name === 'POST /api/otp/send') as Span;
  assert.deepEqual([request.traceId, request.parentSpanId], [TRACE_ID, CALLER_ID]);
  assert.deepEqual(told(request), {
    'http.request.method': 'POST',
    'http.route': '/api/otp/send',
    'http.response.status_code': '200',
  });
  const below = ({ spanId }: Span) => spans.filter((span) => span.parentSpanId === spanId);
  assert.deepEqual(
    below(request).map(({ name }) => name),
    ['reserve', 'send by sms', 'settle'],
  );
  const attempt = below(request).find(({ name }) => name === 'send by sms') as Span;
  const { 'zhiber.message_id': messageId, ...rest } = told(attempt);
  assert.match(String(messageId), /^[0-9a-f-]{36}$/);
  assert.deepEqual(rest, {
    'zhiber.channel': 'sms',
    'zhiber.attempt': '1',
    'zhiber.outcome': 'accepted',
  });
  const [provider] = below(attempt) as [Span];
  assert.deepEqual([provider.name, provider.kind], ['call http-sms', 3]);
  assert.deepEqual(told(provider), { 'zhiber.provider': 'http-sms', 'zhiber.outcome': 'accepted' });
  const refused = spans.filter(({ name }) => name === 'POST /api/otp/verify').map(told);
  assert.deepEqual(
    refused.map((span) => span['zhiber.error_code']),
    ['invalid_code', undefined],
  );

  const { headers } = collector.received[0] as Received;
  assert.equal(headers.authorization, 'Bearer of-the-collector');
  const all = collector.received.map(({ body }) => body).join();
  const canaries = [
    ...[PHONE.slice(1), PHONE.slice(-7), code, wrong, key, key.slice(-12)],
    ...[message.data.text, 'canary', 'Canary', REQUEST_ID, SECRET.slice(6)],
    String(link.body.short_url).split('/').at(-1) as string,
  ];
  for (const canary of canaries) assert(!all.includes(canary), canary);
  for (const { headers: seen } of gateway.received) {
    assert.equal(seen.traceparent, undefined, 'the trace of a caller is no business of a provider');
    assert.equal(seen.tracestate, undefined);
  }
});
