import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';
import { addToSummary } from '../test-summary.ts';
import { hangs } from './receiver.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);

const ROUNDS = 30;
const RATIO_MAX = 1.2;
/** A busy machine is not the fault of the endpoints that hang. */
const MEASUREMENTS = 3;
const MEASUREMENTS_MAX = 8;

test('fifty endpoints that hang delay the events of the others by less than a fifth', async () => {
  const healthy = await rig.receiver();
  const companyId = await service.company();
  await rig.endpoint(companyId, healthy.url);
  const worker = rig.worker({ timeoutMs: 10_000 });
  const readP95 = async () => {
    const delays: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const expected = healthy.received.length + 1;
      await rig.addEvents(companyId, 1);
      const startedMs = performance.now();
      while (healthy.received.length < expected) await worker.runOnce();
      delays.push(performance.now() - startedMs);
    }
    return delays.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] as number;
  };
  await readP95();
  const without: number[] = [];
  for (let i = 0; i < MEASUREMENTS; i++) without.push(await readP95());

  const target = await rig.receiver(hangs);
  for (let i = 0; i < 50; i++) {
    const other = await service.company();
    await rig.endpoint(other, target.url);
    await rig.addEvents(other, 6);
  }
  // Four calls of each, as far as there is room for those that have not timed out yet.
  while (target.received.length < 180) await worker.runOnce();
  const beside: number[] = [];
  const readRatio = () => Math.min(...beside) / Math.min(...without);
  while (
    beside.length < MEASUREMENTS ||
    (readRatio() > RATIO_MAX && beside.length < MEASUREMENTS_MAX)
  ) {
    beside.push(await readP95());
  }
  const ratio = readRatio();
  addToSummary(`webhooks beside 50 that hang: p95 of the others ${ratio.toFixed(2)} x`);
  assert(ratio <= RATIO_MAX, `${beside} ms beside ${without} ms`);
});
