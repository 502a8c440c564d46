/** P7: receipts that come too often, in a wrong order, too early, too late, for nobody, or forged. */
import assert from 'node:assert/strict';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { openProviders } from '../../src/channels/open-providers.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';
import { newPhone } from '../outages/load.ts';
import type { Line } from './lines.ts';
import type { Trial } from './trial.ts';

const QUIET: Plan = { does: 'accept', receipts: [] };

/** The message shows the highest receipt that there was, now and when all is over. */
function endsAtBest(name: string, plan: Partial<Plan>): Trial {
  return {
    column: 'P7',
    name,
    async run(line) {
      const sent = await line.send({ does: 'accept', ...plan });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const best = plan.receipts?.includes('failed') ? 'delivered' : line.best;
      assert.ok(best);
      line.awaited.set(sent.id, best);
      const row = await line.service.untilRow(sent.id, ({ receipt }) => receipt === best);
      assert.equal(row.charged, line.price);
    },
  };
}

/** A message that was accepted, and nothing more. */
async function sendQuietly(line: Line) {
  const sent = await line.send(QUIET);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const id = line.taken(sent.phone)[0]?.id ?? '';
  return { id: sent.id, providerId: id };
}

export const FORGED_RECEIPT: Trial = {
  column: 'P7',
  name: 'forged',
  async run(line) {
    const { id, providerId } = await sendQuietly(line);
    const statuses = await line.provider.report(providerId, 'delivered', { isForged: true });
    assert.deepEqual(statuses, [403]);
    assert.equal((await line.service.row(id)).receipt, null);
  },
};

/** Long after the watch has given up on it. */
export const LATE_RECEIPT: Trial = {
  column: 'P7',
  name: 'an hour late',
  async run(line) {
    const { id, providerId } = await sendQuietly(line);
    await line.service.sql(
      `update message set created_at = created_at - interval '1 hour',
         settled_at = settled_at - interval '1 hour',
         look_at = clock_timestamp() + interval '0.3 seconds' where id = $1`,
      [id],
    );
    await line.service.untilRow(id, ({ receipt }) => receipt === 'unconfirmed');
    await line.provider.report(providerId, 'delivered');
    const { receipt, charged } = await line.service.row(id);
    assert.deepEqual({ receipt, charged }, { receipt: 'delivered', charged: line.price });
  },
};

/** Somebody else uses the same account: what it sends is reported to us. */
export const UNKNOWN_RECEIPT: Trial = {
  column: 'P7',
  name: 'for an unknown id',
  async run(line) {
    const phone = newPhone();
    line.provider.plans.add({ ...QUIET, to: line.spell(phone.slice(1)) });
    const messageId = await sendAsStranger(line, phone);
    const id = line.taken(phone)[0]?.id ?? '';
    const statuses = await line.provider.report(id, 'delivered');
    const answer = line.isFramed === true ? 0 : line.insistsOnUnknown === true ? 503 : 200;
    assert.deepEqual(statuses, [answer]);
    const found = (await line.service.rows()).filter((row) => row.id === messageId);
    assert.deepEqual(found, []);
  },
};

async function sendAsStranger(line: Line, phone: string): Promise<MessageId> {
  const { service, name } = line;
  const configs = readConfig(service.settings).providers.filter(
    ({ provider }) => provider === name,
  );
  const [provider] = openProviders(configs, {
    clock: systemClock,
    callbackUrl: (reporting) => `${service.url}/callbacks/${reporting}`,
    findTelegramChat: async () => undefined,
    onContact: () => undefined,
    isWhatsappWindowOpen: async () => false,
  });
  assert.ok(provider);
  // Receipts of others that come over its link are turned away, to be sent to the service.
  provider.start?.(() => Promise.reject(new Error('not for a stranger')));
  const messageId = newId(Date.now()) as MessageId;
  const code = '00112233';
  const outcome = await provider.send(
    {
      ref: { companyId: service.companyId, messageId, attempt: 1 },
      keyId: 1,
      isTest: false,
      to: { phone: phone.slice(1) as Phone },
      load: 'code',
      text: `Код ${code}`,
      language: 'ru',
      code,
      ttlSeconds: 300,
    },
    AbortSignal.timeout(4_000),
  );
  await provider.stop?.();
  assert.equal(outcome.result, 'accepted');
  return messageId;
}

export const RECEIPT_TRIALS: readonly Trial[] = [
  endsAtBest('ten times', { copies: 10 }),
  endsAtBest('reversed', { isReversed: true }),
  endsAtBest('a failure at last', { receipts: ['delivered', 'failed'] }),
  endsAtBest('before the answer', { isEarly: true }),
];
