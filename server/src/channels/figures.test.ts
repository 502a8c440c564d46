import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { createFigures } from './figures.ts';

function open() {
  const registry = new Registry();
  const figures = createFigures(registry);
  return { registry, figures };
}

const RESTING = { circuit: 'closed', inFlight: 0 } as const;

test('a provider that got nothing yet is there, with zeros', () => {
  const { figures } = open();
  figures.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  assert.deepEqual(figures.read(), [
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

test('attempts are counted by outcome, what was kept away by reason, each for its provider', () => {
  const { figures } = open();
  figures.watch({ name: 'telegram-bot', channel: 'telegram' }, () => RESTING);
  figures.watch({ name: 'smpp', channel: 'sms' }, () => RESTING);
  figures.attempt('smpp', 'accepted', 0.1);
  figures.attempt('smpp', 'accepted', 0.1);
  figures.attempt('smpp', 'unknown', 4);
  figures.attempt('telegram-bot', 'refused', 0.1);
  figures.skip('telegram-bot', 'open circuit');
  figures.skip('telegram-bot', 'too many at once');
  figures.skip('telegram-bot', 'too many at once');
  const [bot, smpp] = figures.read();
  assert.deepEqual([bot?.name, bot?.channel, smpp?.channel], ['telegram-bot', 'telegram', 'sms']);
  assert.deepEqual(smpp?.attempts, { accepted: 2, refused: 0, unavailable: 0, unknown: 1 });
  assert.deepEqual(smpp?.skipped, { 'open circuit': 0, 'too many at once': 0 });
  assert.deepEqual(bot?.attempts, { accepted: 0, refused: 1, unavailable: 0, unknown: 0 });
  assert.deepEqual(bot?.skipped, { 'open circuit': 1, 'too many at once': 2 });
});

test('the circuit and what is under way are those of the moment', () => {
  const { figures } = open();
  let isOpen = false;
  let inFlight = 3;
  figures.watch({ name: 'mobizon', channel: 'sms' }, () => ({
    circuit: isOpen ? 'open' : 'closed',
    inFlight,
  }));
  const now = () => figures.read().map((one) => [one.circuit, one.inFlight]);
  assert.deepEqual(now(), [['closed', 3]]);
  isOpen = true;
  inFlight = 0;
  assert.deepEqual(now(), [['open', 0]]);
});

test('latency is told of the newest thousand attempts', () => {
  const { figures } = open();
  figures.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  const latency = () => figures.read()[0]?.latency;
  const attempt = (seconds: number) => figures.attempt('smsc', 'accepted', seconds);
  attempt(2);
  assert.deepEqual(latency(), { medianMs: 2_000, p99Ms: 2_000 });
  for (let i = 1; i <= 1_000; i++) attempt(i);
  assert.deepEqual(latency(), { medianMs: 500_000, p99Ms: 990_000 });
  for (let i = 0; i < 1_000; i++) attempt(0.25);
  assert.deepEqual(latency(), { medianMs: 250, p99Ms: 250 });
});

test('a reading does not change afterwards', () => {
  const { figures } = open();
  figures.watch({ name: 'smsc', channel: 'sms' }, () => RESTING);
  const [before] = figures.read();
  figures.attempt('smsc', 'accepted', 1);
  figures.skip('smsc', 'open circuit');
  assert.deepEqual([before?.attempts.accepted, before?.skipped['open circuit']], [0, 0]);
});

test('Prometheus is told the same, in lines whose number does not grow with the messages', async () => {
  const { figures, registry } = open();
  const RESULTS = ['accepted', 'refused', 'unavailable', 'unknown'] as const;
  figures.watch({ name: 'smsc', channel: 'sms' }, () => ({ circuit: 'open', inFlight: 2 }));
  const sendAll = (seconds: number) => {
    for (const outcome of RESULTS) figures.attempt('smsc', outcome, seconds);
    for (const why of ['open circuit', 'too many at once'] as const) figures.skip('smsc', why);
  };
  sendAll(0.3);
  const first = (await registry.metrics()).split('\n');
  for (let i = 0; i < 100; i++) sendAll(i / 17);
  const metrics = await registry.metrics();
  assert.equal(metrics.split('\n').length, first.length);
  for (const line of [
    'zhiber_provider_attempts_total{provider="smsc",outcome="unknown"} 101',
    'zhiber_provider_skipped_total{provider="smsc",reason="too many at once"} 101',
    'zhiber_provider_seconds_count{provider="smsc"} 404',
    'zhiber_provider_circuit_open{provider="smsc"} 1',
    'zhiber_provider_in_flight{provider="smsc"} 2',
  ]) {
    assert.ok(metrics.includes(`${line}\n`), `${line}\n\n${metrics}`);
  }
});
