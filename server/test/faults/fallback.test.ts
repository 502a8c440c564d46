/** The fallback of `auto` when a messenger sends no receipt, and several providers for one channel. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load-client.ts';
import { type FaultService, findCode, openService, waitFor } from './fault-service.ts';
import { createTestedProvider, type TestedProvider } from './tested-provider.ts';

const NO_RECEIPT: Plan = { does: 'accept', receipts: [] };
const FALLBACK_SECONDS = 15;
const PRICE = { whatsapp: 3, sms: 8 };

let service: FaultService;
let whatsapp: TestedProvider;
let smpp: TestedProvider;
let smsc: TestedProvider;

before(async () => {
  service = await openService(
    (all) => ({ ...all.whatsapp_cloud, ...all.smpp, ...all.smsc, SMS_PROVIDERS: 'smpp,smsc' }),
    { fallbackSeconds: FALLBACK_SECONDS },
  );
  whatsapp = createTestedProvider(service, 'whatsapp-cloud');
  smpp = createTestedProvider(service, 'smpp');
  smsc = createTestedProvider(service, 'smsc');
});
after(async () => {
  await service?.close();
});

/** Adds a plan for one phone at each given provider. */
function plan(phone: string, plans: readonly [TestedProvider, Plan][]): void {
  for (const [{ provider, formatPhone }, wanted] of plans) {
    provider.plans.add({ ...wanted, to: formatPhone(phone.slice(1)) });
  }
}

const waitForSmpp = () => waitFor(service.simulators.smpp.enquire, (status) => status === 0);
const textsTaken = (phone: string, ...testedProviders: TestedProvider[]) =>
  testedProviders.flatMap((tested) => tested.taken(phone).map(({ text }) => text));

type Attempt = {
  channel: string;
  state: string;
  receipt: string | null;
  price: number;
  provider: string | null;
};

const readAttempts = (id: string) =>
  service.sql<Attempt>(
    `select channel, state, receipt, price, split_part(provider_id, ':', 1) as provider
     from attempt where message_id = $1 order by number`,
    [id],
  );

/** The last test of this file checks the ledger entries. */
async function assertOneCharge(id: string, price: number): Promise<void> {
  const { charged, hold } = await service.row(id);
  assert.deepEqual({ charged, hold }, { charged: price, hold: 0 });
}

describe('WhatsApp accepts a code and sends no receipt', () => {
  /** One WhatsApp message and one SMS contain the same code, and the code verifies. */
  async function assertFellBack(id: string, phone: string): Promise<void> {
    // The receipt may arrive before the answer to the send.
    await service.waitForRow(
      id,
      ({ receipt, channel, hold }) => receipt === 'delivered' && channel === 'sms' && hold === 0,
    );
    const codes = [whatsapp, smpp].map((tested) => textsTaken(phone, tested).map(findCode));
    assert.equal(codes[0]?.length, 1);
    assert.deepEqual(codes[1], codes[0], 'both messages must contain the same code');
    assert.equal(smsc.taken(phone).length, 0);
    assert.deepEqual(await readAttempts(id), [
      {
        channel: 'whatsapp',
        state: 'accepted',
        receipt: 'unconfirmed',
        price: PRICE.whatsapp,
        provider: 'whatsapp-cloud',
      },
      {
        channel: 'sms',
        state: 'accepted',
        receipt: 'delivered',
        price: PRICE.sms,
        provider: 'smpp',
      },
    ]);
    await assertOneCharge(id, PRICE.sms);
    assert.equal((await service.verify(phone, codes[0]?.[0] ?? '')).status, 200);
  }

  async function sendByWhatsapp(phone: string): Promise<string> {
    await waitForSmpp();
    plan(phone, [[whatsapp, NO_RECEIPT]]);
    const { status, body, id } = await service.send('auto', phone);
    assert.deepEqual([status, body.channel, body.cost], [200, 'whatsapp', PRICE.whatsapp]);
    return id;
  }

  test('an SMS with the same code is sent after the fallback time, and replaces the charge', async () => {
    const phone = newPhone();
    const id = await sendByWhatsapp(phone);
    await service.passTime(FALLBACK_SECONDS - 5);
    assert.equal(smpp.taken(phone).length, 0, 'the fallback started too early');
    await service.passTime(6);
    await assertFellBack(id, phone);
  });

  /** The timeline contains every step, in order. */
  async function assertTimelineComplete(id: string): Promise<void> {
    const timeline = (await service.timeline(id)) ?? assert.fail('there is no timeline');
    const { steps, state, channel, cost } = timeline;
    assert.deepEqual(
      steps.map(({ step, channel }) => `${channel ?? 'request'} ${step}`),
      [
        'request accepted',
        'whatsapp attempt',
        'whatsapp sent',
        'whatsapp unconfirmed',
        'sms fallback',
        'sms sent',
        'sms delivered',
        'request verified',
      ],
    );
    const times = steps.map(({ at }) => Date.parse(at));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.deepEqual(
      { state, channel, cost },
      { state: 'delivered', channel: 'sms', cost: PRICE.sms },
    );
  }

  test('the fallback also starts when the server was killed in between', async () => {
    const phone = newPhone();
    // The timeline needs the acceptance to be recorded before the receipt.
    plan(phone, [[smpp, { does: 'accept', receiptDelayMs: 500 }]]);
    const id = await sendByWhatsapp(phone);
    await service.kill();
    assert.equal(smpp.taken(phone).length, 0);
    await service.start();
    await waitForSmpp();
    await service.passTime(FALLBACK_SECONDS + 1);
    await assertFellBack(id, phone);
    await assertTimelineComplete(id);
    // No further message is sent later.
    await service.passTime(120);
    await service.waitForWatch();
    assert.equal(textsTaken(phone, whatsapp, smpp, smsc).length, 2);
  });
});

describe('two providers for SMS', () => {
  const REFUSES: Plan = { does: 'refuse', code: 0x45 };

  test('when the first refuses, the second sends, for one charge', async () => {
    await waitForSmpp();
    const phone = newPhone();
    plan(phone, [[smpp, REFUSES]]);
    const { status, body, id } = await service.send('sms', phone);
    assert.deepEqual([status, body.cost], [200, PRICE.sms]);
    assert.match((await service.row(id)).provider_id ?? '', /^smsc:/);
    assert.deepEqual([smpp.taken(phone).length, smsc.taken(phone).length], [0, 1]);
    await assertOneCharge(id, PRICE.sms);
  });

  test('when both refuse, the send fails and the phone may be tried again at once', async () => {
    await waitForSmpp();
    const phone = newPhone();
    plan(phone, [
      [smpp, { ...REFUSES, times: 1 }],
      [smsc, { does: 'refuse', code: 6, times: 1 }],
    ]);
    const { status, id } = await service.send('sms', phone);
    assert.equal(status, 502);
    assert.equal((await service.row(id)).charged, 0);
    assert.equal((await service.send('sms', phone)).status, 200);
  });

  test('when the first does not answer, the second is not tried, but auto tries the next channel', async () => {
    const autoKey = await service.createSecondKey({ channels: ['sms', 'whatsapp'] });
    await waitForSmpp();
    const phones = { sms: newPhone(), auto: newPhone() };
    for (const phone of Object.values(phones)) plan(phone, [[smpp, { does: 'hang' }]]);
    const [sms, auto] = await Promise.all([
      service.send('sms', phones.sms),
      service.send('auto', phones.auto, { withKey: autoKey }),
    ]);
    const takenBy = (phone: string) =>
      [smpp, smsc, whatsapp].map((tested) => tested.taken(phone).length);

    assert.equal(sms.status, 504);
    assert.deepEqual(takenBy(phones.sms), [1, 0, 0]);
    await assertOneCharge(sms.id, 0);

    const { status, body, id } = auto;
    assert.deepEqual([status, body.channel, body.cost], [200, 'whatsapp', PRICE.whatsapp]);
    assert.deepEqual(takenBy(phones.auto), [1, 0, 1]);
    const codes = new Set(textsTaken(phones.auto, smpp, whatsapp).map(findCode));
    assert.equal(codes.size, 1, 'both messages must contain the same code');
    const states = (await readAttempts(id)).map(({ channel, state }) => `${channel} ${state}`);
    assert.deepEqual(states, ['sms unknown', 'whatsapp accepted']);
    await assertOneCharge(id, PRICE.whatsapp);
  });

  test('when the first is disconnected, the second sends', async () => {
    await service.simulators.smpp.close();
    const phone = newPhone();
    const { status, id } = await service.send('sms', phone);
    // 504 would mean that the first provider may have got the message.
    assert.equal(status, 200);
    assert.match((await service.row(id)).provider_id ?? '', /^smsc:/);
    assert.equal(smsc.taken(phone).length, 1);
    await assertOneCharge(id, PRICE.sms);
  });
});

test('the ledger invariants hold, and no secret was logged', async () => {
  await service.assertInvariants();
});
