import { CORRECTION_DAYS } from '@zhiber/contract/admin/companies.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { correctBalance } from '../billing/correct-balance.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type CompanyId, isId, newId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { payDebt } from '../topups/pay-debt.ts';
import { lockMoney, type Money } from '../topups/payment-store.ts';
import {
  type CorrectionState,
  decideCorrection,
  findAsked,
  findCorrection,
  findCorrections,
  findWaitingCorrections,
  insertCorrection,
  lockAmountAlone,
  type StoredCorrection,
} from './correction-store.ts';
import type { CurrentOperator } from './current-operator.ts';
import { readCustomerName } from './read-company.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'config'>;

export type NewCorrection = {
  /** The same id twice is the same correction. */
  requestId: string;
  companyId: CompanyId;
  /** Up or down. */
  amount: number;
  reason: string;
};

/**
 * Corrects the balance of a company by an entry. What takes one operator over the limit of a day
 * waits for another operator instead.
 */
export async function askForCorrection(
  ctx: Ctx,
  { operator, actor }: { operator: CurrentOperator; actor: Actor },
  { requestId, companyId, amount, reason }: NewCorrection,
): Promise<CorrectionState> {
  if (amount === 0) refuseAmount('Укажите сумму, отличную от нуля');
  const name = await readCustomerName(ctx, companyId);
  return await ctx.db.transaction(async (tx) => {
    const alone = await lockAmountAlone(tx, operator.personId);
    const known = await findAsked(tx, requestId);
    if (known !== undefined) return readSame(known, { operator, companyId, amount });
    const money = await lockAvailable(tx, { companyId, amount });
    const needsSecond = alone + Math.abs(amount) > ctx.config.correctionLimit;
    const id = newId(ctx.clock.now().getTime());
    const asked = { id, requestId, companyId, amount, reason, askedBy: operator.personId };
    if (needsSecond) {
      await insertCorrection(tx, { ...asked, cause: null, waitsDays: CORRECTION_DAYS });
    } else {
      await insertCorrection(tx, { ...asked, cause: id, waitsDays: null });
      await apply(tx, actor, { ...asked, cause: id, money });
    }
    await recordOperatorAct(tx, actor, {
      action: needsSecond ? 'correction.asked' : 'correction.applied',
      object: name,
      companyId,
      after: { amount, reason },
    });
    return needsSecond ? 'waiting' : 'applied';
  });
}

function readSame(
  known: StoredCorrection,
  asked: { operator: CurrentOperator; companyId: CompanyId; amount: number },
): CorrectionState {
  const isSame =
    known.companyId === asked.companyId &&
    known.amount === asked.amount &&
    known.askedById === asked.operator.personId;
  if (isSame) return known.state;
  throw new Problem('validation_error', { errors: { request_id: ['Уже использован'] } });
}

/** Applies a correction that another operator has asked for. Of several decisions the first holds. */
export async function approveCorrection(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { operator, actor }: { operator: CurrentOperator; actor: Actor },
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    // An entry belongs to the month of its cause, so the cause is made now.
    const cause = newId(clock.now().getTime());
    const correction = await decide(tx, operator, { id, cause });
    const money = await lockAvailable(tx, correction);
    await apply(tx, actor, { ...correction, cause, money });
    await recordOperatorAct(tx, actor, actOf('correction.approved', correction));
  });
}

export async function declineCorrection(
  { db }: Pick<Context, 'db'>,
  { operator, actor }: { operator: CurrentOperator; actor: Actor },
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const correction = await decide(tx, operator, { id, cause: null });
    await recordOperatorAct(tx, actor, actOf('correction.declined', correction));
  });
}

async function decide(
  tx: Transaction,
  { personId }: CurrentOperator,
  { id, cause }: { id: string; cause: string | null },
): Promise<StoredCorrection> {
  if (!isId(id)) throw new Problem('not_found');
  const isDecided = await decideCorrection(tx, { id, by: personId, cause });
  const correction = await findCorrection(tx, id);
  if (correction === undefined) throw new Problem('not_found');
  if (isDecided) return correction;
  throw new Problem(
    correction.state === 'waiting' && correction.askedById === personId
      ? 'own_correction'
      : 'correction_closed',
  );
}

function actOf(
  action: 'correction.approved' | 'correction.declined',
  { company, companyId, amount, reason, askedBy }: StoredCorrection,
) {
  return { action, object: company, companyId, after: { amount, reason, asked_by: askedBy } };
}

/** Locks the account. Throws with what is available when there is too little for a minus. */
async function lockAvailable(
  tx: Transaction,
  { companyId, amount }: { companyId: CompanyId; amount: number },
): Promise<Money> {
  const money = await lockMoney(tx, companyId);
  if (money === undefined) throw new Problem('not_found');
  const available = money.balance - money.held;
  if (available + amount >= 0) return money;
  const errors = { amount: [`Доступно ${available} ₸`] };
  throw new Problem('correction_too_large', { balance: available, errors });
}

function refuseAmount(text: string): never {
  throw new Problem('validation_error', { errors: { amount: [text] } });
}

async function apply(
  tx: Transaction,
  actor: Actor,
  {
    money,
    ...correction
  }: { cause: string; companyId: CompanyId; amount: number; reason: string; money: Money },
): Promise<void> {
  const { companyId, amount, reason, cause } = correction;
  await correctBalance(tx, correction);
  if (amount > 0) await payDebt(tx, companyId, { money, added: amount, cause });
  await recordAuditEvent(tx, companyActorOf(actor), {
    companyId,
    action: 'balance.corrected',
    object: '',
    after: { amount, reason },
  });
}

const CORRECTIONS_SHOWN = 20;
const WAITING_SHOWN = 200;

export async function listCorrections(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<StoredCorrection[]> {
  return await findCorrections(db, companyId, CORRECTIONS_SHOWN);
}

export async function listWaitingCorrections({
  db,
}: Pick<Context, 'db'>): Promise<StoredCorrection[]> {
  return await findWaitingCorrections(db, WAITING_SHOWN);
}
