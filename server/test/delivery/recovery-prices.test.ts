import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setPrice } from '../../src/billing/price-store.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { once } from '../../src/limits/once.ts';
import { type TestKey, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { reserveThenDie } from './dead-process.ts';
import { countsFor, scriptedChannel, scriptedChannels } from './scripted-channel.ts';

/** All of them know a repeat for what it is. */
const channels = scriptedChannels();
for (const name of ['whatsapp', 'telegram', 'sms'] as const) {
  const channel = scriptedChannel(name);
  channels[name] = { ...channel, recover: channel.send };
}
const service = useService({ providers: channels });
let opened: OpenedContext | undefined;
after(async () => opened?.close());

const HELD = 3;
const named = ({ key }: TestKey) => ({ key, headers: { 'idempotency-key': 'order 42' } });

/** A call with an Idempotency-Key whose process dies when it has reserved. */
async function dieUnderName(key: TestKey, phone: string): Promise<void> {
  const call = once(service.ctx, {
    keyId: key.keyId,
    path: '/otp/send',
    idempotencyKey: 'order 42',
    body: JSON.stringify({ phone }),
    run: async (id) => {
      await reserveThenDie(service, { key, phone, id, prices: [HELD, HELD, HELD] });
      throw new Error('the process died');
    },
    resume: () => Promise.resolve(undefined),
  });
  await assert.rejects(call, /the process died/);
}

test('what became dearer than the hold while a process was dead is not used to take a send up', async () => {
  const key = await service.key({ balance: 100 });
  const phone = service.phone();
  await dieUnderName(key, phone);
  await setPrice(service.ctx.db, 'whatsapp', HELD + 7);

  opened = openContext(service, channels);
  await service.passTime(40);
  await watchOnce(opened.ctx);
  const answer = await service.call('/otp/send', { phone }, named(key));
  const cost = Number(answer.body.cost ?? 0);
  assert(cost <= HELD, `${cost} was charged, ${HELD} was held`);
  assert.deepEqual(await service.balance(key.companyId), { balance: 100 - cost, held: 0 });
  const { whatsapp, sms } = countsFor(channels, phone);
  assert.deepEqual({ whatsapp, sms }, { whatsapp: 0, sms: 0 }, 'SMS costs 8');
});
