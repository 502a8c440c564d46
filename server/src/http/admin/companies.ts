import type {
  ADMIN_COMPANY_ENDPOINTS,
  CompanyPage,
  CompanyRow,
  Correction,
} from '@zhiber/contract/admin/companies.ts';
import type { CompanyId, KeyId } from '../../ids.ts';
import {
  chooseCompanySender,
  limitCompanyKey,
  resumeCustomer,
  setCompanyPrice,
  suspendCustomer,
} from '../../operators/change-company.ts';
import {
  approveCorrection,
  askForCorrection,
  declineCorrection,
  listCorrections,
  listWaitingCorrections,
} from '../../operators/correct-company.ts';
import type { CurrentOperator } from '../../operators/current-operator.ts';
import { withdrawPriceAtDesk } from '../../operators/price-desk.ts';
import { listCompanies, readCompanyDetails } from '../../operators/read-company.ts';
import { actorOf } from '../../operators/sign-in.ts';
import { viewCompany } from '../../operators/view-company.ts';
import { DONE, type Origin, readId } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_COMPANY_HANDLERS: AdminHandlersOf<typeof ADMIN_COMPANY_ENDPOINTS> = {
  async companies({ ctx }, { query }) {
    const { companies, next } = await listCompanies(ctx, query);
    const rows = companies.map(
      ({ rank, created_at, ...company }): CompanyRow => ({
        ...company,
        created_at: created_at.toISOString(),
      }),
    );
    return { success: true, rows, next };
  },
  async company({ ctx }, { params, operator }) {
    const companyId = companyOf(params);
    const [details, corrections] = await Promise.all([
      readCompanyDetails(ctx, companyId),
      listCorrections(ctx, companyId),
    ]);
    return {
      ...toPage(details),
      corrections: corrections.map((correction) => toCorrection(correction, operator)),
      correction_limit: ctx.config.correctionLimit,
    };
  },

  async suspendCompany({ ctx }, { params, body, ...call }) {
    const reason = body.reason.trim();
    await suspendCustomer(ctx, actor(call), { companyId: companyOf(params), reason });
    return DONE;
  },
  async resumeCompany({ ctx }, { params, ...call }) {
    await resumeCustomer(ctx, actor(call), companyOf(params));
    return DONE;
  },

  async correctBalance({ ctx }, { params, body, operator, origin }) {
    const by = { operator, actor: actorOf(operator, origin) };
    const state = await askForCorrection(ctx, by, {
      requestId: body.request_id,
      companyId: companyOf(params),
      amount: body.amount,
      reason: body.reason.trim(),
    });
    return { success: true, state };
  },
  async waitingCorrections({ ctx }, { operator }) {
    const waiting = await listWaitingCorrections(ctx);
    return { success: true, corrections: waiting.map((one) => toCorrection(one, operator)) };
  },
  async approveCorrection({ ctx }, { params, operator, origin }) {
    const by = { operator, actor: actorOf(operator, origin) };
    await approveCorrection(ctx, by, params.id ?? '');
    return DONE;
  },
  async declineCorrection({ ctx }, { params, operator, origin }) {
    const by = { operator, actor: actorOf(operator, origin) };
    await declineCorrection(ctx, by, params.id ?? '');
    return DONE;
  },

  async setCompanyPrice({ ctx }, { params, body, ...call }) {
    const { item, tokens, from } = body;
    await setCompanyPrice(ctx, actor(call), {
      companyId: companyOf(params),
      item,
      tokens,
      from: from === undefined ? undefined : new Date(from),
    });
    return DONE;
  },
  async withdrawCompanyPrice({ ctx }, { params, ...call }) {
    const id = readId(params.price);
    await withdrawPriceAtDesk(ctx, actor(call), { id, companyId: companyOf(params) });
    return DONE;
  },
  async chooseSenderName({ ctx }, { params, body, ...call }) {
    const companyId = companyOf(params);
    await chooseCompanySender(ctx, actor(call), { companyId, name: body.name });
    return DONE;
  },
  async changeKeyLimits({ ctx }, { params, body, ...call }) {
    await limitCompanyKey(ctx, actor(call), {
      companyId: companyOf(params),
      keyId: readId(params.key) as KeyId,
      limits: { ratePerMinute: body.rate_per_minute, monthlyCap: body.monthly_cap },
    });
    return DONE;
  },

  async viewCompany({ ctx }, { params, operator, origin, reply }) {
    const by = { operator, actor: actorOf(operator, origin) };
    const { cookie, endsAt } = await viewCompany(ctx, by, companyOf(params));
    reply.header('set-cookie', cookie);
    return { success: true, ends_at: endsAt.toISOString() };
  },
};

function companyOf({ id }: Readonly<Record<string, string>>): CompanyId {
  return readId(id) as CompanyId;
}

function actor({ operator, origin }: { operator: CurrentOperator; origin: Origin }) {
  return actorOf(operator, origin);
}

type Details = Awaited<ReturnType<typeof readCompanyDetails>>;

function toPage(details: Details): Omit<CompanyPage, 'corrections' | 'correction_limit'> {
  const { company, spent, prices } = details;
  return {
    success: true,
    id: company.id,
    name: company.name,
    business_id: company.businessId,
    brand: company.brand,
    created_at: company.createdAt.toISOString(),
    requires_second_factor: company.requiresSecondFactor,
    suspended_at: company.suspended_at?.toISOString() ?? null,
    suspended_because: company.suspended_because,
    balance: company.balance,
    held: company.held,
    available: company.balance - company.held,
    debt: company.debt,
    spent_today: spent.today,
    spent_week: spent.week,
    spent_month: spent.month,
    members: details.members.map(toMember),
    keys: details.keys.map(toKey),
    codes: details.codes,
    guard_decisions: details.decisions.map(toDecision),
    prices: prices.prices,
    own_prices: prices.history.map((price) => ({
      id: price.id,
      item: price.item,
      tokens: price.tokens,
      from: price.valid_from.toISOString(),
      state: price.state,
      set_by: price.set_by,
    })),
    sender_name: company.sender_name,
    sender_names: details.senderNames,
    topups: details.topups.map(toTopup),
  };
}

function toMember(member: Details['members'][number]): CompanyPage['members'][number] {
  return {
    id: member.personId,
    name: member.name,
    contact: member.contact,
    role: member.role,
    has_second_factor: member.hasSecondFactor,
    joined_at: member.joinedAt.toISOString(),
    seen_at: member.seenAt?.toISOString() ?? null,
  };
}

function toKey(key: Details['keys'][number]): CompanyPage['keys'][number] {
  return {
    id: key.id,
    name: key.name,
    mode: key.isTest ? 'test' : 'live',
    prefix: key.shownStart,
    channels: [...key.channels],
    domain: key.domain,
    rate_per_minute: key.ratePerMinute,
    monthly_cap: key.monthlyCap,
    spent_this_month: key.spentThisMonth,
    daily_cap: key.dailyCap,
    spent_today: key.spentToday,
    expires_at: key.expiresAt?.toISOString() ?? null,
    used_at: key.usedAt?.toISOString() ?? null,
    is_revoked: key.revokedAt !== null,
  };
}

function toDecision(
  decision: Details['decisions'][number],
): CompanyPage['guard_decisions'][number] {
  return {
    from: decision.window_from.toISOString(),
    to: decision.window_to.toISOString(),
    prefix: decision.prefix,
    sent: decision.sent,
    verified: decision.verified,
    action: decision.action,
    sends: decision.sends,
  };
}

function toTopup(topup: Details['topups'][number]): CompanyPage['topups'][number] {
  const sum = (field: 'amount' | 'refunded') =>
    topup.payments.reduce((total, payment) => total + payment[field], 0);
  return {
    reference: topup.reference,
    provider: topup.provider,
    amount: topup.amount,
    state: topup.state,
    created_at: topup.created_at.toISOString(),
    paid: sum('amount'),
    refunded: sum('refunded'),
  };
}

type Stored = Awaited<ReturnType<typeof listCorrections>>[number];

function toCorrection(stored: Stored, { personId }: CurrentOperator): Correction {
  return {
    id: stored.id,
    company: { id: stored.companyId, name: stored.company },
    amount: stored.amount,
    reason: stored.reason,
    state: stored.state,
    asked_by: stored.askedBy,
    asked_at: stored.askedAt.toISOString(),
    expires_at: stored.expiresAt?.toISOString() ?? null,
    decided_by: stored.decidedBy,
    decided_at: stored.decidedAt?.toISOString() ?? null,
    is_own: stored.askedById === personId,
  };
}
