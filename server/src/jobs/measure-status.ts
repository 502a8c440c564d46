import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../context.ts';
import { withDeadline } from '../runtime/deadline.ts';
import { addUpDays } from '../status/add-up-days.ts';
import { measureWebhooks } from '../status/measure-webhooks.ts';
import { readProviders } from '../status/read-channels.ts';

/** Nobody waits for it, but the next provider does. */
const CHECK_LIMIT_MS = 8_000;
/** A failed check is repeated once: a single lost answer is no outage. */
const REPEAT_MS = 2_000;

/**
 * Asks the providers whether they would take a message or a payment, where they can be asked
 * without sending one, and adds up the days. Runs on one node at a time.
 */
export async function measureStatus(
  ctx: Context,
  signal: AbortSignal,
  repeatMs = REPEAT_MS,
): Promise<object> {
  const count = (component: Checkable, works: () => Promise<boolean>) =>
    countChecks(ctx, { component, works, signal, repeatMs });
  const checked: string[] = [];
  const isCutOff = await readOpenCircuits(ctx);
  for (const channel of CHANNELS) {
    const providers = ctx.providers.all.filter((provider) => provider.channel === channel);
    if (providers.length === 0 || signal.aborted) continue;
    checked.push(channel);
    await count(channel, () => anyWorks(providers, { isCutOff, signal }));
  }
  const payable = ctx.payments.filter(({ check }) => check !== undefined);
  if (payable.length > 0 && !signal.aborted) {
    checked.push('topup');
    await count('topup', () => anyWorks(payable, { isCutOff, signal }));
  }
  const webhooks = await measureWebhooks(ctx);
  return { checked, webhooks, days: await addUpDays(ctx) };
}

type Checkable = (typeof CHANNELS)[number] | 'topup';
type Checked = { name: string; check?(signal: AbortSignal): Promise<{ ok: boolean }> };
type IsCutOff = (provider: string) => boolean;

/** Whether the circuit breakers of all running nodes keep messages from a provider. */
async function readOpenCircuits(ctx: Pick<Context, 'db' | 'config'>): Promise<IsCutOff> {
  const { providers } = await readProviders(ctx);
  const cutOff = providers
    .filter(({ nodes }) => nodes.length > 0 && nodes.every(({ circuit }) => circuit === 'open'))
    .map(({ name }) => name);
  return (provider) => cutOff.includes(provider);
}

/** Customers notice nothing while one of several providers works. */
async function anyWorks(
  providers: readonly Checked[],
  { isCutOff, signal }: { isCutOff: IsCutOff; signal: AbortSignal },
): Promise<boolean> {
  for (const provider of providers) {
    if (isCutOff(provider.name)) continue;
    const found = await withDeadline({ limitMs: CHECK_LIMIT_MS, graceMs: 500 }, (limit) =>
      (provider.check as NonNullable<Checked['check']>)(AbortSignal.any([limit, signal])),
    ).catch(() => undefined);
    if (found?.ok) return true;
  }
  return false;
}

async function countChecks(
  { traffic }: Pick<Context, 'traffic'>,
  check: {
    component: Checkable;
    works(): Promise<boolean>;
    signal: AbortSignal;
    repeatMs: number;
  },
): Promise<void> {
  const { component, works, signal, repeatMs } = check;
  const isGood = await works();
  // A check that a shutdown has cut off tells nothing.
  if (signal.aborted) return;
  traffic.add(component, 'probe', isGood);
  if (isGood) return;
  await pause(repeatMs);
  const isGoodNow = await works();
  if (!signal.aborted) traffic.add(component, 'probe', isGoodNow);
}
