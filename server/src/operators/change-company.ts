import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import { almatyTime } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { type OperatorAct, recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { setPrice } from '../billing/manage-prices.ts';
import { chooseSenderName } from '../company/choose-sender-name.ts';
import { resumeCompany, suspendCompany } from '../company/suspend-company.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import { limitKey } from '../keys/manage-keys.ts';
import { Problem } from '../problem.ts';
import { readCustomerName } from './read-company.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

/**
 * What operators change about a company. Each change is in the audit of operators and in the log of
 * the company, in one transaction with the change.
 */
export async function suspendCustomer(
  ctx: Ctx,
  actor: Actor,
  { companyId, reason }: { companyId: CompanyId; reason: string },
): Promise<void> {
  const record = await recorder(ctx, actor, companyId);
  await suspendCompany(
    ctx,
    { companyId, reason },
    {
      actor: companyActorOf(actor),
      write: record({ action: 'company.suspended', after: { reason } }),
    },
  );
}

export async function resumeCustomer(ctx: Ctx, actor: Actor, companyId: CompanyId): Promise<void> {
  const record = await recorder(ctx, actor, companyId);
  await resumeCompany(ctx, companyId, {
    actor: companyActorOf(actor),
    write: record({ action: 'company.resumed' }),
  });
}

export async function setCompanyPrice(
  ctx: Ctx,
  actor: Actor,
  price: { companyId: CompanyId; item: PricedItem; tokens: number | null; from?: Date | undefined },
): Promise<void> {
  const { companyId, item, tokens, from } = price;
  const record = await recorder(ctx, actor, companyId);
  const after = { item, tokens, from: from && almatyTime(from) };
  const by = actor.person?.name ?? '';
  const write = record({ action: 'company.price_set', after });
  const { result } = await setPrice(ctx, companyActorOf(actor), { ...price, by }, write);
  if (result === 'in_the_past') {
    throw new Problem('validation_error', { errors: { from: ['Прошлое не меняется'] } });
  }
}

export async function chooseCompanySender(
  ctx: Ctx,
  actor: Actor,
  { companyId, name }: { companyId: CompanyId; name: string | null },
): Promise<void> {
  const record = await recorder(ctx, actor, companyId);
  const write = record({ action: 'company.sender_chosen', after: { sender: name } });
  const choice = { companyId, name };
  const outcome = await chooseSenderName(ctx, companyActorOf(actor), choice, write);
  if (outcome === 'not_registered') {
    throw new Problem('validation_error', { errors: { name: ['Такого имени в списке нет'] } });
  }
}

export async function limitCompanyKey(
  ctx: Ctx,
  actor: Actor,
  change: {
    companyId: CompanyId;
    keyId: KeyId;
    limits: { ratePerMinute: number | null; monthlyCap: number | null };
  },
): Promise<void> {
  const { companyId, limits } = change;
  await readCustomerName(ctx, companyId);
  await limitKey(ctx, companyActorOf(actor), {
    ...change,
    write: (tx, keyName) =>
      recordOperatorAct(tx, actor, {
        action: 'company.key_limited',
        object: keyName,
        companyId,
        after: limits,
      }),
  });
}

/** Returns what records an act about a customer. Throws when the company is none. */
async function recorder(ctx: Ctx, actor: Actor, companyId: CompanyId) {
  const object = await readCustomerName(ctx, companyId);
  return (act: Omit<OperatorAct, 'object' | 'companyId'>) => (tx: Transaction) =>
    recordOperatorAct(tx, actor, { ...act, object, companyId });
}
