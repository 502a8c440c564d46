/** P7: receipts that are repeated, out of order, early, late, for an unknown id, or forged. */
import assert from 'node:assert/strict';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { openProviders } from '../../src/channels/open-providers.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { Phone } from '../../src/phone.ts';
import { newPhone } from '../outages/load-client.ts';
import type { FaultCase, TestedProvider } from './tested-provider.ts';

const NO_RECEIPTS: Plan = { does: 'accept', receipts: [] };

/** The message must keep the highest receipt, now and at the end of the test file. */
function keepsHighestReceipt(name: string, plan: Partial<Plan>): FaultCase {
  return {
    faultClass: 'P7',
    name,
    async run(tested) {
      const sent = await tested.send({ does: 'accept', ...plan });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      const highestReceipt = plan.receipts?.includes('failed')
        ? 'delivered'
        : tested.highestReceipt;
      assert.ok(highestReceipt);
      tested.expectedReceipts.set(sent.id, highestReceipt);
      const row = await tested.service.waitForRow(
        sent.id,
        ({ receipt }) => receipt === highestReceipt,
      );
      assert.equal(row.charged, tested.price);
    },
  };
}

/** Sends a message that the provider accepts and sends no receipt for. */
async function sendWithoutReceipts(tested: TestedProvider) {
  const sent = await tested.send(NO_RECEIPTS);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return { id: sent.id, providerId: tested.taken(sent.phone)[0]?.id ?? '' };
}

export const FORGED_RECEIPT: FaultCase = {
  faultClass: 'P7',
  name: 'forged',
  async run(tested) {
    const { id, providerId } = await sendWithoutReceipts(tested);
    const statuses = await tested.provider.report(providerId, 'delivered', { isForged: true });
    assert.deepEqual(statuses, [403]);
    assert.equal((await tested.service.row(id)).receipt, null);
  },
};

/** Long after the watch has marked the message as unconfirmed. */
export const LATE_RECEIPT: FaultCase = {
  faultClass: 'P7',
  name: 'an hour late',
  async run(tested) {
    const { id, providerId } = await sendWithoutReceipts(tested);
    await tested.service.sql(
      `update message set created_at = created_at - interval '1 hour',
         settled_at = settled_at - interval '1 hour',
         next_check_at = clock_timestamp() + interval '0.3 seconds' where id = $1`,
      [id],
    );
    await tested.service.waitForRow(id, ({ receipt }) => receipt === 'unconfirmed');
    await tested.provider.report(providerId, 'delivered');
    const { receipt, charged } = await tested.service.row(id);
    assert.deepEqual({ receipt, charged }, { receipt: 'delivered', charged: tested.price });
  },
};

/** Another system uses the same provider account, and the service gets its receipts. */
export const UNKNOWN_RECEIPT: FaultCase = {
  faultClass: 'P7',
  name: 'for an unknown id',
  async run(tested) {
    const phone = newPhone();
    tested.provider.plans.add({ ...NO_RECEIPTS, to: tested.formatPhone(phone.slice(1)) });
    const messageId = await sendFromAnotherSystem(tested, phone);
    const id = tested.taken(phone)[0]?.id ?? '';
    const statuses = await tested.provider.report(id, 'delivered');
    assert.deepEqual(statuses, [tested.isSmpp === true ? 0 : 200]);
    const found = (await tested.service.rows()).filter((row) => row.id === messageId);
    assert.deepEqual(found, []);
  },
};

async function sendFromAnotherSystem(tested: TestedProvider, phone: string): Promise<MessageId> {
  const { service, name } = tested;
  const configs = readConfig(service.settings).providers.filter(
    (provider) => provider.name === name,
  );
  const [provider] = openProviders(configs, {
    clock: systemClock,
    log: createLog('silent', { sync: true }),
    callbackUrl: (reporting) => `${service.url}/callbacks/${reporting}`,
    findTelegramChat: async () => undefined,
    onContact: () => undefined,
    isWhatsappWindowOpen: async () => false,
  });
  assert.ok(provider);
  // Rejects receipts of the service's messages, so that the provider sends them to the service.
  provider.start?.(() => Promise.reject(new Error('this receipt is for the service')));
  const messageId = newId(Date.now()) as MessageId;
  const code = '00112233';
  const outcome = await provider.send(
    {
      ref: { companyId: service.companyId, messageId, attempt: 1 },
      keyId: 1,
      isTest: false,
      to: { phone: phone.slice(1) as Phone },
      content: 'code',
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

export const RECEIPT_CASES: readonly FaultCase[] = [
  keepsHighestReceipt('ten times', { copies: 10 }),
  keepsHighestReceipt('reversed', { isReversed: true }),
  keepsHighestReceipt('failed after delivered', { receipts: ['delivered', 'failed'] }),
  keepsHighestReceipt('before the answer', { isEarly: true }),
];
