import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import type { Sql } from '../db/sql.ts';
import { createServiceMetrics } from './service-metrics.ts';

test('while the database is away a scrape lacks the money of companies, and nothing else', async () => {
  const registry = new Registry();
  let isAway = true;
  let asked = 0;
  let nowMs = 0;
  const sums = { balance: 70, held: 8, debt: 1, credited: 1_000, refunded: 5 };
  const query = async () => {
    asked += 1;
    if (isAway) throw new Error('the database is away');
    return [sums];
  };
  const metrics = createServiceMetrics(registry, {
    nodes: {
      list: () => [
        { version: '1', role: 'all' },
        { version: '1', role: 'all' },
        { version: '2', role: null },
      ],
    },
    db: { query } as unknown as Sql,
    nowMs: () => nowMs,
  });
  metrics.charged('sms', 8);
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^zhiber_\w*tokens/.test(line));
  assert.deepEqual(await lines(), ['zhiber_charged_tokens_total{channel="sms"} 8']);

  isAway = false;
  nowMs = 60_000;
  const all = [
    'zhiber_charged_tokens_total{channel="sms"} 8',
    'zhiber_account_tokens{kind="balance"} 70',
    'zhiber_account_tokens{kind="held"} 8',
    'zhiber_account_tokens{kind="debt"} 1',
    'zhiber_payment_tokens_total{kind="credited"} 1000',
    'zhiber_payment_tokens_total{kind="refunded"} 5',
  ];
  assert.deepEqual(await lines(), all);
  nowMs = 119_999;
  assert.deepEqual(await lines(), all);
  assert.equal(asked, 2, 'the sums are read once a minute');
});

test('a scrape counts the nodes by version and role', async () => {
  const registry = new Registry();
  const all = { version: '1.2.0', role: 'all' };
  const nodes = { list: () => [all, all, { version: '1.1.0', role: null }] };
  createServiceMetrics(registry, { nodes, db: {} as Sql, nowMs: () => 0 });
  const text = await registry.getSingleMetricAsString('zhiber_nodes');
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('zhiber_')),
    [
      'zhiber_nodes{version="1.2.0",role="all"} 2',
      'zhiber_nodes{version="1.1.0",role="unknown"} 1',
    ],
  );
});
