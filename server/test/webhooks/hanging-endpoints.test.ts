import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { useService } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import { addToSummary } from '../test-summary.ts';
import { hangs } from './receiver.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);

const ROUNDS = 40;
const RATIO_MAX = 1.2;
/** The calls that hang end after ten seconds: nobody may wait for that. */
const DELAY_MS_MAX = 2_000;

test('fifty endpoints that hang do not delay the events of the others', async () => {
  const healthy = await rig.receiver();
  const companyId = await service.company();
  await rig.endpoint(companyId, healthy.url);
  const worker = startWebhooks(service.ctx, {
    mailer: { isOn: false, send: () => undefined },
    onTry: () => undefined,
  });
  /** From the commit of an event to its arrival. */
  const readP95 = async () => {
    const delays: number[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const arrived = once(healthy.arrivals, 'arrived');
      await rig.addEvents(companyId, 1);
      const startedMs = performance.now();
      await arrived;
      delays.push(performance.now() - startedMs);
    }
    assert(Math.max(...delays) < DELAY_MS_MAX, `an event waited ${Math.max(...delays)} ms`);
    return delays.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] as number;
  };
  /** What else runs on the machine only ever adds to it. */
  const readBestP95 = async () => Math.min(await readP95(), await readP95(), await readP95());
  try {
    await readP95();
    const without = await readBestP95();
    const target = await rig.receiver(hangs);
    for (let i = 0; i < 50; i++) {
      const other = await service.company();
      await rig.endpoint(other, target.url);
      await rig.addEvents(other, 6);
    }
    // Four calls of each, as far as there is room for those that have not timed out yet.
    while (target.received.length < 180) await once(target.arrivals, 'arrived');
    const ratio = (await readBestP95()) / without;
    addToSummary(
      `webhooks: p95 ${without.toFixed(0)} ms from the event to its arrival, ${ratio.toFixed(2)} x beside 50 endpoints that hang`,
    );
    // A ratio of milliseconds is only meaningful on a quiet machine.
    if (IS_FULL) assert(ratio <= RATIO_MAX, `${ratio} x of ${without} ms`);
  } finally {
    await worker.stop();
  }
});
