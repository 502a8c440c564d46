/** Which SMS provider gets a message, over real providers, and what is told of it afterwards. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ADMIN_FIGURES_ENDPOINTS as F } from '@zhiber/contract/admin/figures.ts';
import { smsWayText } from '@zhiber/contract/message/sms-route-text.ts';
import { almatyDay } from '../../src/almaty.ts';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import { combineProviders } from '../../src/channels/combine-providers.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { type AcceptedSms, createSmsRouting } from '../../src/channels/sms/sms-routing.ts';
import type { SmsRoute, SmsRouting } from '../../src/config/sms-routes.ts';
import { findPorted, recordSms, storePorted } from '../../src/delivery/sms-route-store.ts';
import type { CompanyId, MessageId } from '../../src/ids.ts';
import { refreshSmsRouting } from '../../src/jobs/refresh-sms-routing.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { countFigures, dayText } from '../../src/operators/count-figures.ts';
import type { Phone } from '../../src/phone.ts';
import { measureSmsProviders } from '../../src/status/quality-store.ts';
import { createAdminClient } from '../admin/admin-client.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { useService } from '../harness.ts';
import { openHttpRig, openMobizonRig, openSmscRig } from '../providers/provider-rigs.ts';

let adapter: ChannelAdapter | undefined;
/** Nobody waits for it but these tests. */
const written: Promise<unknown>[] = [];
const carries = new Set(['code', 'code_with_link', 'text', 'broadcast'] as const);
const service = useService({
  providers: {
    sms: {
      name: 'sms',
      carries,
      send: (message, signal) => (adapter as ChannelAdapter).send(message, signal),
    },
  },
});
const { as, operator } = createAdminClient(service);

let smsc: Awaited<ReturnType<typeof openSmscRig>>;
let mobizon: Awaited<ReturnType<typeof openMobizonRig>>;
let http: Awaited<ReturnType<typeof openHttpRig>>;
const closers: (() => unknown)[] = [];
const scope = { after: (close: () => unknown) => void closers.push(close) };
before(async () => {
  smsc = await openSmscRig(scope);
  mobizon = await openMobizonRig(scope);
  http = await openHttpRig(scope);
});

after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** All three providers in this order, routed so; nobody is sampled unless the chance says it. */
async function route(
  routing: SmsRouting,
  routes: readonly SmsRoute[] = [],
  {
    chance = 0.99,
    findPortedNumber = (phone: Phone) => service.ctx.db.inGroup(findPorted, phone),
  } = {},
) {
  const smsRouting = createSmsRouting(
    { routing, routes },
    { findPorted: findPortedNumber, random: () => chance },
  );
  const { ctx } = service;
  await refreshSmsRouting({ ...ctx, config: { ...ctx.config, smsRouting: routing } }, smsRouting);
  const providers: Provider[] = [smsc.provider, mobizon.provider, http.provider];
  adapter = combineProviders(providers, {
    log: ctx.log,
    storeProviderIds: async () => true,
    smsRouting,
    onSmsAccepted: (sms: AcceptedSms) => written.push(ctx.db.inGroup(recordSms, sms)),
  });
}

type Key = { companyId: CompanyId };
let lastNumber = 1_000_000;
const numberOf = (prefix: string) => `+${prefix}${String(++lastNumber).slice(-7)}`;

/** How a code to this phone went: the words of its story. */
async function sendTo(phone: string) {
  const key = await service.key({ channels: ['sms'] });
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return await wayOf(key, sent.body.message_id as MessageId);
}

async function wayOf({ companyId }: Key, id: MessageId) {
  await Promise.all(written);
  const timeline = await findTimeline(service.ctx.db, companyId, id);
  const way = timeline?.steps.find(({ step }) => step === 'sent')?.sms;
  assert.ok(way);
  return smsWayText(way, 'en');
}

describe('an SMS', () => {
  test('goes to the first provider as usual, and only its name is told', async () => {
    await route('order');
    assert.equal(await sendTo(numberOf('7701')), 'provider smsc');
    assert.deepEqual(await service.sql('select from sms_attempt'), []);
  });

  test('goes by the operator of the number, and the others keep their order', async () => {
    await route('order', [
      { to: 'beeline', provider: 'mobizon' },
      { to: '77471', provider: 'http-sms' },
    ]);
    assert.equal(await sendTo(numberOf('7705')), 'provider mobizon (route for numbers of Beeline)');
    assert.equal(
      await sendTo('+77471234567'),
      'provider http-sms (route for numbers of Tele2 / Altel)',
    );
    assert.equal(await sendTo('+77472234567'), 'provider smsc');
  });

  test('in two parts by the first provider as usual is kept with its parts', async () => {
    await route('order');
    const key = await service.key({ channels: ['sms'] });
    const body = {
      phone: numberOf('7701'),
      url: 'https://example.kz/a',
      channel: 'sms',
      text: 'Ваш заказ собран и ждёт вас на складе по адресу Абая, 10',
    };
    const sent = await service.call('/links/send', body, key);
    const way = await wayOf(key, sent.body.message_id as MessageId);
    assert.equal(way, 'provider smsc (first in the order), parts: 2');
  });

  test('to a ported number does not go by its digits any more', async () => {
    const phone = numberOf('7747');
    await service.ctx.db.transaction((tx) =>
      storePorted(tx, [{ phone: phone.slice(1) as Phone, operator: 'kcell' }]),
    );
    await route('order', [{ to: '7747', provider: 'mobizon' }]);
    assert.equal(await sendTo(phone), 'provider smsc');
    assert.match(await sendTo(numberOf('7747')), /^provider mobizon \(route/);
  });

  test('to a ported number goes by the operator that it was ported to', async () => {
    const phone = numberOf('7701');
    await service.ctx.db.transaction((tx) =>
      storePorted(tx, [{ phone: phone.slice(1) as Phone, operator: 'beeline' }]),
    );
    const beeline = [{ to: 'beeline', provider: 'mobizon' }] as const;
    await route('order', beeline);
    assert.equal(await sendTo(phone), 'provider mobizon (route for numbers of Beeline)');
    assert.equal(await sendTo(numberOf('7701')), 'provider smsc');

    await route('order', beeline, {
      findPortedNumber: () => Promise.reject(new Error('the database is away')),
    });
    assert.equal(await sendTo(numberOf('7705')), 'provider mobizon (route for numbers of Beeline)');
  });

  test('that its provider refuses goes to the next one, and the story says so', async () => {
    await route('order', [{ to: 'kcell', provider: 'mobizon' }]);
    const phone = numberOf('7702');
    mobizon.simulator.plans.add({ does: 'refuse', to: phone.slice(1) });
    assert.equal(await sendTo(phone), 'provider smsc (the provider before it did not accept)');
  });

  test('goes to the cheapest by the costs of the desk, and the figures count its parts', async () => {
    const who = await operator();
    const today = dayText(almatyDay(new Date(), 0));
    for (const [provider, cost] of [
      ['smsc', 1_900],
      ['mobizon', 1_250],
      ['http-sms', 1_400],
    ] as const) {
      const body = { provider, item: 'sms' as const, valid_from: today, cost_tiyn: cost };
      (await as(who).call(F.setProviderCost, { body: body as never })).ok();
    }
    await route('price');
    assert.equal(await sendTo(numberOf('7771')), 'provider mobizon (lowest rate)');

    const key = await service.key({ channels: ['sms'] });
    const body = {
      phone: numberOf('7771'),
      url: 'https://example.kz/a',
      channel: 'sms',
      text: 'Ваш заказ собран и ждёт вас на складе по адресу Абая, 10',
    };
    const sent = await service.call('/links/send', body, key);
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const way = await wayOf(key, sent.body.message_id as MessageId);
    assert.equal(way, 'provider mobizon (lowest rate), parts: 2');
    await countFigures(service.ctx, new AbortController().signal);
    const { providers } = (await as(who).call(F.figures, { query: { range: '7d' } })).ok();
    const own = providers.find(({ provider }) => provider === 'mobizon');
    // Sent by Mobizon: five codes of one part, and a link of two.
    const [row] = await service.sql<{ n: number }>(
      `select count(*)::integer as n from message where provider_id like 'mobizon:%'`,
    );
    const messages = row?.n ?? 0;
    assert.equal(own?.sends, messages);
    assert.equal(own?.cost_tiyn, (messages + 1) * 1_250);
  });

  test('goes where most was delivered, by operator, and a few go elsewhere to be measured', async () => {
    const key = (await service.key({ balance: 0 })) as never as { companyId: never; keyId: never };
    const past = async (provider: string, prefix: string, deliveredOf60: number) => {
      const before = await service.sql<{ id: string }>('select id::text from message');
      await insertPastMessages(service.sql, {
        ...key,
        count: 60,
        fromHours: 2,
        toHours: 1,
        now: new Date(Date.now() + before.length),
        columns: {
          recipient: `${prefix}0000000 + n`,
          receipt: `case when n <= ${deliveredOf60} then 'delivered' else 'unconfirmed' end`,
        },
      });
      await service.sql(
        `update message set provider_id = $1 || ':' || id where id::text <> all ($2)`,
        [provider, before.map(({ id }) => id)],
      );
    };
    await past('smsc', '7701', 40);
    await past('mobizon', '7701', 58);
    await past('smsc', '7777', 59);
    await past('mobizon', '7777', 30);
    await route('delivery');
    assert.equal(
      await sendTo(numberOf('7701')),
      'provider mobizon (best delivery in the last day)',
    );
    assert.equal(await sendTo(numberOf('7777')), 'provider smsc (best delivery in the last day)');
    // To operators with too few messages: 99 of 120 were delivered by SMSC, 88 by Mobizon.
    assert.equal(await sendTo(numberOf('7747')), 'provider smsc (best delivery in the last day)');
    await route('delivery', [], { chance: 0.01 });
    assert.equal(
      await sendTo(numberOf('7777')),
      'provider mobizon (control share, to measure delivery)',
    );
  });
});

test('what a provider delivered is counted of live SMS that it accepted, but for the newest minutes', async () => {
  const company = async () =>
    (await service.key({ balance: 0 })) as never as { companyId: never; keyId: never };
  const past = async (
    provider: string,
    count: number,
    { hours = [2, 1], columns = {} }: { hours?: [number, number]; columns?: object },
  ) => {
    const key = await company();
    const [fromHours, toHours] = hours;
    await insertPastMessages(service.sql, { ...key, count, fromHours, toHours, columns });
    await service.sql(`update message set provider_id = $1 || ':' || id where company_id = $2`, [
      provider,
      key.companyId,
    ]);
    return key.companyId;
  };
  await past('measured', 5, {
    columns: { receipt: `case when n = 1 then 'read' else 'delivered' end` },
  });
  await past('measured', 3, { columns: { receipt: 'null' } });
  await past('measured', 2, { columns: { receipt: `'failed'` } });
  await past('measured', 10, { columns: { is_test: 'true' } });
  await past('measured', 10, { columns: { state: `'failed'`, receipt: 'null' } });
  await past('measured', 10, { columns: { channel: `'whatsapp'` } });
  await past('measured', 10, { hours: [0.05, 0] });
  await past('measured', 10, { hours: [30, 25] });
  // The first attempt of each was by another provider, which delivered none of them.
  const retried = await past('measured', 4, { columns: { attempt: '2' } });
  await service.sql(
    `insert into attempt (company_id, message_id, number, channel, state, receipt, provider_id, price, started_at)
     select company_id, id, a.number, 'sms', a.state, a.receipt, a.provider || ':' || id, 0, created_at
     from message, (values (1, 'accepted'::attempt_state, 'failed'::receipt, 'before'),
       (2, 'accepted', 'delivered', 'measured'), (3, 'refused', null, 'measured')) as a(number, state, receipt, provider)
     where company_id = $1`,
    [retried],
  );
  const nowMs = Date.now();
  const rows = await measureSmsProviders(service.ctx.db, {
    since: new Date(nowMs - 24 * 3_600_000),
    until: new Date(nowMs - 5 * 60_000),
  });
  const found = rows.filter(({ provider }) => ['measured', 'before'].includes(provider));
  assert.deepEqual(
    found.toSorted((a, b) => a.provider.localeCompare(b.provider)),
    [
      { provider: 'before', prefix: '7701', accepted: 4, delivered: 0 },
      { provider: 'measured', prefix: '7701', accepted: 14, delivered: 9 },
    ],
  );
});
