/** What a payer does in the app of the sandbox bank, and the notices that follow. */
import type { Database } from '../db/database.ts';
import { newId } from '../ids.ts';
import {
  type NoticeResult,
  type SandboxBankDeps,
  SIGNATURE_HEADER,
  signatureOf,
} from './sandbox-bank.ts';
import {
  type BankOrder,
  type BankPayment,
  cancelBankOrder,
  findBankOrder,
  findBankPayments,
  insertBankPayment,
  lockBankOrder,
  refundBankPayment,
  setNotified,
} from './sandbox-bank-store.ts';

export type { BankOrder, BankPayment };

export type BankApp = {
  find(reference: string): Promise<{ order: BankOrder; payments: BankPayment[] } | undefined>;
  /** Pays each of the amounts. */
  pay(reference: string, amounts: readonly number[]): Promise<ActOutcome>;
  /** Only while nothing is paid. */
  cancel(reference: string): Promise<ActOutcome>;
  /** Sends back what is left of a payment. */
  refund(reference: string, paymentId: string): Promise<ActOutcome>;
};

export type ActOutcome = 'done' | 'no_order' | 'not_possible';

export type BankAppDeps = SandboxBankDeps & { db: Pick<Database, 'query' | 'transaction'> };

/** The service answers its own bank at once; a page is waiting. */
const NOTICE_LIMIT_MS = 5_000;
/** The last part of the path that the service takes notices at. */
const NOTICE_PATH = '/payments/sandbox-bank/result';

export function openBankApp(deps: BankAppDeps): BankApp {
  const { db, clock } = deps;
  const notify = async (payment: BankPayment, result: NoticeResult) => {
    const isTaken = await sendNotice(deps, { payment, result });
    await setNotified(db, payment.id, isTaken ? clock.now() : null);
  };

  return {
    async find(reference) {
      const order = await findBankOrder(db, reference);
      if (order === undefined) return undefined;
      return { order, payments: await findBankPayments(db, reference) };
    },
    async pay(reference, amounts) {
      const now = clock.now();
      const outcome = await db.transaction(async (tx) => {
        const order = await lockBankOrder(tx, reference);
        if (order === undefined) return 'no_order';
        if (order.cancelled_at !== null) return 'not_possible';
        const payments = amounts.map((amount) => ({
          id: `SB-${newId(now.getTime())}`,
          reference,
          amount,
          paid_at: now,
          refunded: 0,
          notified_at: null,
        }));
        for (const payment of payments) await insertBankPayment(tx, payment);
        return payments;
      });
      if (typeof outcome === 'string') return outcome;
      for (const payment of outcome) await notify(payment, 'paid');
      return 'done';
    },
    async cancel(reference) {
      const now = clock.now();
      const outcome = await db.transaction(async (tx) => {
        const order = await lockBankOrder(tx, reference);
        if (order === undefined) return 'no_order';
        const isPaid = (await findBankPayments(tx, reference)).length > 0;
        if (isPaid || order.cancelled_at !== null) return 'not_possible';
        await cancelBankOrder(tx, reference, now);
        return order;
      });
      if (typeof outcome === 'string') return outcome;
      const { amount } = outcome;
      const none = { id: `${reference}-none`, reference, amount, paid_at: now, refunded: 0 };
      await sendNotice(deps, { payment: none, result: 'failed' });
      return 'done';
    },
    async refund(reference, paymentId) {
      const find = async () =>
        (await findBankPayments(db, reference)).find(({ id }) => id === paymentId);
      const payment = await find();
      if (payment === undefined) return 'no_order';
      const amount = payment.amount - payment.refunded;
      const refundId = newId(clock.now().getTime());
      const isDone = amount > 0 && (await refundBankPayment(db, { paymentId, refundId, amount }));
      if (!isDone) return 'not_possible';
      await notify((await find()) as BankPayment, 'refunded');
      return 'done';
    },
  };
}

/** False when the service did not take it. The service asks the bank later in any case. */
async function sendNotice(
  { secrets, publicUrl }: BankAppDeps,
  { payment, result }: { payment: Omit<BankPayment, 'notified_at'>; result: NoticeResult },
): Promise<boolean> {
  const body = Buffer.from(
    JSON.stringify({
      reference: payment.reference,
      result,
      payment_id: payment.id,
      amount: payment.amount,
      currency: 'KZT',
      paid_at: payment.paid_at,
      refunded: payment.refunded,
    }),
  );
  try {
    const answer = await fetch(publicUrl() + NOTICE_PATH, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signatureOf(body, secrets),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(NOTICE_LIMIT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
