import type { PricedItem, Prices } from '@zhiber/contract/api/prices.ts';
import { almatyTime, HOUR_MS } from '../almaty.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type CompanyId, lowestIdAt } from '../ids.ts';
import { createPriceTable, PRICED_ITEMS, readPricesAt } from './price-cache.ts';
import {
  countSendsAt,
  findPriceRecord,
  insertPriceVersion,
  insertPriceWithdrawal,
  listPriceRecords,
  loadPriceVersions,
  type PriceRecord,
  type PriceVersion,
} from './price-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

/** No company has this id: its prices are the common ones. */
const NOBODY = 0 as CompanyId;
/** A price too near to its moment may be held by a node already, and is not withdrawn. */
const WITHDRAWN_BEFORE_MS = 2_000;
const RECORDS_MAX = 500;
const PREVIEW_DAYS = 7;

/** What a company without a price of its own pays now. */
export async function readCommonPrices({ prices }: Pick<Context, 'prices'>): Promise<Prices> {
  return await prices.read(NOBODY);
}

export type PriceList = {
  /** What holds now: of the company, or of everybody. */
  prices: Prices;
  /** The items for which the company has a price of its own. */
  own: PricedItem[];
  /** Newest first; `holds` for those that hold now, `future` for those that will. */
  history: (PriceRecord & { state: PriceState })[];
};
export type PriceState = 'holds' | 'future' | 'past' | 'withdrawn';

/** The prices now, with their history and those that are set for later. */
export async function listPrices(
  { db, clock }: Ctx,
  { companyId }: { companyId?: CompanyId | undefined } = {},
): Promise<PriceList> {
  const now = clock.now();
  const versions = await loadPriceVersions(db, now);
  const holding = new Set(versions.filter((v) => v.valid_from <= now).map(({ id }) => id));
  const records = await listPriceRecords(db, { companyId, rowsMax: RECORDS_MAX });
  return {
    prices: createPriceTable(versions, now).pricesOf(companyId ?? NOBODY, now),
    own: companyId === undefined ? [] : PRICED_ITEMS.filter(hasOwn(versions, companyId, now)),
    history: records.map((record) => ({ ...record, state: stateOf(record, holding, now) })),
  };
}

function hasOwn(versions: readonly PriceVersion[], companyId: CompanyId, now: Date) {
  return (item: PricedItem) =>
    versions.some(
      (version) =>
        version.company_id === companyId &&
        version.item === item &&
        version.tokens !== null &&
        version.valid_from <= now,
    );
}

function stateOf(record: PriceRecord, holding: ReadonlySet<number>, now: Date): PriceState {
  if (record.withdrawn_at !== null) return 'withdrawn';
  if (record.valid_from > now) return 'future';
  return holding.has(record.id) ? 'holds' : 'past';
}

export type NewPrice = {
  item: PricedItem;
  /** Undefined for the price of everybody. */
  companyId?: CompanyId | undefined;
  /** Null: the company pays the common price again. */
  tokens: number | null;
  /** Undefined: from now on. The past is not changed: its charges have been made. */
  from?: Date | undefined;
  /** The name of whoever sets it, for the history. */
  by: string;
};

export type SetPriceOutcome =
  | { result: 'set'; id: number; validFrom: Date }
  | { result: 'in_the_past' };

/**
 * Sets a price from a moment on; it holds within a second on every node. The audit log of a company
 * has its own prices, that of the operators the common ones. `write` is part of the same transaction.
 */
export async function setPrice(
  { db, clock }: Ctx,
  actor: Actor,
  price: NewPrice,
  write?: (tx: Transaction) => Promise<void>,
): Promise<SetPriceOutcome> {
  const { item, companyId, tokens, from, by } = price;
  const now = clock.now();
  const validFrom = from ?? now;
  if (validFrom < now) return { result: 'in_the_past' };
  return await db.transaction(async (tx) => {
    const before = await readPricesAt(tx, companyId ?? NOBODY, validFrom);
    const id = await insertPriceVersion(tx, {
      item,
      company_id: companyId ?? null,
      tokens,
      valid_from: validFrom,
      set_by: by,
    });
    const event = {
      action: 'price.set',
      object: item,
      before: { tokens: before[item] },
      after: { tokens, from: almatyTime(validFrom) },
    } as const;
    if (companyId === undefined) await recordOperatorAct(tx, actor, event);
    else await recordAuditEvent(tx, actor, { ...event, companyId });
    await write?.(tx);
    return { result: 'set', id, validFrom };
  });
}

export type WithdrawOutcome = 'withdrawn' | 'unknown' | 'already_withdrawn' | 'holds_already';

/** Withdraws a price that does not hold yet. */
export async function withdrawPrice(
  { db, clock }: Ctx,
  actor: Actor,
  { id, by }: { id: number; by: string },
  write?: (tx: Transaction) => Promise<void>,
): Promise<WithdrawOutcome> {
  return await db.transaction(async (tx) => {
    const record = await findPriceRecord(tx, id);
    if (record === undefined) return 'unknown';
    if (record.withdrawn_at !== null) return 'already_withdrawn';
    const leftMs = record.valid_from.getTime() - clock.now().getTime();
    if (leftMs < WITHDRAWN_BEFORE_MS) return 'holds_already';
    if (!(await insertPriceWithdrawal(tx, id, by))) return 'already_withdrawn';
    const event = {
      action: 'price.withdrawn',
      object: record.item,
      before: { tokens: record.tokens, from: almatyTime(record.valid_from) },
    } as const;
    const { company_id: companyId } = record;
    if (companyId === null) await recordOperatorAct(tx, actor, event);
    else await recordAuditEvent(tx, actor, { ...event, companyId });
    await write?.(tx);
    return 'withdrawn';
  });
}

export type PricePreview = {
  /** What the company, or everybody, pays at the moment of the change. */
  before: number;
  /** Companies that a common price does not reach, with what they pay. */
  otherPrices: { companyId: CompanyId; tokens: number }[];
  /** Charged sends of the last days that would have been charged by the new price. */
  sends: number;
  days: number;
};

/** Whom a new price would concern. */
export async function previewPrice(
  { db, clock }: Ctx,
  { item, companyId, from }: Pick<NewPrice, 'item' | 'companyId' | 'from'>,
): Promise<PricePreview> {
  const now = clock.now();
  const at = from ?? now;
  const versions = await loadPriceVersions(db, at);
  const holding = versions.filter((v) => v.item === item && v.valid_from <= at);
  const otherPrices = holding.flatMap(({ company_id: id, tokens }) =>
    companyId === undefined && id !== null && tokens !== null ? [{ companyId: id, tokens }] : [],
  );
  let sends = 0;
  // A day at a time: no statement reads a week of all companies.
  for (let day = PREVIEW_DAYS; day > 0; day--) {
    sends += await countSendsAt(db, {
      item,
      companyId,
      except: otherPrices.map((other) => other.companyId),
      fromId: lowestIdAt(now.getTime() - day * 24 * HOUR_MS),
      toId: lowestIdAt(now.getTime() - (day - 1) * 24 * HOUR_MS),
    });
  }
  const before = createPriceTable(versions, at).pricesOf(companyId ?? NOBODY, at)[item];
  return { before, otherPrices, sends, days: PREVIEW_DAYS };
}
