/** `auto` when a messenger takes a message and says no more, and several providers for one channel. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { newPhone } from '../outages/load.ts';
import { codeIn, type FaultService, openService, until } from './fault-service.ts';
import { type Line, lineOf } from './lines.ts';

const SILENT: Plan = { does: 'accept', receipts: [] };
const FALLBACK_SECONDS = 15;
const PRICE = { whatsapp: 3, sms: 8 };

let service: FaultService;
let whatsapp: Line;
let smpp: Line;
let smsc: Line;

before(async () => {
  service = await openService(
    (all) => ({ ...all.whatsapp_cloud, ...all.smpp, ...all.smsc, SMS_PROVIDERS: 'smpp,smsc' }),
    { fallbackSeconds: FALLBACK_SECONDS },
  );
  whatsapp = lineOf(service, 'whatsapp-cloud');
  smpp = lineOf(service, 'smpp');
  smsc = lineOf(service, 'smsc');
});
after(async () => {
  await service?.close();
});

/** The plans of a phone, by line. */
function plan(phone: string, plans: readonly [Line, Plan][]): void {
  for (const [{ provider, spell }, wanted] of plans) {
    provider.plans.add({ ...wanted, to: spell(phone.slice(1)) });
  }
}

const isLinked = () => until(service.simulators.smpp.enquire, (status) => status === 0);
const textsOf = (phone: string, ...lines: Line[]) =>
  lines.flatMap((line) => line.taken(phone).map(({ text }) => text));

type Attempt = {
  channel: string;
  state: string;
  receipt: string | null;
  price: number;
  provider: string | null;
};

const attemptsOf = (id: string) =>
  service.sql<Attempt>(
    `select channel, state, receipt, price, split_part(provider_id, ':', 1) as provider
     from attempt where message_id = $1 order by number`,
    [id],
  );

/** The postings behind it are looked at when all is over. */
async function assertOneCharge(id: string, price: number): Promise<void> {
  const { charged, hold } = await service.row(id);
  assert.deepEqual({ charged, hold }, { charged: price, hold: 0 });
}

describe('WhatsApp takes a code and is silent', () => {
  /** The code went by WhatsApp, and by one SMS; both are the same, and it works. */
  async function assertFellBack(id: string, phone: string): Promise<void> {
    // The receipt may be faster than the answer it is about.
    await service.untilRow(
      id,
      ({ receipt, channel, hold }) => receipt === 'delivered' && channel === 'sms' && hold === 0,
    );
    const codes = [whatsapp, smpp].map((line) => textsOf(phone, line).map(codeIn));
    assert.equal(codes[0]?.length, 1);
    assert.deepEqual(codes[1], codes[0], 'the same code');
    assert.equal(smsc.taken(phone).length, 0);
    assert.deepEqual(await attemptsOf(id), [
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
    await isLinked();
    plan(phone, [[whatsapp, SILENT]]);
    const { status, body, id } = await service.send('auto', phone);
    assert.deepEqual([status, body.channel, body.cost], [200, 'whatsapp', PRICE.whatsapp]);
    return id;
  }

  test('an SMS with the same code goes out when the time is over, and the charge moves', async () => {
    const phone = newPhone();
    const id = await sendByWhatsapp(phone);
    await service.passTime(FALLBACK_SECONDS - 5);
    assert.equal(smpp.taken(phone).length, 0, 'not before');
    await service.passTime(6);
    await assertFellBack(id, phone);
  });

  /** The company is shown all that happened, each step after the one before. */
  async function assertWholeStory(id: string): Promise<void> {
    const story = (await service.timeline(id)) ?? assert.fail('there is no story');
    const { steps, state, channel, cost } = story;
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

  test('the same when the server is killed in between', async () => {
    const phone = newPhone();
    // Late enough for the acceptance to be written down before it, as it is told before it.
    plan(phone, [[smpp, { does: 'accept', receiptDelayMs: 500 }]]);
    const id = await sendByWhatsapp(phone);
    await service.kill();
    assert.equal(smpp.taken(phone).length, 0);
    await service.start();
    await isLinked();
    await service.passTime(FALLBACK_SECONDS + 1);
    await assertFellBack(id, phone);
    await assertWholeStory(id);
    // Nothing more comes, whatever time passes.
    await service.passTime(120);
    await service.untilWatched();
    assert.equal(textsOf(phone, whatsapp, smpp, smsc).length, 2);
  });
});

describe('two providers for SMS', () => {
  const REFUSES: Plan = { does: 'refuse', code: 0x45 };

  test('the first refuses: the second carries it, for one charge', async () => {
    await isLinked();
    const phone = newPhone();
    plan(phone, [[smpp, REFUSES]]);
    const { status, body, id } = await service.send('sms', phone);
    assert.deepEqual([status, body.cost], [200, PRICE.sms]);
    assert.match((await service.row(id)).provider_id ?? '', /^smsc:/);
    assert.deepEqual([smpp.taken(phone).length, smsc.taken(phone).length], [0, 1]);
    await assertOneCharge(id, PRICE.sms);
  });

  test('both refuse: a failure, and the phone is free again', async () => {
    await isLinked();
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

  test('the first is unknown: the second is not asked, but by auto the next channel is', async () => {
    const autoKey = await service.anotherKey({ channels: ['sms', 'whatsapp'] });
    await isLinked();
    const phones = { sms: newPhone(), auto: newPhone() };
    for (const phone of Object.values(phones)) plan(phone, [[smpp, { does: 'hang' }]]);
    const [sms, auto] = await Promise.all([
      service.send('sms', phones.sms),
      service.send('auto', phones.auto, { withKey: autoKey }),
    ]);
    const takenBy = (phone: string) =>
      [smpp, smsc, whatsapp].map((line) => line.taken(phone).length);

    assert.equal(sms.status, 504);
    assert.deepEqual(takenBy(phones.sms), [1, 0, 0]);
    await assertOneCharge(sms.id, 0);

    const { status, body, id } = auto;
    assert.deepEqual([status, body.channel, body.cost], [200, 'whatsapp', PRICE.whatsapp]);
    assert.deepEqual(takenBy(phones.auto), [1, 0, 1]);
    const codes = new Set(textsOf(phones.auto, smpp, whatsapp).map(codeIn));
    assert.equal(codes.size, 1, 'the same code');
    const states = (await attemptsOf(id)).map(({ channel, state }) => `${channel} ${state}`);
    assert.deepEqual(states, ['sms unknown', 'whatsapp accepted']);
    await assertOneCharge(id, PRICE.whatsapp);
  });

  test('the link of the first is down: the second carries it', async () => {
    await service.simulators.smpp.close();
    const phone = newPhone();
    const { status, id } = await service.send('sms', phone);
    // One that might have it, and does not answer in time, would have made it a 504.
    assert.equal(status, 200);
    assert.match((await service.row(id)).provider_id ?? '', /^smsc:/);
    assert.equal(smsc.taken(phone).length, 1);
    await assertOneCharge(id, PRICE.sms);
  });
});

test('the books agree', async () => {
  await service.check();
});
