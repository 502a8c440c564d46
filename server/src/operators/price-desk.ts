import { isSenderName } from '@zhiber/contract/sender-name.ts';
import { almatyTime } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import {
  type NewPrice,
  type PricePreview,
  previewPrice,
  setPrice,
  withdrawPrice,
} from '../billing/manage-prices.ts';
import { findPriceRecord, type PriceRecord } from '../billing/price-store.ts';
import { registerSenderName, removeSenderName } from '../company/register-sender-name.ts';
import { listSenderNames, type SenderName } from '../company/sender-name-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { countCustomers, findCompanyNames } from './company-name-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

export type CommonPricePreview = Pick<PricePreview, 'before' | 'sends' | 'days'> & {
  otherPrices: { company: { id: CompanyId; name: string }; tokens: number }[];
  /** That the price reaches, without the company of the installation. */
  companies: number;
};

/** Whom a new price of everybody would concern, by name. */
export async function previewCommonPrice(
  ctx: Ctx,
  price: Pick<NewPrice, 'item' | 'from'>,
): Promise<CommonPricePreview> {
  const { otherPrices, ...preview } = await previewPrice(ctx, price);
  const ids = otherPrices.map(({ companyId }) => companyId);
  const [names, companies] = await Promise.all([
    findCompanyNames(ctx.db, ids),
    countCustomers(ctx.db, ids),
  ]);
  return {
    ...preview,
    companies,
    otherPrices: otherPrices.map(({ companyId: id, tokens }) => ({
      company: { id, name: names.get(id) ?? String(id) },
      tokens,
    })),
  };
}

/** Sets the price of everybody. */
export async function setCommonPrice(
  ctx: Ctx,
  actor: Actor,
  price: Pick<NewPrice, 'item' | 'from' | 'by'> & { tokens: number },
): Promise<{ id: number; validFrom: Date }> {
  const outcome = await setPrice(ctx, actor, price);
  if (outcome.result === 'in_the_past') {
    throw new Problem('validation_error', {
      errors: { from: ['Это время уже прошло: списания по прежней цене не изменить'] },
    });
  }
  return outcome;
}

/**
 * Withdraws a price that does not hold yet: that of everybody, or the own price of a company. Named
 * with a company, it is a price of that company or `not_found`.
 */
export async function withdrawPriceAtDesk(
  ctx: Ctx,
  actor: Actor,
  { id, companyId }: { id: number; companyId?: CompanyId },
): Promise<void> {
  const price = await findPriceRecord(ctx.db, id);
  if (price === undefined || (companyId ?? price.company_id) !== price.company_id) {
    throw new Problem('not_found');
  }
  const by = { id, by: actor.person?.name ?? '' };
  const outcome =
    price.company_id === null
      ? await withdrawPrice(ctx, actor, by)
      : await withdrawPrice(ctx, companyActorOf(actor), by, await recordOwn(ctx, actor, price));
  if (outcome !== 'withdrawn') throw new Problem('price_holds');
}

/** Returns what records that the own price of a company was withdrawn. */
async function recordOwn(
  { db }: Ctx,
  actor: Actor,
  { company_id, item, tokens, valid_from }: PriceRecord,
): Promise<(tx: Transaction) => Promise<void>> {
  const companyId = company_id as CompanyId;
  const names = await findCompanyNames(db, [companyId]);
  const before = { item, tokens, from: almatyTime(valid_from) };
  const object = names.get(companyId) ?? String(companyId);
  return (tx) =>
    recordOperatorAct(tx, actor, { action: 'company.price_withdrawn', object, companyId, before });
}

export async function listSenders({ db }: Pick<Context, 'db'>): Promise<SenderName[]> {
  return await listSenderNames(db);
}

/** Adds a name that the mobile operators have registered. */
export async function registerSender(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { name, note }: { name: string; note: string | null },
): Promise<void> {
  if (!isSenderName(name)) {
    throw new Problem('validation_error', {
      errors: { name: ['От 3 до 11 латинских букв, цифр, пробелов и знаков . _ -'] },
    });
  }
  if (!(await registerSenderName(ctx, actor, { name, note }))) throw new Problem('name_taken');
}

/** Removes a name that no company uses. */
export async function removeSender(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  name: string,
): Promise<void> {
  const isKnown = (await listSenderNames(ctx.db)).some((known) => known.name === name);
  if (!isKnown) throw new Problem('not_found');
  if (!(await removeSenderName(ctx, actor, name))) throw new Problem('changed_meanwhile');
}
