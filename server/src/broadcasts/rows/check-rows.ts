import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import type { CompanyId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import {
  type CheckTurn,
  finishChecking,
  keepTurn,
  startChecking,
  type Turn,
} from './draft-rows-store.ts';
import { isConsent, judgePhone, type PhoneRules } from './judge-phone.ts';
import {
  clearSomeVerdicts,
  type Judgement,
  readUncheckedRows,
  type UncheckedRow,
  writeVerdicts,
} from './row-store.ts';

const BATCH_ROWS = 2_000;
/** Other requests wait no longer than this for the judging of rows. */
const SLICE_MS = 5;

/**
 * Gives every row of a draft its verdict, in short transactions. Does nothing while the column of
 * the phone is not known. Throws `changed_meanwhile` when somebody else begins to read or check the
 * rows: that one's result holds.
 */
export async function recheckRows(
  ctx: Pick<Context, 'db' | 'config'>,
  broadcastId: string,
): Promise<void> {
  const turn = await startChecking(ctx.db, { broadcastId });
  if (turn !== undefined) await checkRows(ctx, broadcastId, turn);
}

/** The same with a turn that was already taken. */
export async function checkRows(
  ctx: Pick<Context, 'db' | 'config'>,
  broadcastId: string,
  checkTurn: CheckTurn,
): Promise<void> {
  const companyId = checkTurn.company_id;
  const columns = {
    phoneColumn: checkTurn.phone_column,
    consentColumn: checkTurn.consent_column,
  };
  const turn: Turn = { broadcastId, version: checkTurn.rows_version };
  while ((await inTurn(ctx, turn, (tx) => clearSomeVerdicts(tx, broadcastId))) > 0);

  const judge = createRowJudge({
    smsCountries: ctx.config.smsCountries,
    includesOtherCountries: checkTurn.includes_other_countries,
    hasConsentColumn: columns.consentColumn !== null,
  });
  for (let after = 0; ; ) {
    const slice = { broadcastId, after, limit: BATCH_ROWS };
    const rows = await readUncheckedRows(ctx.db, slice, columns);
    if (rows.length === 0) break;
    const judged = await judgeAll(rows, judge);
    await inTurn(ctx, turn, (tx) => writeVerdicts(tx, { companyId, broadcastId }, judged));
    after = (rows.at(-1) as UncheckedRow).number;
  }
  if (!(await finishChecking(ctx.db, turn))) throw new Problem('changed_meanwhile');
}

/** Works on the rows in a transaction, unless it is somebody else's turn. */
export async function inTurn<T>(
  { db }: Pick<Context, 'db'>,
  turn: Turn,
  work: (tx: Transaction) => Promise<T>,
  moreRows = 0,
): Promise<T> {
  return await db.transaction(async (tx) => {
    if (!(await keepTurn(tx, turn, moreRows))) throw new Problem('changed_meanwhile');
    return await work(tx);
  });
}

async function judgeAll(
  rows: readonly UncheckedRow[],
  judge: (row: UncheckedRow) => Judgement,
): Promise<Judgement[]> {
  const judged: Judgement[] = [];
  let startedMs = performance.now();
  for (const row of rows) {
    judged.push(judge(row));
    if (performance.now() - startedMs < SLICE_MS) continue;
    await nextLoopTurn();
    startedMs = performance.now();
  }
  return judged;
}

export type RowRules = PhoneRules & { hasConsentColumn: boolean };

/**
 * Judges rows in the order of the file: of several with one phone the first is kept, also when it is
 * held back itself, so that a person who said no in one row is not written to because of another.
 */
export function createRowJudge(rules: RowRules): (row: UncheckedRow) => Judgement {
  const numbers = new Map<string, number>();
  return ({ number, phone_cell, consent_cell }) => {
    const judged = judgePhone(phone_cell, rules);
    const { phone, verdict } = judged;
    if (judged.verdict !== 'send') {
      const reason = judged.verdict === 'invalid' ? judged.fault : null;
      return { number, phone, verdict, reason };
    }
    const first = numbers.get(judged.phone);
    if (first !== undefined) {
      return { number, phone, verdict: 'duplicate', reason: String(first) };
    }
    numbers.set(judged.phone, number);
    const isRefused = rules.hasConsentColumn && !isConsent(consent_cell);
    return { number, phone, verdict: isRefused ? 'no_consent' : 'send', reason: null };
  };
}

export type RowsPlace = { companyId: CompanyId; broadcastId: string };
