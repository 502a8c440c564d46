import type {
  ADMIN_PAYMENT_ENDPOINTS,
  DeskFiscalReceipt,
  DeskLine,
  DeskNotice,
  DeskOrder,
  DeskPayment,
  DeskRefund,
} from '@zhiber/contract/admin/payments.ts';
import type { Context } from '../../context.ts';
import { type CompanyId, isId } from '../../ids.ts';
import {
  askAboutOrder,
  canAskAbout,
  canRefund,
  closeOrder,
  confirmOrderAtDesk,
  type DeskNoticeRow,
  type DeskOrderRow,
  type DeskPaymentRow,
  type DeskRefundRow,
  listOrdersAtDesk,
  listPaymentsAtDesk,
  previewRefundAtDesk,
  readPaymentAtDesk,
  readPaymentQueue,
  refundAtDesk,
  retryFiscalAtDesk,
  retryRefundAtDesk,
  reviewAtDesk,
  type StoredLine,
  type StuckReceipt,
  settleRefundAtDesk,
} from '../../operators/payment-desk.ts';
import { actorOf } from '../../operators/sign-in.ts';
import { Problem } from '../../problem.ts';
import { type ImportedLine, importStatement } from '../../topups/import-statement.ts';
import { matchLine } from '../../topups/match-line.ts';
import { reasonText } from '../../topups/statement-words.ts';
import { DONE } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_PAYMENT_HANDLERS: AdminHandlersOf<typeof ADMIN_PAYMENT_ENDPOINTS> = {
  async paymentQueue({ ctx }) {
    const { orders, lines, notices, refunds, flagged, fiscal } = await readPaymentQueue(ctx);
    return {
      success: true,
      orders: { ...orders, rows: orders.rows.map((row) => toOrder(ctx, row)) },
      lines: { ...lines, rows: lines.rows.map(toLine) },
      notices: { ...notices, rows: notices.rows.map(toNotice) },
      refunds: { ...refunds, rows: refunds.rows.map((row) => toRefund(ctx, row)) },
      flagged: { ...flagged, rows: flagged.rows.map(toPayment) },
      fiscal: { ...fiscal, rows: fiscal.rows.map(toFiscal) },
    };
  },

  async paymentOrders({ ctx }, { query }) {
    const { rows, next } = await listOrdersAtDesk(ctx, toFilter(query));
    return { success: true, rows: rows.map((row) => toOrder(ctx, row)), next };
  },

  async payments({ ctx }, { query }) {
    const { rows, next, totals } = await listPaymentsAtDesk(ctx, toFilter(query));
    return { success: true, rows: rows.map(toPayment), next, totals };
  },

  async payment({ ctx }, { params }) {
    const { payment, refunds } = await readPaymentAtDesk(ctx, readUuid(params.id));
    return {
      success: true,
      payment: toPayment(payment),
      refunds: refunds.map((row) => toRefund(ctx, row)),
      is_refunded_by_provider: canRefund(ctx, payment),
    };
  },

  async confirmOrder({ ctx }, { params, body, operator, origin }) {
    const outcome = await confirmOrderAtDesk(ctx, actorOf(operator, origin), {
      orderId: readUuid(params.id),
      amount: body.amount,
      paidAt: new Date(body.paid_at),
      bankReference: body.bank_reference,
      operator: operator.name,
      paymentsBefore: body.payments,
    });
    const payment = outcome.result === 'used' ? undefined : outcome.payment;
    return {
      success: true,
      result: outcome.result,
      reference: outcome.result === 'used' ? outcome.reference : null,
      receipt_number: payment?.receipt_number ?? null,
      amount: payment?.amount ?? null,
      bonus: payment?.bonus ?? null,
    };
  },

  async askAboutOrder({ ctx }, { params, operator, origin }) {
    const actor = actorOf(operator, origin);
    const { status, order } = await askAboutOrder(ctx, actor, readUuid(params.id));
    return {
      success: true,
      state: status.state,
      reason: status.state === 'unclear' ? status.reason : null,
      order: toOrder(ctx, order),
    };
  },

  async closeOrder({ ctx }, { params, body, operator, origin }) {
    const closed = { id: readUuid(params.id), reason: body.reason.trim() };
    await closeOrder(ctx, actorOf(operator, origin), closed);
    return DONE;
  },

  async importStatement({ ctx }, { file, query, operator, origin }) {
    const actor = actorOf(operator, origin);
    const statement = { bytes: file, operator: operator.name };
    const outcome = await importStatement(ctx, actor, statement);
    const lang = query.language ?? 'ru';
    const isRead = outcome.result === 'imported';
    const lines = isRead ? outcome.lines : [];
    const count = (kind: ImportedLine['outcome']) =>
      lines.filter((line) => line.outcome === kind).length;
    return {
      success: true,
      refusal: isRead ? null : reasonText(outcome.reason, lang),
      outgoing: isRead ? outcome.outgoing : 0,
      counts: {
        credited: count('credited'),
        other_amount: count('other_amount'),
        already: count('already'),
        no_order: count('no_order'),
        unreadable: count('unreadable'),
      },
      amount: lines
        .filter((line) => line.outcome === 'credited' || line.outcome === 'other_amount')
        .reduce((sum, { amount = 0 }) => sum + amount, 0),
      lines: lines.map(({ line, outcome: became, amount, reference, reason }) => ({
        line,
        outcome: became,
        amount: amount ?? null,
        reference: reference ?? null,
        note: reason === undefined ? null : reasonText(reason, lang),
      })),
    };
  },

  async matchLine({ ctx }, { params, body, operator, origin }) {
    const { reference, company_id: companyId } = body;
    if ((reference === undefined) === (companyId === undefined)) {
      throw new Problem('validation_error', {
        errors: { reference: ['Укажите код платежа или компанию'] },
      });
    }
    const outcome = await matchLine(ctx, actorOf(operator, origin), {
      lineId: readUuid(params.id),
      target: reference === undefined ? { companyId: companyId as CompanyId } : { reference },
      operator: operator.name,
    });
    if (outcome.result === 'no_line') throw new Problem('not_found');
    return {
      success: true,
      result: outcome.result,
      target: 'target' in outcome ? outcome.target : null,
    };
  },

  async previewRefund({ ctx }, { params, query }) {
    const refund = { paymentId: readUuid(params.id), amount: query.amount };
    const preview = await previewRefundAtDesk(ctx, refund);
    return { success: true, is_too_much: query.amount > preview.left, ...preview };
  },

  async refundPayment({ ctx }, { params, body, operator, origin }) {
    const refund = await refundAtDesk(ctx, actorOf(operator, origin), {
      paymentId: readUuid(params.id),
      amount: body.amount,
      reason: body.reason.trim(),
      askedBy: operator.name,
      refundedBefore: body.refunded,
    });
    return { success: true, refund: toRefund(ctx, refund) };
  },

  async settleRefund({ ctx }, { params, body, operator, origin }) {
    const settled = { id: readUuid(params.id), result: body.result, note: body.note.trim() };
    await settleRefundAtDesk(ctx, actorOf(operator, origin), settled);
    return DONE;
  },

  async retryRefund({ ctx }, { params, operator, origin }) {
    await retryRefundAtDesk(ctx, actorOf(operator, origin), readUuid(params.id));
    return DONE;
  },

  async retryFiscalReceipt({ ctx }, { params, operator, origin }) {
    await retryFiscalAtDesk(ctx, actorOf(operator, origin), readUuid(params.id));
    return DONE;
  },

  async reviewPayment({ ctx }, { body, operator, origin }) {
    await reviewAtDesk(ctx, actorOf(operator, origin), {
      kind: body.kind,
      id: readUuid(body.id),
      note: body.note?.trim() ?? null,
      by: operator.name,
    });
    return DONE;
  },
};

function readUuid(text: string | undefined): string {
  const id = text?.toLowerCase() ?? '';
  if (!isId(id)) throw new Problem('not_found');
  return id;
}

type ListQuery = {
  cursor?: string | undefined;
  search?: string | undefined;
  company_id?: number | undefined;
  provider?: string | undefined;
  state?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

function toFilter({ company_id: companyId, search, from, to, ...rest }: ListQuery) {
  return {
    ...rest,
    companyId,
    search: search?.trim() || undefined,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}

function toOrder(ctx: Context, { is_created, ...row }: DeskOrderRow): DeskOrder {
  return {
    ...row,
    provider: row.provider as DeskOrder['provider'],
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    can_ask: canAskAbout(ctx, { ...row, is_created }),
  };
}

function toPayment({ is_late, is_repeated, is_other_amount, ...row }: DeskPaymentRow): DeskPayment {
  const flags = { late: is_late, repeated: is_repeated, other_amount: is_other_amount };
  return {
    ...row,
    provider: row.provider as DeskPayment['provider'],
    paid_at: row.paid_at.toISOString(),
    credited_at: row.credited_at.toISOString(),
    flags: (Object.keys(flags) as (keyof typeof flags)[]).filter((flag) => flags[flag]),
  };
}

function toRefund(ctx: Context, { next_try_at, ...row }: DeskRefundRow): DeskRefund {
  return {
    ...row,
    provider: row.provider as DeskRefund['provider'],
    asked_at: row.asked_at.toISOString(),
    settled_at: row.settled_at?.toISOString() ?? null,
    is_stuck: row.state === 'asked' && next_try_at === null,
    can_ask: canRefund(ctx, row),
  };
}

function toFiscal(receipt: StuckReceipt): DeskFiscalReceipt {
  return {
    id: receipt.id,
    payment_id: receipt.payment_id,
    receipt_number: receipt.receipt_number,
    company: { id: receipt.company_id, name: receipt.company },
    is_return: receipt.is_return,
    amount: receipt.amount,
    state: receipt.state,
    tries: receipt.tries,
    error: receipt.error,
    created_at: receipt.created_at.toISOString(),
  };
}

function toLine(line: StoredLine): DeskLine {
  return {
    id: line.id,
    bank_reference: line.bank_reference,
    paid_at: line.paid_at.toISOString(),
    amount: line.amount,
    purpose: line.purpose,
    payer_name: line.payer_name,
    payer_business_id: line.payer_business_id,
    imported_by: line.imported_by,
    imported_at: line.imported_at.toISOString(),
  };
}

function toNotice({ provider, received_at, ...row }: DeskNoticeRow): DeskNotice {
  return {
    ...row,
    provider: provider as DeskNotice['provider'],
    received_at: received_at.toISOString(),
  };
}
