/**
 * A node of the service that takes payments: over real sockets, with the simulator of Freedom Pay on
 * the other side. The watch is run by the tests, at a time of their choice.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import pino from 'pino';
import { FREEDOM_PAY } from '../../../simulators/credentials.ts';
import { startFreedomPay } from '../../../simulators/freedom-pay.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import type { Context } from '../../src/context.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { openPayments } from '../../src/payments/open-payments.ts';
import type { PaymentProvider } from '../../src/payments/payment.ts';
import { createLazy } from '../../src/runtime/cache.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { endOverdue, watchProvider } from '../../src/topups/watch-payments.ts';
import { useService } from '../harness.ts';
import { openContext } from '../money/two-nodes.ts';

export type OrderRow = { state: string; next_check_at: Date | null; checks: number };
export type PaymentRow = {
  amount: number;
  bonus: number;
  refunded: number;
  is_late: boolean;
  is_repeated: boolean;
  is_other_amount: boolean;
};

/** To be awaited before any test is registered. */
export async function usePayments() {
  const closers: (() => Promise<unknown>)[] = [];
  // Registered before the hook of the service, so that the nodes close before the database.
  after(async () => {
    await closers.reduceRight((ended, close) => ended.finally(close), Promise.resolve<unknown>(0));
  });
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  let url = '';
  const openBank = async () => {
    const bank = await startFreedomPay({ ...FREEDOM_PAY, repeatMs: 250 });
    closers.push(() => bank.close());
    const { providers, close } = await openPayments(
      { 'freedom-pay': { ...FREEDOM_PAY, url: bank.url } },
      { isSandbox: false, log: logger, publicUrl: () => url, pauseMs: 0 },
    );
    closers.push(close);
    return { bank, provider: providers[0] as PaymentProvider };
  };
  const { bank, provider } = await openBank();
  const service = useService({
    payments: [provider],
    log: { write: (line: string) => void log.push(line) },
  });
  const listen = createLazy(async () => {
    await service.http.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(service.http.server.address() as AddressInfo).port}`;
  });
  const { sql } = service;
  let orders = 0;

  return {
    service,
    log,
    sql,
    bank,
    provider,
    get url() {
      return url;
    },
    /** Another simulator, and an adapter for it. */
    openBank,
    /** Another node on the same database. */
    openNode(): Context {
      const node = openContext(service);
      closers.push(node.close);
      return { ...node.ctx, log: service.ctx.log };
    },
    /** Creates a payment at the provider and the order that it is for. */
    async order(
      companyId: CompanyId,
      amount: number,
      more: { provider?: PaymentProvider; endsInSeconds?: number } = {},
    ): Promise<string> {
      await listen();
      orders += 1;
      const reference = `ZB-${process.pid}-${String(orders).padStart(3, '0')}`;
      const by = more.provider ?? provider;
      const created = await by.create(
        { reference, amount, description: 'Пополнение баланса', language: 'ru' },
        AbortSignal.timeout(5_000),
      );
      assert(created.result === 'created', JSON.stringify(created));
      const now = Date.now();
      await insertOrder(service.ctx.db, {
        id: newId(now),
        company_id: companyId,
        reference,
        provider: by.name,
        amount,
        payer_name: 'ТОО «Плательщик»',
        payer_business_id: null,
        provider_id: created.providerId,
        qr: created.qr ?? null,
        pay_url: created.payUrl ?? null,
        created_by: null,
        expires_at: new Date(now + (more.endsInSeconds ?? by.lifetimeSeconds) * 1_000),
        next_check_at: new Date(now + 10_000),
      });
      return reference;
    },
    /** A round of the watch, with everything due. */
    async watch(ctx: Context = service.ctx): Promise<void> {
      await this.makeDue();
      for (const each of ctx.payments) while (await watchProvider(ctx, each));
      await endOverdue(ctx);
    },
    /** Everything but what was sent back of orders that are paid. */
    makeDue: async () => {
      for (const [table, column, which] of [
        ['payment_order', 'next_check_at', `state <> 'paid'`],
        ['payment_notice', 'next_try_at', 'true'],
        ['refund', 'next_try_at', 'true'],
      ]) {
        await sql(
          `update ${table} set ${column} = clock_timestamp() where ${column} is not null and ${which}`,
        );
      }
    },
    /** A round in which the provider is asked what it has sent back of an order. */
    async watchPaid(reference: string): Promise<void> {
      await sql(
        `update payment_order set next_check_at = clock_timestamp()
         where reference = $1 and state = 'paid' and next_check_at is not null`,
        [reference],
      );
      await watchProvider(service.ctx, provider);
    },
    async orderRow(reference: string): Promise<OrderRow> {
      const [row] = await sql<OrderRow>(
        'select state::text, next_check_at, checks from payment_order where reference = $1',
        [reference],
      );
      return row as OrderRow;
    },
    paymentsOf: (reference: string) =>
      sql<PaymentRow>(
        `select p.amount, p.bonus, p.refunded, is_late, is_repeated, is_other_amount
         from payment p join payment_order o on o.id = p.order_id where o.reference = $1 order by p.id`,
        [reference],
      ),
    async moneyOf(companyId: CompanyId) {
      const [row] = await sql<{ balance: number; debt: number }>(
        'select balance, debt from account where company_id = $1',
        [companyId],
      );
      return row;
    },
    /** Of the notices about an order: how many have each outcome, `null` for those not handled. */
    async outcomesOf(reference: string): Promise<Record<string, number>> {
      const rows = await sql<{ outcome: string | null; count: number }>(
        `select outcome, count(*)::integer as count from payment_notice where reference = $1 group by outcome`,
        [reference],
      );
      return Object.fromEntries(rows.map(({ outcome, count }) => [String(outcome), count]));
    },
    async assertClean(): Promise<void> {
      const { violations } = await auditIn(service.ctx.db);
      assert.deepEqual(
        Object.entries(violations).filter(([, count]) => count > 0),
        [],
      );
    },
  };
}
