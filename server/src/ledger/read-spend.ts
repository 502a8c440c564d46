import type { BALANCE_ENDPOINTS } from '@zhiber/contract/cabinet/balance.ts';
import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { SpendRange } from '@zhiber/contract/cabinet/ledger-words.ts';
import { dayEdges } from '../almaty.ts';
import type { Context } from '../context.ts';
import type { CompanyId, KeyId } from '../ids.ts';
import { listOwnKeys } from '../keys/key-store.ts';
import { openUsage } from '../messages/open-usage.ts';
import { total } from '../messages/pace.ts';
import type { SpendSum } from '../messages/spend-store.ts';
import type { UsageSum } from '../messages/usage-store.ts';

export type Spend = Omit<AnswerOf<typeof BALANCE_ENDPOINTS.spend>, 'success'>;

const DAYS = { '30d': 30, '90d': 90 } as const satisfies Record<SpendRange, number>;
const PURPOSES_SHOWN_MAX = 20;

/** What messages cost by day and channel, by key, and by purpose. */
export async function readSpend(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts'>,
  companyId: CompanyId,
  range: SpendRange,
): Promise<Spend> {
  const edges = dayEdges(DAYS[range], ctx.clock.now());
  const usage = await openUsage(ctx, companyId, edges[0] as Date);
  const sums = (await usage.sends({ edges })).filter(({ charged }) => charged > 0);
  const purposes = await usage.spend([edges[0] as Date, edges.at(-1) as Date]);
  const names = new Map(
    (await listOwnKeys(ctx.db, companyId)).map(({ id, name }) => [id, name] as const),
  );
  return {
    hours_to_count: usage.hoursToCount,
    total: total(sums, 'charged'),
    days: edges.slice(0, -1).map((at, bucket) => {
      const day = sums.filter((sum) => sum.bucket === bucket);
      const spent = (channel: UsageSum['channel']) =>
        total(
          day.filter((sum) => sum.channel === channel),
          'charged',
        );
      return {
        at: at.toISOString(),
        whatsapp: spent('whatsapp'),
        telegram: spent('telegram'),
        sms: spent('sms'),
      };
    }),
    keys: byKey(sums).map(({ id, spent }) => ({ id, name: names.get(id) ?? '', spent })),
    purposes: largestPurposes(purposes),
  };
}

function byKey(sums: readonly UsageSum[]): { id: KeyId; spent: number }[] {
  return [...Map.groupBy(sums, ({ key_id }) => key_id)]
    .map(([id, rows]) => ({ id, spent: total(rows, 'charged') }))
    .sort((one, other) => other.spent - one.spent || one.id - other.id);
}

/** The rest of the codes is one row, so that the list still adds up. */
function largestPurposes(sums: readonly SpendSum[]): Spend['purposes'] {
  const isNamed = ({ purpose }: SpendSum) => purpose !== null;
  const named = sums.filter(isNamed).sort((one, other) => other.charged - one.charged);
  const rows = named.slice(0, PURPOSES_SHOWN_MAX);
  for (const sum of [...named.slice(PURPOSES_SHOWN_MAX), ...sums.filter((one) => !isNamed(one))]) {
    const place = rows.findIndex((row) => row.purpose === null && row.kind === sum.kind);
    const known = rows[place];
    if (known === undefined) rows.push({ ...sum, purpose: null });
    else rows[place] = { ...known, charged: known.charged + sum.charged };
  }
  return rows
    .sort((one, other) => other.charged - one.charged)
    .map(({ kind, purpose, charged }) => ({ kind, purpose, spent: charged }));
}
