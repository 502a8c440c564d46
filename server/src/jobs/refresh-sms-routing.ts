import { almatyDay, HOUR_MS } from '../almaty.ts';
import type { ProviderFigures, SmsRouting } from '../channels/sms/sms-routing.ts';
import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { hasPortedNumbers } from '../delivery/sms-route-store.ts';
import { operatorByPrefix } from '../numbering-plan.ts';
import { dayText } from '../operators/count-figures.ts';
import { listCosts, type StoredCost } from '../operators/figure-store.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { measureSmsProviders, type ProviderDeliveries } from '../status/quality-store.ts';

const PAUSE_MS = 60_000;
const MEASURED_MS = 24 * HOUR_MS;
/** Most receipts come within it; what is newer would make a provider look worse than it is. */
const RECEIPTS_WITHIN_MS = 5 * 60_000;
/** Of fewer messages no share is worth anything. */
const ACCEPTED_MIN = 50;

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'log'>;

/** Tells this node once a minute what the routing of SMS goes by. Nothing is read for one provider. */
export function startSmsRouting(ctx: Ctx, routing: SmsRouting): Repetition {
  const { providers } = ctx.config;
  if (providers.filter(({ channel }) => channel === 'sms').length < 2) {
    return { stop: async () => undefined };
  }
  const refresh = () => refreshSmsRouting(ctx, routing);
  const report = logUnlessAway(ctx.log, 'the routing of SMS was not renewed');
  const first = refresh().catch(report);
  const repetition = repeatEvery({
    pauseMs: PAUSE_MS,
    onError: report,
    async run() {
      await refresh();
      return false;
    },
  });
  return {
    async stop() {
      await first;
      await repetition.stop();
    },
  };
}

export async function refreshSmsRouting(
  { db, clock, config }: Omit<Ctx, 'log'>,
  routing: SmsRouting,
): Promise<void> {
  const hasPorted = await hasPortedNumbers(db);
  if (config.smsRouting === 'order') return routing.update(toFigures([], [], ''), hasPorted);
  const now = clock.now();
  const nowMs = now.getTime();
  const deliveries = await measureSmsProviders(db, {
    since: new Date(nowMs - MEASURED_MS),
    until: new Date(nowMs - RECEIPTS_WITHIN_MS),
  });
  routing.update(toFigures(await listCosts(db), deliveries, dayText(almatyDay(now, 0))), hasPorted);
}

/** A share of one operator's numbers where enough went to them, otherwise of all. */
export function toFigures(
  costs: readonly StoredCost[],
  deliveries: readonly ProviderDeliveries[],
  today: string,
): ProviderFigures {
  const shareOf = (rows: readonly ProviderDeliveries[]) => {
    const accepted = rows.reduce((sum, row) => sum + row.accepted, 0);
    const delivered = rows.reduce((sum, row) => sum + row.delivered, 0);
    return accepted < ACCEPTED_MIN ? undefined : delivered / accepted;
  };
  const shares = new Map<string, number | undefined>();
  for (const [provider, rows] of Map.groupBy(deliveries, (row) => row.provider)) {
    shares.set(provider, shareOf(rows));
    const byOperator = Map.groupBy(rows, ({ prefix }) => operatorByPrefix(prefix));
    for (const [operator, own] of byOperator) {
      if (operator !== undefined) shares.set(`${provider} ${operator}`, shareOf(own));
    }
  }
  return {
    // The newest come first.
    costTiyn: (provider) =>
      costs.find(
        (cost) => cost.provider === provider && cost.item === 'sms' && cost.validFrom <= today,
      )?.costTiyn,
    deliveredShare: (provider, operator) =>
      shares.get(`${provider} ${operator}`) ?? shares.get(provider),
  };
}
