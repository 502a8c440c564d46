/** A desk with something on every page, as after some weeks of work. */
import { ADMIN_ENDPOINTS as E } from '@zhiber/contract/admin/endpoints.ts';
import type { Static } from 'typebox';
import type { App } from '../../../src/app.ts';
import { createCompany } from '../../../src/company/create-company.ts';
import { type CompanyId, newId } from '../../../src/ids.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { countFigures } from '../../../src/operators/count-figures.ts';
import { creditPayment } from '../../../src/topups/credit-payment.ts';
import { insertOrder } from '../../../src/topups/order-store.ts';
import type { OperatorWithApp, openDeskOf } from '../../admin/admin-client.ts';
import { openCabinetOf } from '../../cabinet/cabinet-client.ts';
import { openTestBank } from '../../cabinet/test-bank.ts';

const LONG_NAME = 'ТОО «Қазақстан-Ресей Білім және Медицина орталығы Сымбат»';

type Ctx = App['ctx'];
type Client = ReturnType<typeof openDeskOf>;
export type DeskWorld = { companyId: CompanyId; paymentId: string; incidentId: number };

/** The address of every page of the desk, below `/admin/`. */
export const deskPages = ({ companyId, paymentId, incidentId }: DeskWorld) => ({
  overview: '',
  companies: 'companies',
  company: `companies/${companyId}`,
  search: 'search',
  payments: 'payments',
  'payment-list': 'payments/list',
  payment: `payments/list/${paymentId}`,
  orders: 'payments/orders',
  statement: 'payments/statement',
  prices: 'prices',
  senders: 'prices/senders',
  channels: 'channels',
  incidents: 'incidents',
  incident: `incidents/${incidentId}`,
  abuse: 'abuse',
  jobs: 'jobs',
  figures: 'figures',
  audit: 'audit',
  'not-found': 'nothing',
});

export async function fillDesk(
  app: App,
  client: Client,
  [first, second]: readonly [OperatorWithApp, OperatorWithApp],
): Promise<DeskWorld> {
  const { ctx } = app;
  openBanks(ctx);
  const companyId = await makeCompany(app, LONG_NAME);
  const { paymentId } = await fillPayments(ctx, companyId);
  await fillAbuse(ctx, companyId);
  await fillFigures(ctx);
  await fillProviders(ctx);
  const desk = client.as(first);
  await decide(desk, companyId);
  await fillStatement(desk);
  const body = { amount: 900, reason: 'Ошибка плательщика', refunded: 0 };
  (await desk.call(E.refundPayment, { params: { id: paymentId }, body })).ok();
  const large = { request_id: 'a'.repeat(32), amount: 150_000, reason: 'Бонус по договору № 17' };
  await client.as(second).call(E.correctBalance, { params: { id: companyId }, body: large });
  return { companyId, paymentId, incidentId: await openIncident(desk) };
}

/** Banks as in an installation that is connected to them: one by notices, one by statements. */
export function openBanks(ctx: Ctx): void {
  ctx.payments = [
    openTestBank(() => ctx),
    openTestBank(() => ctx, { name: 'transfer', confirmation: 'operator' }),
  ];
}

/** A company with an owner. */
export async function makeCompany(app: App, name: string): Promise<CompanyId> {
  const { companyId } = await openCabinetOf(app).person({ role: 'owner' });
  await app.ctx.db.query(
    `update company set name = $2, business_id = '080840003214' where id = $1`,
    [companyId, name],
  );
  return companyId as CompanyId;
}

let orders = 0;
export async function makeOrder(
  { db }: Pick<Ctx, 'db'>,
  companyId: CompanyId,
  state: string,
  provider = 'transfer',
): Promise<{ id: string; reference: string }> {
  orders += 1;
  const id = newId(Date.now());
  const reference = `ZB-PAGE${String(orders).padStart(4, '0')}`;
  await insertOrder(db, {
    id,
    company_id: companyId,
    reference,
    provider,
    amount: 50_000,
    payer_name: 'ТОО «Сымбат Медикал»',
    payer_business_id: '080840003214',
    provider_id: reference,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: new Date(Date.now() + 3_600_000),
    next_check_at: null,
  });
  await db.query('update payment_order set state = $2::payment_order_state where id = $1', [
    id,
    state,
  ]);
  return { id, reference };
}

/** Orders in every state, payments with and without flags, and what waits for a person. */
async function fillPayments(ctx: Ctx, companyId: CompanyId): Promise<{ paymentId: string }> {
  const { id: orderId } = await makeOrder(ctx, companyId, 'expired', 'freedom-pay');
  for (const state of ['pending', 'checking', 'manual', 'cancelled']) {
    await makeOrder(ctx, companyId, state, 'freedom-pay');
  }
  await makeOrder(ctx, companyId, 'manual');
  const pay = async (amount: number, document: string) =>
    await creditPayment(
      ctx,
      {},
      {
        companyId,
        orderId,
        provider: 'freedom-pay',
        providerPaymentId: document,
        amount,
        paidAt: new Date(),
      },
    );
  await pay(49_900, '1417340612');
  await pay(50_000, '1417340958');
  const [payment] = await ctx.db.query<{ id: string }>(
    `select id from payment where company_id = $1 order by credited_at limit 1`,
    [companyId],
  );
  const paymentId = payment?.id ?? '';
  await ctx.db.query(
    `insert into fiscal_receipt (id, payment_id, company_id, is_return, amount, state, tries, error, created_at)
     values (new_id(), $1, $2, false, 49900, 'failed', 9, 'Смена закрыта: продолжительность больше 24 часов', clock_timestamp())`,
    [paymentId, companyId],
  );
  await ctx.db.query(
    `insert into payment_notice (id, provider, received_at, body, reference, content, outcome, handled_at, tries)
     values (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZB-UNKNOWN', $1, 'unknown_order', clock_timestamp(), 1),
       (new_id(), 'freedom-pay', clock_timestamp(), '', 'ZB-GIVENUP', '{}', null, null, 20)`,
    [JSON.stringify({ payment: { amount: 1250.5, currency: 'USD' } })],
  );
  return { paymentId };
}

/** Streams of codes that nobody enters, and what is closed. */
export async function fillAbuse(ctx: Ctx, companyId: CompanyId): Promise<void> {
  await ctx.db.query(
    `insert into guard_decision (minute, company_id, prefix, sent, verified, bound, action, sends, probes)
     values (date_trunc('minute', clock_timestamp()), $1, '7701', 1640, 41, 0.083, 'blocked', 1212, 2),
       (date_trunc('minute', clock_timestamp()) - interval '1 hour', $1, '99890', 64, 1, 0.02, 'recorded', 12, 2)`,
    [companyId],
  );
  await ctx.db.query(
    `insert into person (id, name, email, blocked_at, blocked_because)
     values ('blocked-1', 'Серик Ахметов', 'serik@example.kz', clock_timestamp(), 'Массовая регистрация компаний')`,
  );
  await createKey(ctx.db, {
    companyId,
    name: 'Сайт клиники',
    isTest: false,
    dailyCap: 20_000,
    monthlyCap: 300_000,
    expiresAt: new Date(Date.now() + 5 * 86_400_000),
  });
  await createKey(ctx.db, { companyId, name: 'Проба', isTest: true });
  for (const name of ['Magnum', 'Chocofood']) await createCompany(ctx, name);
}

export async function fillFigures(ctx: Ctx): Promise<void> {
  await countFigures(ctx, new AbortController().signal);
  // Days that are final, so that no count replaces them.
  await ctx.db.query(
    `insert into figure_day (day, item, provider, prefix, sends, delivered, failed, charged, carried)
     select current_date - n, item, provider, prefix, sends * n, sends * n * 9 / 10, n, sends * n * price, sends * n
     from generate_series(6, 25) n, (values ('sms', 'smsc', '7701', 40, 8), ('sms', 'smsc', '7777', 25, 8),
       ('whatsapp', 'green-api', '7701', 30, 3), ('telegram', 'telegram-gateway', '99890', 2, 3))
       as f(item, provider, prefix, sends, price)`,
  );
  await ctx.db.query(
    `insert into code_day (day, prefix, sent, verified) select current_date - n, '7701', 60 * n, 51 * n
     from generate_series(6, 25) n`,
  );
}

/** Another node, which stays in sight of the tests. */
async function fillProviders(ctx: Ctx): Promise<void> {
  const smsc = {
    name: 'smsc',
    circuit: 'open',
    inFlight: 3,
    isUp: null,
    detail: null,
    answerMsP99: 812,
  };
  const smpp = {
    name: 'smpp',
    circuit: 'closed',
    inFlight: 0,
    isUp: true,
    detail: 'Bound at smsc.example:2775.',
    answerMsP99: 96,
  };
  await ctx.db.query(
    `insert into node_state (node, version, started_at, seen_at, providers)
     values ('zhiber-web-2 17', '0.9.0', clock_timestamp(), clock_timestamp() + interval '1 hour', $1)`,
    [JSON.stringify([smsc, smpp])],
  );
  await ctx.db.query(
    `insert into provider_minute (minute, provider, accepted, refused, unavailable, unknown, skipped)
     values (date_trunc('minute', clock_timestamp()), 'smsc', 1204, 12, 31, 2, 44),
       (date_trunc('minute', clock_timestamp()), 'smpp', 8310, 4, 0, 1, 0)`,
  );
}

type Desk = ReturnType<Client['as']>;

/** Prices with a history, a sender name, a correction, a suspension, a pardon, a barred site. */
async function decide(desk: Desk, companyId: CompanyId): Promise<void> {
  const params = { id: companyId };
  const from = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const correction = { request_id: 'b'.repeat(32), amount: 500, reason: 'Компенсация за сбой SMS' };
  const suspension = { reason: 'Жалобы абонентов на спам' };
  const [other] = (await desk.call(E.companies, { query: { search: 'Magnum' } })).ok().rows;
  const answers = [
    await desk.call(E.setPrice, { body: { item: 'sms', tokens: 9 } }),
    await desk.call(E.setPrice, { body: { item: 'sms', tokens: 11, from } }),
    await desk.call(E.setCompanyPrice, { params, body: { item: 'sms', tokens: 7 } }),
    await desk.call(E.setCompanyPrice, { params, body: { item: 'sms', tokens: null, from } }),
    await desk.call(E.addSenderName, { body: { name: 'Symbat', note: 'Договор № 17' } }),
    await desk.call(E.chooseSenderName, { params, body: { name: 'Symbat' } }),
    await desk.call(E.correctBalance, { params, body: correction }),
    await desk.call(E.pardonStream, {
      body: { company_id: companyId, prefix: '7701', hours: 6, reason: 'Клиент показал рассылку' },
    }),
    await desk.call(E.barHost, { body: { host: 'evil.kz', reason: 'Поддельный банк' } }),
    await desk.call(E.setProviderCost, {
      body: { provider: 'smsc', item: 'sms', valid_from: '2026-01-01', cost_tiyn: 550 },
    }),
    await desk.call(E.suspendCompany, { params: { id: other?.id ?? 0 }, body: suspension }),
  ];
  for (const answer of answers) answer.ok();
}

/** A statement with a line that names no order. */
async function fillStatement(desk: Desk): Promise<void> {
  const file = Buffer.from(
    'Дата;№ документа;Кредит;Плательщик;Назначение платежа\n01.11.2026;17;12000;ИП Лист;Оплата по договору за услуги связи\n',
  );
  (await desk.call(E.importStatement, { file })).ok();
}

async function openIncident(desk: Desk): Promise<number> {
  const body: Static<(typeof E.createIncident)['body']> = {
    title: { ru: 'SMS доходят с задержкой', en: 'SMS are late' },
    impact: 'major',
    components: ['sms', 'api'],
    state: 'investigating',
    text: { ru: 'Оператор связи сообщил о сбое. Коды в WhatsApp и Telegram приходят сразу.' },
  };
  const { id } = (await desk.call(E.createIncident, { body })).ok();
  const params = { incident_id: id };
  (await desk.call(E.publishIncident, { params })).ok();
  const text = { ru: 'Причина найдена: сбой у одного из операторов.', en: 'The cause is found.' };
  (await desk.call(E.updateIncident, { params, body: { state: 'identified', text } })).ok();
  return id;
}
