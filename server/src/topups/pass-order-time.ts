import type { Context } from '../context.ts';
import { endOrderTime } from './order-store.ts';

/**
 * Lets the time of an order of the sandbox bank pass at once, so that a late payment can be tried
 * without a wait of 20 minutes.
 */
export async function passOrderTime(
  ctx: Pick<Context, 'db' | 'clock'>,
  reference: string,
): Promise<void> {
  // A second ago: the payment that follows may have the time of this moment.
  const at = new Date(ctx.clock.now().getTime() - 1_000);
  await endOrderTime(ctx.db, { reference, provider: 'sandbox-bank', at });
}
