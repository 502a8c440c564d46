import { isSenderName } from '@zhiber/contract/sender-name.ts';
import { almatyTime } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import {
  type NewPrice,
  type PricePreview,
  previewPrice,
  setPrice,
  withdrawPrice,
} from '../billing/manage-prices.ts';
import { findPriceRecord, type PriceRecord } from '../billing/price-store.ts';
import {
  deleteSenderName,
  insertSenderName,
  listSenderNames,
  type SenderName,
} from '../company/sender-name-store.ts';
import type { Context } from '../context.ts';
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

export async function withdrawPriceAtDesk(
  ctx: Ctx,
  actor: Actor,
  price: { id: number; by: string },
): Promise<void> {
  const outcome = await withdrawPrice(ctx, actor, price, async (tx) => {
    const record = (await findPriceRecord(tx, price.id)) as PriceRecord;
    if (record.company_id === null) return;
    await recordOperatorAct(tx, actor, {
      action: 'price.withdrawn',
      object: record.item,
      companyId: record.company_id,
      before: { tokens: record.tokens, from: almatyTime(record.valid_from) },
    });
  });
  if (outcome === 'unknown') throw new Problem('not_found');
  if (outcome !== 'withdrawn') throw new Problem('changed_meanwhile');
}

export async function listSenders({ db }: Pick<Context, 'db'>): Promise<SenderName[]> {
  return await listSenderNames(db);
}

/** Adds a name that the mobile operators have registered. */
export async function registerSender(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { name, note }: { name: string; note: string | null },
): Promise<void> {
  if (!isSenderName(name)) {
    throw new Problem('validation_error', {
      errors: { name: ['От 3 до 11 латинских букв, цифр, пробелов и знаков . _ -'] },
    });
  }
  await db.transaction(async (tx) => {
    if (!(await insertSenderName(tx, { name, note }))) throw new Problem('name_taken');
    const after = note === null ? undefined : { note };
    await recordOperatorAct(tx, actor, { action: 'sender.registered', object: name, after });
  });
}

/** Removes a name that no company uses. */
export async function removeSender(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  name: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isKnown = (await listSenderNames(tx)).some((known) => known.name === name);
    if (!isKnown) throw new Problem('not_found');
    if (!(await deleteSenderName(tx, name))) throw new Problem('changed_meanwhile');
    await recordOperatorAct(tx, actor, { action: 'sender.removed', object: name });
  });
}
