import { almatyTime } from '../../almaty.ts';
import { systemClock } from '../../clock.ts';
import { confirmOrder } from '../../topups/confirm-order.ts';
import type { OrderState } from '../../topups/order-store.ts';
import { findPaymentByReceipt, listPayments } from '../../topups/payment-list-store.ts';
import { askRefund } from '../../topups/refund-payment.ts';
import { type Command, Refusal, UsageError } from '../grammar/command.ts';
import {
  idOf,
  oneOf,
  optionalCompanyId,
  optionalMoment,
  requiredName,
  requiredOption,
  wholeNumber,
} from '../grammar/values.ts';
import { mustHaveCompany, readStorage, withStorage } from '../with-storage.ts';
import { REASON_LENGTH_MAX } from './company.ts';

const SHOWN_MAX = 200;
/** A larger amount is a typing mistake. */
const AMOUNT = { min: 1, max: 1_000_000_000 };
const BANK_REFERENCE_LENGTH_MAX = 100;
/** The audit log records no person for a change from the command line. */
const OPERATOR = {};
const BY_TERMINAL = 'terminal';

const STATES: readonly OrderState[] = [
  'pending',
  'checking',
  'manual',
  'paid',
  'expired',
  'cancelled',
];

export const paymentList: Command = {
  name: 'payment list',
  usage: `[--company ID] [--state ${STATES.join('|')}]`,
  summary: {
    en: `Shows the newest ${SHOWN_MAX} orders and payments`,
    ru: `Показывает счета и платежи, последние ${SHOWN_MAX}`,
  },
  options: { company: 'text', state: 'text' },
  async run({ given, env, texts }) {
    const companyId = optionalCompanyId(given);
    const stateText = given.text('state');
    const state = stateText === undefined ? undefined : oneOf('--state', stateText, STATES);
    const payments = await readStorage(env, async (tools) => {
      if (companyId !== undefined) await mustHaveCompany(tools, companyId);
      return await listPayments(tools.db, { companyId, state, rowsMax: SHOWN_MAX });
    });
    return {
      facts: {
        payments: payments.map((one) => ({ ...one, created_at: one.created_at.toISOString() })),
      },
      lines:
        payments.length === 0
          ? [texts.noPayments]
          : payments.map((one) => texts.paymentLine({ ...one, at: almatyTime(one.created_at) })),
    };
  },
};

export const paymentConfirm: Command = {
  name: 'payment confirm',
  usage: 'REFERENCE --amount N --bank-reference R [--paid-at DATE]',
  summary: {
    en: 'Credits an order whose money is on the bank account; one bank reference credits once',
    ru: 'Зачисляет счёт, деньги за который пришли в банк; один платёж — один раз',
  },
  options: { amount: 'text', 'bank-reference': 'text', 'paid-at': 'text' },
  operands: ['REFERENCE'],
  async run({ given, env, texts }) {
    const reference = (given.operands[0] as string).toUpperCase();
    const amount = wholeNumber('--amount', requiredOption(given, 'amount'), AMOUNT);
    const bankReference = requiredName(given, 'bank-reference', BANK_REFERENCE_LENGTH_MAX);
    const now = systemClock.now();
    const paidAt = optionalMoment(given, 'paid-at', now) ?? now;
    if (paidAt > now) throw new UsageError((say) => say.paidInFuture);
    const outcome = await withStorage(env, (tools) =>
      confirmOrder(tools, OPERATOR, {
        order: { reference },
        amount,
        paidAt,
        bankReference,
        operator: BY_TERMINAL,
      }),
    );
    if (outcome.result === 'no_order') throw new Refusal((say) => say.noOrder(reference));
    if (outcome.result === 'used') {
      throw new Refusal((say) => say.bankReferenceUsed(outcome.reference));
    }
    const { company_id, receipt_number: receipt, bonus } = outcome.payment;
    if (outcome.result === 'already') {
      const { amount: credited } = outcome.payment;
      if (credited !== amount) {
        throw new Refusal((say) => say.creditedOtherAmount(receipt, credited));
      }
      return {
        facts: { reference, company_id, already: true, receipt },
        lines: [texts.toppedUpBefore(receipt)],
      };
    }
    const { balance } = outcome;
    return {
      facts: { reference, company_id, amount, bonus, balance, receipt },
      lines: [texts.toppedUp(amount, bonus, balance)],
    };
  },
};

export const paymentRefund: Command = {
  name: 'payment refund',
  usage: 'RECEIPT --amount N --reason TEXT',
  summary: {
    en: 'Takes the tokens of a payment back and asks its provider to return the money',
    ru: 'Списывает токены платежа и просит провайдера вернуть деньги',
  },
  options: { amount: 'text', reason: 'text' },
  operands: ['RECEIPT'],
  async run({ given, env, texts }) {
    const receipt = idOf('RECEIPT', given.operands[0] as string);
    const amount = wholeNumber('--amount', requiredOption(given, 'amount'), AMOUNT);
    const reason = requiredName(given, 'reason', REASON_LENGTH_MAX);
    const outcome = await withStorage(env, async (tools) => {
      const payment = await findPaymentByReceipt(tools.db, receipt);
      if (payment === undefined) throw new Refusal((say) => say.noReceipt(receipt));
      const ask = { paymentId: payment.id, amount, reason, askedBy: BY_TERMINAL };
      return await askRefund(tools, OPERATOR, ask);
    });
    if (outcome.result === 'no_payment') throw new Refusal((say) => say.noReceipt(receipt));
    if (outcome.result === 'too_much') {
      throw new Refusal((say) => say.refundTooMuch(outcome.left));
    }
    const { id, company_id, taken, owed, bonus } = outcome.refund;
    return {
      facts: { refund_id: id, company_id, receipt, amount, bonus, taken, owed },
      lines: [texts.refundAsked({ amount, bonus, owed })],
    };
  },
};
