/**
 * Receipts of a message centre that we did not write, from its delivery to the state of the message.
 * Each test is named "peer: case: what happened".
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { combineProviders } from '../../src/channels/combine-providers.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { qualifiedId } from '../../src/channels/qualified-id.ts';
import { openSmpp } from '../../src/channels/sms/smpp/smpp.ts';
import { systemClock } from '../../src/clock.ts';
import { rememberIds } from '../../src/delivery/provider-id-store.ts';
import { recordReport } from '../../src/delivery/record-receipt.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { until, useService } from '../harness.ts';
import {
  type ForeignCentre,
  type ForeignPdu,
  type ForeignSession,
  startForeignCentre,
} from '../smpp/foreign-centre.ts';

const RESPONSE_MS = 1_000;
const DATES = 'submit date:2611190900 done date:2611190901';

const closers: (() => unknown)[] = [];
const held: (() => void)[] = [];
let isHolding = false;
let nextId = 1;
const answer = (pdu: ForeignPdu, session: ForeignSession) => {
  const respond = () => session.send(pdu.response({ message_id: `0A${nextId++}` }));
  if (isHolding) held.push(respond);
  else respond();
};

const centre: ForeignCentre = await startForeignCentre(
  { after: (close) => closers.push(close) },
  { answer },
);
const log = pino({ level: 'silent' });
const provider: Provider = openSmpp(
  {
    ...{ host: '127.0.0.1', port: centre.port, systemId: 'zhiber', password: 'k9-Wq2xZ' },
    ...{ sender: 'Zhiber', responseTimeoutMs: RESPONSE_MS },
  },
  {
    clock: systemClock,
    log,
    onLateIds(name, { providerIds, ...late }) {
      const ids = providerIds.map((id) => qualifiedId(name, id));
      void service.ctx.db.inGroup(rememberIds, { ...late, providerIds: ids });
    },
  },
);
const sms = combineProviders([provider], {
  log,
  storeProviderIds: (ids) => service.ctx.db.inGroup(rememberIds, ids),
});
const service = useService({ providers: { sms } });

before(async () => {
  provider.start?.((report) => recordReport(service.ctx, provider.name, report));
  await until('the centre is bound', async () => centre.bound.length === 1);
});
after(async () => {
  await provider.stop?.();
  for (const close of closers) await close();
});

async function send() {
  const key = await service.key();
  const phone = service.phone();
  const id = `0A${nextId}`;
  const sent = await service.call('/otp/send', { phone, channel: 'sms' }, key);
  const state = async (messageId: unknown) =>
    (await findTimeline(service.ctx.db, key.companyId, messageId as MessageId))?.state;
  return { sent, key, phone: phone.slice(1), id, state };
}

/** A deliver_sm from this phone. */
const deliver = (source_addr: string, short_message: string, esm_class: number) =>
  centre.deliver({ source_addr, destination_addr: 'Zhiber', short_message, esm_class });

describe('node-smpp, through the whole service', () => {
  const spellings: [string, (id: string) => string, number][] = [
    ['the customary text', (id) => `id:${id} sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000`, 4],
    ['semicolons', (id) => `id:${id};sub:001;stat:DELIVRD;err:000`, 4],
    ['no mark', (id) => `id:${id} sub:001 dlvrd:001 ${DATES} stat:DELIVRD err:000 text:`, 0],
    [
      'an id in lower case and zeros before it',
      (id) => `id:000${id.toLowerCase()} stat:DELIVRD`,
      4,
    ],
  ];
  for (const [what, text, esmClass] of spellings) {
    test(`node-smpp: a receipt with ${what}: the message is delivered`, async () => {
      const { sent, phone, id, state } = await send();
      assert.equal(await deliver(phone, text(id), esmClass), 0);
      await until('delivered', async () => (await state(sent.body.message_id)) === 'delivered');
    });
  }

  test('node-smpp: another phone types the receipt: the message stays as it is', async () => {
    const { sent, id, state } = await send();
    const typed = `id:${id} sub:001 dlvrd:001 ${DATES} stat:UNDELIV err:000 text:`;
    assert.equal(await deliver(service.phone().slice(1), typed, 0), 0);
    assert.equal(await state(sent.body.message_id), 'sent');
  });

  test('node-smpp: the response comes late: unconfirmed, free, and delivered by its receipt', async () => {
    isHolding = true;
    const { sent, phone, id } = await send();
    isHolding = false;
    assert.equal(sent.body.error_code, 'delivery_unconfirmed');
    held.shift()?.();
    const row = async () => {
      const [found] = await service.ctx.db.query<{
        state: string;
        receipt: string;
        charged: number;
      }>(`select state, receipt::text as receipt, charged from message where recipient = $1`, [
        phone,
      ]);
      return found;
    };
    assert.equal((await row())?.state, 'unknown');
    assert.equal(await deliver(phone, `id:${id} stat:DELIVRD`, 4), 0);
    await until('the receipt is stored', async () => (await row())?.receipt === 'delivered');
    assert.equal((await row())?.charged, 0);
  });
});
