import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { createProviderMetrics } from './provider-metrics.ts';

function open() {
  const registry = new Registry();
  const metrics = createProviderMetrics(registry);
  return { registry, metrics };
}

const RESTING = { circuit: 'closed', inFlight: 0 } as const;

test('a provider without attempts is listed with zeros', () => {
  const { metrics } = open();
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  assert.deepEqual(metrics.read(), [
    {
      name: 'smsc',
      channel: 'sms',
      circuit: 'closed',
      inFlight: 0,
      attempts: { accepted: 0, refused: 0, unavailable: 0, unknown: 0 },
      skipped: { 'open circuit': 0, 'too many at once': 0 },
      latency: undefined,
    },
  ]);
});

test('each provider counts attempts by outcome and skipped messages by reason', () => {
  const { metrics } = open();
  metrics.watch({ name: 'telegram-bot', channel: 'telegram' }, () => RESTING);
  metrics.watch({ name: 'smpp', channel: 'sms' }, () => RESTING);
  metrics.attempt('smpp', 'accepted', 0.1);
  metrics.attempt('smpp', 'accepted', 0.1);
  metrics.attempt('smpp', 'unknown', 4);
  metrics.attempt('telegram-bot', 'refused', 0.1);
  metrics.skip('telegram-bot', 'open circuit');
  metrics.skip('telegram-bot', 'too many at once');
  metrics.skip('telegram-bot', 'too many at once');
  const [bot, smpp] = metrics.read();
  assert.deepEqual([bot?.name, bot?.channel, smpp?.channel], ['telegram-bot', 'telegram', 'sms']);
  assert.deepEqual(smpp?.attempts, { accepted: 2, refused: 0, unavailable: 0, unknown: 1 });
  assert.deepEqual(smpp?.skipped, { 'open circuit': 0, 'too many at once': 0 });
  assert.deepEqual(bot?.attempts, { accepted: 0, refused: 1, unavailable: 0, unknown: 0 });
  assert.deepEqual(bot?.skipped, { 'open circuit': 1, 'too many at once': 2 });
});

test('the circuit and the messages in flight are read live', () => {
  const { metrics } = open();
  let isOpen = false;
  let inFlight = 3;
  metrics.watch({ name: 'mobizon', channel: 'sms' }, () => ({
    circuit: isOpen ? 'open' : 'closed',
    inFlight,
  }));
  const now = () => metrics.read().map((one) => [one.circuit, one.inFlight]);
  assert.deepEqual(now(), [['closed', 3]]);
  isOpen = true;
  inFlight = 0;
  assert.deepEqual(now(), [['open', 0]]);
});

test('latency covers the newest thousand attempts', () => {
  const { metrics } = open();
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  const latency = () => metrics.read()[0]?.latency;
  const attempt = (seconds: number) => metrics.attempt('smsc', 'accepted', seconds);
  attempt(2);
  assert.deepEqual(latency(), { medianMs: 2_000, p99Ms: 2_000 });
  for (let i = 1; i <= 1_000; i++) attempt(i);
  assert.deepEqual(latency(), { medianMs: 500_000, p99Ms: 990_000 });
  for (let i = 0; i < 1_000; i++) attempt(0.25);
  assert.deepEqual(latency(), { medianMs: 250, p99Ms: 250 });
});

test('a reading does not change afterwards', () => {
  const { metrics } = open();
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  const [before] = metrics.read();
  metrics.attempt('smsc', 'accepted', 1);
  metrics.skip('smsc', 'open circuit');
  assert.deepEqual([before?.attempts.accepted, before?.skipped['open circuit']], [0, 0]);
});

test('Prometheus gets the same, and its lines do not grow with the messages', async () => {
  const { metrics, registry } = open();
  const RESULTS = ['accepted', 'refused', 'unavailable', 'unknown'] as const;
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => ({ circuit: 'open', inFlight: 2 }));
  const sendAll = (seconds: number) => {
    for (const outcome of RESULTS) metrics.attempt('smsc', outcome, seconds);
    for (const why of ['open circuit', 'too many at once'] as const) metrics.skip('smsc', why);
  };
  sendAll(0.3);
  const first = (await registry.metrics()).split('\n');
  for (let i = 0; i < 100; i++) sendAll(i / 17);
  const text = await registry.metrics();
  assert.equal(text.split('\n').length, first.length);
  for (const line of [
    'zhiber_provider_attempts_total{channel="sms",provider="smsc",outcome="unknown"} 101',
    'zhiber_provider_skipped_total{provider="smsc",reason="too many at once"} 101',
    'zhiber_provider_seconds_count{provider="smsc"} 404',
    'zhiber_provider_circuit_open{provider="smsc"} 1',
    'zhiber_provider_in_flight{provider="smsc"} 2',
  ]) {
    assert.ok(text.includes(`${line}\n`), `${line}\n\n${text}`);
  }
});

test('Prometheus gets what came of receipts, of providers that count them', async () => {
  const { registry, metrics } = open();
  const receipts = { matched: 3, unmatched: 2, unusable: 0 };
  metrics.watch({ name: 'smpp', channel: 'sms' }, () => ({ ...RESTING, receipts }));
  metrics.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  const text = await registry.metrics();
  const lines = text.split('\n').filter((line) => /^zhiber_provider_receipts_total/.test(line));
  assert.deepEqual(lines, [
    'zhiber_provider_receipts_total{provider="smpp",result="matched"} 3',
    'zhiber_provider_receipts_total{provider="smpp",result="unmatched"} 2',
  ]);
});
