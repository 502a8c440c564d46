import type { RecipientRow } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { createRowJudge, type RowsPlace } from './check-rows.ts';
import { countChange } from './draft-rows-store.ts';
import { judgePhone } from './judge-phone.ts';
import { lockChangeable } from './load-rows.ts';
import {
  clearVerdicts,
  countVerdicts,
  findRow,
  readRowsOfPhones,
  type StoredRow,
  setCell,
  type VerdictCounts,
  writeVerdicts,
} from './row-store.ts';
import { toRecipientRow } from './show-rows.ts';

/**
 * Gives a row another phone and judges it again, with the rows that had the old phone and those that
 * have the new one: which of them is sent may change.
 */
export async function fixRow(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { companyId, broadcastId, number, phone }: RowsPlace & { number: number; phone: string },
): Promise<{ row: RecipientRow; verdicts: VerdictCounts }> {
  return await db.transaction(async (tx) => {
    const draft = await lockChangeable(tx, { companyId, broadcastId });
    const { phone_column: phoneColumn, consent_column: consentColumn } = draft;
    if (draft.rows_state !== 'checked' || phoneColumn === null) {
      throw new Problem('rows_not_checked');
    }
    const before = await findRow(tx, broadcastId, number);
    if (before === undefined) throw new Problem('not_found');
    const text = phone.trim();
    await setCell(tx, { broadcastId, number }, { column: phoneColumn, text });

    const rules = {
      smsCountries: config.smsCountries,
      includesOtherCountries: draft.includes_other_countries,
      hasConsentColumn: consentColumn !== null,
    };
    const phones = [before.phone?.toString(), judgePhone(text, rules).phone];
    const rows = await readRowsOfPhones(
      tx,
      { broadcastId, number, phones: phones.filter((known) => known != null) },
      { phoneColumn, consentColumn },
    );
    await clearVerdicts(
      tx,
      broadcastId,
      rows.map((row) => row.number),
    );
    await writeVerdicts(tx, { companyId, broadcastId }, rows.map(createRowJudge(rules)));
    await countChange(tx, broadcastId);
    const row = (await findRow(tx, broadcastId, number)) as StoredRow;
    return {
      row: toRecipientRow(row, { canSeePhones: true }),
      verdicts: await countVerdicts(tx, broadcastId),
    };
  });
}
