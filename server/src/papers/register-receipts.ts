import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import type { FiscalRegister } from '../payments/fiscal.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import {
  addReturns,
  addSales,
  type DueReceipt,
  endLease,
  findStuckReceipts,
  type Lease,
  leaseRegister,
  noteShift,
  openRegister,
  retryReceipt,
  type StuckReceipt,
  saveFailure,
  saveRegistered,
  setShift,
  takeDueReceipt,
} from './fiscal-store.ts';

type Ctx = Pick<Context, 'db' | 'log' | 'config'>;

const PAUSE_MS = 5_000;
/** All calls for one receipt, even with a new session and the end of a shift that was too long. */
const CALL_MS_MAX = 40_000;
/** For the end of an old shift, before the receipt. */
const SHIFT_MS_MAX = 15_000;
/** Longer than all calls of a round, so that the register never gets two operations at a time. */
const LEASE_SECONDS = (SHIFT_MS_MAX + CALL_MS_MAX) / 1_000 + 5;
const SALES_PER_RUN = 500;
/** An hour before the law ends a shift. */
const SHIFT_SECONDS_MAX = 23 * 3_600;
/** After each of the first tries. Two days later the operator has to look. */
const RETRY_SECONDS = [30, 60, 300, 900, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];
const STUCK_MAX = 200;

const NAMES = {
  sale: 'Пополнение баланса в сервисе Zhiber',
  return: 'Возврат: пополнение баланса в сервисе Zhiber',
};

/**
 * Registers the payments and refunds of all companies, in the background: a register that fails never
 * delays a credit. It keeps no state in memory, so any node continues after a crash.
 */
export async function startFiscalReceipts(ctx: Ctx, register: FiscalRegister): Promise<Repetition> {
  await openRegister(ctx.db, register.name);
  return repeatEvery({
    pauseMs: PAUSE_MS,
    onError: logUnlessAway(ctx.log, 'fiscal receipts failed'),
    run: () => registerNext(ctx, register),
  });
}

/** One receipt. True when there may be more to do. */
export async function registerNext(
  ctx: Ctx,
  register: FiscalRegister,
  { callMsMax = CALL_MS_MAX } = {},
): Promise<boolean> {
  const lease = await leaseRegister(ctx.db, register.name, LEASE_SECONDS);
  if (lease === undefined) return false;
  try {
    await addSales(ctx.db, register.name, SALES_PER_RUN);
    await addReturns(ctx.db);
    await endOldShift(ctx, register, lease);
    const due = await takeDueReceipt(ctx.db, LEASE_SECONDS);
    if (due === undefined) return false;
    await registerReceipt(ctx, register, { due, callMsMax });
    return true;
  } finally {
    await endLease(ctx.db, register.name, lease);
  }
}

async function endOldShift(ctx: Ctx, register: FiscalRegister, lease: Lease): Promise<void> {
  if ((lease.shiftSeconds ?? 0) < SHIFT_SECONDS_MAX) return;
  const outcome = await register.closeShift(AbortSignal.timeout(SHIFT_MS_MAX));
  if (outcome.result === 'closed') await setShift(ctx.db, register.name, false);
  else ctx.log.warn({ reason: outcome.reason }, 'a fiscal shift was not ended');
}

async function registerReceipt(
  ctx: Ctx,
  register: FiscalRegister,
  { due, callMsMax }: { due: DueReceipt; callMsMax: number },
): Promise<void> {
  const { id, amount, tries } = due;
  const vat = ctx.config.payments.seller?.vat;
  const outcome = await register.register(
    {
      id,
      amount,
      name: due.is_return ? NAMES.return : NAMES.sale,
      vat: vat === undefined ? null : Number(vat),
      sale: due.sale ?? undefined,
    },
    AbortSignal.timeout(callMsMax),
  );
  if (outcome.result === 'registered') {
    await saveRegistered(ctx.db, id, outcome);
    if (outcome.hasClosedShift) await setShift(ctx.db, register.name, true);
    else await noteShift(ctx.db, register.name);
    return;
  }
  const nextTrySeconds = RETRY_SECONDS[tries - 1] ?? null;
  ctx.log.warn({ id, tries, reason: outcome.reason }, 'a fiscal receipt was not registered');
  await saveFailure(ctx.db, id, { error: outcome.reason, nextTrySeconds });
}

/** For the operator: receipts that are late or were given up. */
export async function listStuckReceipts({ db }: Pick<Context, 'db'>): Promise<StuckReceipt[]> {
  return await findStuckReceipts(db, STUCK_MAX);
}

/** Tries a receipt again at once. False when it is registered, or there is none. */
export async function retryFiscalReceipt(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<boolean> {
  return await retryReceipt(db, id);
}
