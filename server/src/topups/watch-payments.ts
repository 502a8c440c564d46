import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import type { PaymentProvider } from '../payments/payment.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { checkDueOrders } from './check-orders.ts';
import { handleDueNotices } from './handle-notice.ts';
import { expireOrders } from './order-store.ts';
import { leaveToOperator } from './refund-store.ts';
import { sendDueRefunds } from './send-refunds.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log' | 'payments'>;

const PAUSE_MS = 1_000;
const ENDINGS_PAUSE_MS = 5_000;
/** How long an order stays open after its end while its provider is silent. */
const SILENCE_SECONDS_MAX = 600;

/**
 * Watches over what is not finished: notices that were stored and not handled, orders that no notice
 * came for, refunds, and orders whose time is over. It keeps no state in memory, so it continues
 * after a restart, and any node can run it. Each provider has its own rounds, so that none waits for
 * another one's silence.
 */
export function startPaymentWatch(ctx: Ctx): Repetition {
  const shutdown = new AbortController();
  const repetitions = [
    ...ctx.payments.map((provider) =>
      repeatEvery({
        pauseMs: PAUSE_MS,
        onError: logUnlessAway(ctx.log, `payments by ${provider.name} were not checked`),
        run: () => watchProvider(ctx, provider, shutdown.signal),
      }),
    ),
    repeatEvery({
      pauseMs: ENDINGS_PAUSE_MS,
      onError: logUnlessAway(ctx.log, 'orders were not ended'),
      run: async () => {
        await endOverdue(ctx);
        return false;
      },
    }),
  ];
  return {
    async stop() {
      shutdown.abort();
      await Promise.all(repetitions.map((repetition) => repetition.stop()));
    },
  };
}

/** One round for one provider. True when there may be more to do. */
export async function watchProvider(
  ctx: Ctx,
  provider: PaymentProvider,
  shutdown: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const hasMore = [
    provider.readNotice !== undefined && (await handleDueNotices(ctx, provider, shutdown)),
    provider.readStatus !== undefined && (await checkDueOrders(ctx, provider, shutdown)),
    provider.refund !== undefined && (await sendDueRefunds(ctx, provider, shutdown)),
  ];
  return hasMore.includes(true) && !shutdown.aborted;
}

/** Ends orders whose time is over, and leaves refunds that no provider makes to the operator. */
export async function endOverdue(ctx: Ctx): Promise<void> {
  const namesOf = (can: 'readStatus' | 'refund') =>
    ctx.payments.filter((provider) => provider[can] !== undefined).map(({ name }) => name);
  await expireOrders(ctx.db, {
    askable: namesOf('readStatus'),
    graceSeconds: SILENCE_SECONDS_MAX,
  });
  await leaveToOperator(ctx.db, namesOf('refund'));
}
