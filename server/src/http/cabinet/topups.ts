import type {
  Requisites,
  TOPUP_ENDPOINTS,
  Topup,
  TopupPayment,
  TopupRow,
} from '@zhiber/contract/cabinet/topups.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { cancelOrder, claimPaid, createOrder } from '../../topups/orders.ts';
import type { TopupPayment as StoredPayment } from '../../topups/payment-store.ts';
import {
  type ListedTopup,
  listTopups,
  type ReadTopup,
  readTopup,
  readTopupOptions,
} from '../../topups/read-topups.ts';
import { readBusinessId } from './company.ts';
import { actorOf, DONE, type HandlersOf } from './endpoint.ts';

export const TOPUP_HANDLERS: HandlersOf<typeof TOPUP_ENDPOINTS> = {
  async topupOptions({ ctx }, { companyId }) {
    const { providers, ...options } = await readTopupOptions(ctx, companyId);
    return {
      success: true,
      ...options,
      providers: providers.map(({ name, confirmation }) => ({ name, confirmation })),
    };
  },

  async topups({ ctx }, { companyId, query }) {
    const { cursor, is_open: isOpen } = query;
    const { topups, next } = await listTopups(ctx, companyId, { cursor, isOpen });
    return { success: true, rows: topups.map(toRow), next };
  },

  async topup({ ctx }, { companyId, params }) {
    return toTopup(ctx, await readTopup(ctx, { companyId, id: readTopupId(params.id) }));
  },

  async createTopup({ ctx }, { companyId, body, user, origin }) {
    const id = await createOrder(ctx, actorOf(user, origin), {
      companyId,
      requestId: body.request_id,
      provider: body.provider,
      amount: body.amount,
      payer: { name: body.payer_name.trim(), businessId: readBusinessId(body.business_id) },
      language: body.language ?? 'ru',
    });
    return { success: true, id };
  },

  async cancelTopup({ ctx }, { companyId, params, user, origin }) {
    const id = readTopupId(params.id);
    await cancelOrder(ctx, actorOf(user, origin), { companyId, id });
    return DONE;
  },

  async claimTopup({ ctx }, { companyId, params }) {
    await claimPaid(ctx, { companyId, id: readTopupId(params.id) });
    return DONE;
  },
};

function readTopupId(text: string | undefined): string {
  const id = text?.toLowerCase() ?? '';
  if (!isId(id)) throw new Problem('not_found');
  return id;
}

function toRow(topup: ListedTopup): TopupRow {
  return {
    id: topup.id,
    reference: topup.reference,
    provider: topup.provider as TopupRow['provider'],
    amount: topup.amount,
    state: topup.state,
    created_at: topup.created_at.toISOString(),
    expires_at: topup.expires_at?.toISOString() ?? null,
    payments: topup.payments.map(toPayment),
  };
}

function toTopup({ config, payments }: Context, order: ReadTopup): Topup {
  const provider = payments.find(({ name }) => name === order.provider);
  // Of a way to pay that is closed by now, only the operator can tell what has arrived.
  const confirmation = provider?.confirmation ?? 'operator';
  return {
    success: true,
    ...toRow(order),
    reference: order.reference,
    provider: order.provider as Topup['provider'],
    expires_at: order.expires_at.toISOString(),
    seconds_left: order.secondsLeft,
    payer: { name: order.payer_name, business_id: order.payer_business_id },
    is_ready: order.provider_id !== null,
    qr: order.qr,
    pay_url: order.pay_url,
    requisites: order.provider === 'transfer' ? toRequisites(config) : null,
    bank: order.provider === 'merchant-qr' ? (config.payments['merchant-qr']?.bank ?? null) : null,
    is_typed: confirmation === 'operator',
    can_claim: confirmation !== 'notice',
    balance: order.balance,
  };
}

/** Null where the operator has set no bank account. */
function toRequisites({ payments: { seller } }: Context['config']): Requisites | null {
  if (seller?.name === undefined || seller.businessId === undefined || seller.iban === undefined) {
    return null;
  }
  return {
    name: seller.name,
    business_id: seller.businessId,
    iban: seller.iban,
    bank: seller.bank ?? null,
    bic: seller.bic ?? null,
    kbe: seller.kbe ?? null,
    knp: seller.knp ?? null,
  };
}

function toPayment(payment: StoredPayment): TopupPayment {
  return {
    id: payment.id,
    amount: payment.amount,
    bonus: payment.bonus,
    debt_paid: payment.debt_paid,
    paid_at: payment.paid_at.toISOString(),
    is_late: payment.is_late,
    is_repeated: payment.is_repeated,
    is_other_amount: payment.is_other_amount,
    refunded: payment.refunded,
    receipt_number: payment.receipt_number,
    receipt_url: `/cabinet/papers/receipts/${payment.receipt_number}`,
  };
}
