import type { ADMIN_FIGURES_ENDPOINTS, FigureSums } from '@zhiber/contract/admin/figures.ts';
import {
  listProviderCosts,
  readFigures,
  type Sums,
  setProviderCost,
} from '../../operators/figures.ts';
import { actorOf } from '../../operators/sign-in.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_FIGURES_HANDLERS: AdminHandlersOf<typeof ADMIN_FIGURES_ENDPOINTS> = {
  async figures({ ctx }, { query }) {
    const figures = await readFigures(ctx, query.range ?? '30d');
    return {
      success: true,
      counted_at: figures.countedAt?.toISOString() ?? null,
      days_to_count: figures.daysToCount,
      total: withSums(figures.total),
      days: figures.days.map(withSums),
      items: figures.items.map(withSums),
      providers: figures.providers.map(withSums),
      operators: figures.operators.map(withSums),
    };
  },
  async providerCosts({ ctx }) {
    const { providers, costs } = await listProviderCosts(ctx);
    return {
      success: true,
      providers,
      costs: costs.map(({ provider, item, validFrom, costTiyn, setBy, setAt }) => ({
        provider,
        item,
        valid_from: validFrom,
        cost_tiyn: costTiyn,
        set_by: setBy,
        set_at: setAt.toISOString(),
      })),
    };
  },
  async setProviderCost({ ctx }, { body, operator, origin }) {
    const { provider, item, valid_from: validFrom, cost_tiyn: costTiyn } = body;
    const cost = { provider, item, validFrom, costTiyn };
    const is_changed = await setProviderCost(ctx, actorOf(operator, origin), cost);
    return { success: true, is_changed };
  },
};

function withSums<Row extends Sums>({ costTiyn, marginTiyn, ...row }: Row) {
  return { ...row, cost_tiyn: costTiyn, margin_tiyn: marginTiyn } as Omit<
    Row,
    'costTiyn' | 'marginTiyn'
  > &
    FigureSums;
}
