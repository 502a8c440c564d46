import { FIGURE_ITEMS, type FigureRange } from '@zhiber/contract/admin/figures.ts';
import { dayEdges } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { listMessageProviders } from '../config/read-providers.ts';
import type { Context } from '../context.ts';
import { operatorNameByPrefix } from '../numbering-plan.ts';
import { Problem } from '../problem.ts';
import { dayText } from './count-figures.ts';
import {
  type CodesOfDay,
  type Figure,
  type FigureItem,
  findCost,
  listCodes,
  listCosts,
  listCountedDays,
  listFigures,
  putCost,
  type StoredCost,
} from './figure-store.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'config'>;

export type Sums = {
  sends: number;
  delivered: number;
  failed: number;
  revenue: number;
  /** In tiyn; null where a cost is not known. */
  costTiyn: number | null;
  marginTiyn: number | null;
};
export type Codes = { codes: number; verified: number };

export type Figures = {
  countedAt: Date | null;
  daysToCount: number;
  total: Sums & Codes;
  days: (Sums & Codes & { day: string })[];
  items: (Sums & { item: FigureItem })[];
  providers: (Sums & { provider: string; item: FigureItem })[];
  operators: (Sums & Codes & { name: string | null; prefixes: string[] })[];
};

type DayFigure = Figure & { day: string };
type PricedFigure = DayFigure & { costTiyn: number | null };

const RANGE_DAYS: Readonly<Record<FigureRange, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/** Sends, deliveries and money of all customers by day, channel, provider and mobile operator. */
export async function readFigures({ db, clock }: Ctx, range: FigureRange): Promise<Figures> {
  const days = dayEdges(RANGE_DAYS[range], clock.now()).slice(0, -1).map(dayText);
  const from = days[0] as string;
  const counted = await listCountedDays(db, from);
  const costs = await listCosts(db);
  const codes = await listCodes(db, from);
  const figures = (await listFigures(db, from)).map((figure) => ({
    ...figure,
    costTiyn: costOf(figure, costs),
  }));
  return {
    countedAt: counted.at(-1)?.countedAt ?? null,
    daysToCount: days.length - counted.length,
    total: { ...sumOf(figures), ...sumCodes(codes) },
    days: days.map((day) => ({
      day,
      ...sumOf(figures.filter((one) => one.day === day)),
      ...sumCodes(codes.filter((one) => one.day === day)),
    })),
    items: FIGURE_ITEMS.map((item) => ({
      item,
      ...sumOf(figures.filter((one) => one.item === item)),
    })),
    providers: byProvider(figures),
    operators: byOperator(figures, codes),
  };
}

/** Null when nobody has said what the provider charged on that day. */
function costOf({ provider, item, day, carried }: DayFigure, costs: readonly StoredCost[]) {
  if (carried === 0) return 0;
  // The newest come first.
  const cost = costs.find(
    (one) => one.provider === provider && one.item === item && one.validFrom <= day,
  );
  return cost === undefined ? null : cost.costTiyn * carried;
}

const TIYN_PER_TENGE = 100;

/** One unknown cost makes the sum unknown: a margin without it would look better than it is. */
function sumOf(figures: readonly PricedFigure[]): Sums {
  const sum = (read: (figure: PricedFigure) => number) =>
    figures.reduce((total, figure) => total + read(figure), 0);
  const revenue = sum(({ charged }) => charged);
  const isKnown = figures.every(({ costTiyn }) => costTiyn !== null);
  const costTiyn = isKnown ? sum((figure) => figure.costTiyn ?? 0) : null;
  return {
    sends: sum(({ sends }) => sends),
    delivered: sum(({ delivered }) => delivered),
    failed: sum(({ failed }) => failed),
    revenue,
    costTiyn,
    marginTiyn: costTiyn === null ? null : revenue * TIYN_PER_TENGE - costTiyn,
  };
}

function sumCodes(codes: readonly CodesOfDay[]): Codes {
  return {
    codes: codes.reduce((total, one) => total + one.sent, 0),
    verified: codes.reduce((total, one) => total + one.verified, 0),
  };
}

function byProvider(figures: readonly PricedFigure[]): Figures['providers'] {
  const groups = Map.groupBy(figures, ({ provider, item }) => `${provider} ${item}`);
  return [...groups.values()]
    .map((rows) => {
      const [{ provider, item }] = rows as [PricedFigure];
      return { provider, item, ...sumOf(rows) };
    })
    .sort((a, b) => b.sends - a.sends || a.provider.localeCompare(b.provider));
}

/** The mobile operators of Kazakhstan by name, everything else by its first digits. */
function byOperator(
  figures: readonly PricedFigure[],
  codes: readonly CodesOfDay[],
): Figures['operators'] {
  const nameOf = ({ prefix }: { prefix: string }) => operatorNameByPrefix(prefix) ?? prefix;
  const phones = figures.filter(({ prefix }) => prefix !== '');
  const figuresBy = Map.groupBy(phones, nameOf);
  const codesBy = Map.groupBy(codes, nameOf);
  return [...new Set([...figuresBy.keys(), ...codesBy.keys()])]
    .map((name) => {
      const [sent, entered] = [figuresBy.get(name) ?? [], codesBy.get(name) ?? []];
      const prefixes = [...new Set([...sent, ...entered].map(({ prefix }) => prefix))].sort();
      const isNamed = operatorNameByPrefix(prefixes[0] as string) !== undefined;
      return { name: isNamed ? name : null, prefixes, ...sumOf(sent), ...sumCodes(entered) };
    })
    .sort((a, b) => b.sends - a.sends || b.codes - a.codes);
}

/** What can be paid for: a channel's messages, and posts to its groups. */
export type CostedProvider = { name: string; items: FigureItem[] };

export async function listProviderCosts({
  db,
  config,
}: Pick<Context, 'db' | 'config'>): Promise<{ providers: CostedProvider[]; costs: StoredCost[] }> {
  const providers = listMessageProviders(config).map(({ name, channel }) => ({
    name,
    items: channel === 'sms' ? [channel] : [channel, 'group' as const],
  }));
  return { providers, costs: await listCosts(db) };
}

export type SetCost = {
  provider: string;
  item: FigureItem;
  validFrom: string;
  costTiyn: number;
};

/** Sets what a provider charges for one message, or one part of an SMS, from a day on. False when it was so already. */
export async function setProviderCost(ctx: Ctx, actor: Actor, cost: SetCost): Promise<boolean> {
  const { providers } = await listProviderCosts(ctx);
  const known = providers.find(({ name }) => name === cost.provider);
  if (known === undefined) refuse('provider', 'Такого провайдера нет');
  if (!known.items.includes(cost.item)) refuse('item', 'Этот провайдер такого не отправляет');
  return await ctx.db.transaction(async (tx) => {
    const { provider, item, validFrom: day, costTiyn } = cost;
    const before = await findCost(tx, { provider, item, day });
    if (!(await putCost(tx, { ...cost, setBy: actor.person?.name ?? null }))) return false;
    await recordOperatorAct(tx, actor, {
      action: 'cost.set',
      object: `${provider}, ${item}`,
      ...(before !== undefined && { before: { cost_tiyn: before } }),
      after: { cost_tiyn: costTiyn, from: day },
    });
    return true;
  });
}

function refuse(field: string, why: string): never {
  throw new Problem('validation_error', { errors: { [field]: [why] } });
}
