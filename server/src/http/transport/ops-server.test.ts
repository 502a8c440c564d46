import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Registry } from 'prom-client';
import { createProviderMetrics } from '../../channels/provider-metrics.ts';
import { openOpsServer } from './ops-server.ts';

const UNBOUND = {
  isUp: false,
  detail: 'Not bound at smsc.example:2775: the password is wrong.',
  since: new Date('2026-11-01T00:00:00Z'),
};

async function open(t: TestContext) {
  const registry = new Registry();
  const metrics = createProviderMetrics(registry);
  const state = { isReady: true };
  const server = await openOpsServer({
    port: 0,
    host: '127.0.0.1',
    registry,
    readProviders: metrics.read,
    isReady: async () => state.isReady,
  });
  t.after(() => server.close());
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, body: await response.text() };
  };
  return { metrics, state, get };
}

test('/live answers while the process runs, /ready only while a send would work', async (t) => {
  const { state, get } = await open(t);
  const statuses = async () => [(await get('/live')).status, (await get('/ready')).status];
  assert.deepEqual(await statuses(), [200, 200]);
  state.isReady = false;
  assert.deepEqual(await statuses(), [200, 503]);
  state.isReady = true;
  assert.deepEqual(await statuses(), [200, 200]);
});

test('/ready names the providers that messages do not reach, and is no 503 for it', async (t) => {
  const { metrics, state, get } = await open(t);
  const resting = { circuit: 'closed', inFlight: 0 } as const;
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => resting);
  metrics.watch({ name: 'smpp', channel: 'sms' }, () => ({ ...resting, state: UNBOUND }));
  metrics.watch({ name: 'smpp-2', channel: 'sms' }, () => ({
    ...resting,
    state: { ...UNBOUND, isUp: true },
  }));
  metrics.watch({ name: 'mobizon', channel: 'sms' }, () => ({ ...resting, circuit: 'open' }));
  const notes =
    'smpp: down since 2026-11-01T00:00:00.000Z: Not bound at smsc.example:2775: the password is wrong.\n' +
    'mobizon: messages are kept away from it, it fails\n';
  const ready = await get('/ready');
  assert.deepEqual([ready.status, ready.body], [200, `ready\n${notes}`]);
  state.isReady = false;
  const unready = await get('/ready');
  assert.deepEqual(
    [unready.status, unready.body],
    [503, `a send or a verify would not work\n${notes}`],
  );
  const gauge = (await get('/metrics')).body.match(/^zhiber_provider_up.*$/gm);
  assert.deepEqual(gauge, [
    'zhiber_provider_up{provider="smpp"} 0',
    'zhiber_provider_up{provider="smpp-2"} 1',
  ]);
});

test('/providers lists the metrics of each provider as JSON', async (t) => {
  const { metrics, get } = await open(t);
  metrics.watch({ name: 'smpp', channel: 'sms' }, () => ({
    circuit: 'open',
    inFlight: 7,
    state: UNBOUND,
    receipts: { matched: 3, unmatched: 2, unusable: 1 },
  }));
  metrics.watch({ name: 'green-api', channel: 'whatsapp' }, () => ({
    circuit: 'closed',
    inFlight: 0,
  }));
  metrics.attempt('smpp', 'accepted', 0.25);
  metrics.attempt('smpp', 'unknown', 4);
  metrics.skip('smpp', 'open circuit');
  const { status, type, body } = await get('/providers');
  assert.deepEqual([status, type], [200, 'application/json; charset=utf-8']);
  assert.deepEqual(JSON.parse(body), {
    providers: [
      {
        name: 'smpp',
        channel: 'sms',
        circuit: 'open',
        in_flight: 7,
        state: {
          is_up: false,
          detail: 'Not bound at smsc.example:2775: the password is wrong.',
          since: '2026-11-01T00:00:00.000Z',
        },
        receipts: { matched: 3, unmatched: 2, unusable: 1 },
        attempts: { accepted: 1, refused: 0, unavailable: 0, unknown: 1 },
        skipped: { open_circuit: 1, too_many_at_once: 0 },
        latency_ms: { median: 250, p99: 4_000 },
      },
      {
        name: 'green-api',
        channel: 'whatsapp',
        circuit: 'closed',
        in_flight: 0,
        state: null,
        receipts: null,
        attempts: { accepted: 0, refused: 0, unavailable: 0, unknown: 0 },
        skipped: { open_circuit: 0, too_many_at_once: 0 },
        latency_ms: null,
      },
    ],
  });
});

test('/metrics is for Prometheus, and an unknown path lists the known ones', async (t) => {
  const { metrics, get } = await open(t);
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => ({ circuit: 'closed', inFlight: 0 }));
  metrics.attempt('smsc', 'refused', 0.1);
  const answer = await get('/metrics?x=1');
  assert.match(answer.type, /^text\/plain/);
  assert.match(
    answer.body,
    /^zhiber_provider_attempts_total\{channel="sms",provider="smsc",outcome="refused"\} 1$/m,
  );
  const nothing = await get('/');
  assert.deepEqual(nothing, {
    status: 404,
    type: 'text/plain; charset=utf-8',
    body: '/metrics /providers /ready /live\n',
  });
});
