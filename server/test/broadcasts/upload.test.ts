import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { useService } from '../harness.ts';
import {
  EXPECTED_COUNTS,
  encode1251,
  HEADINGS,
  type PlannedRow,
  planRecipients,
  ROWS,
  toCsv,
} from './recipients-plan.ts';
import { createRowsRig, NO_VERDICTS } from './rows-rig.ts';

const service = useService();
const { openDraft, storedRows } = createRowsRig(service);

const plan = planRecipients();

/** Those who unsubscribed before the file was uploaded. */
async function unsubscribe(companyId: number): Promise<void> {
  for (const { phone, unsubscribedFrom } of plan) {
    if (unsubscribedFrom === undefined) continue;
    await service.sql(
      `insert into unsubscribed (phone, company_id, source) values ($1, $2, 'link') on conflict do nothing`,
      [phone, unsubscribedFrom === 'company' ? companyId : null],
    );
  }
}

const expectedRow = ({ number, phone, verdict, reason }: PlannedRow) => ({
  number,
  phone,
  verdict,
  reason,
});

describe('10,000 rows with 5 % rubbish', () => {
  const FILES = {
    'in Windows-1251 with semicolons': encode1251(toCsv(plan)),
    'saved by LibreOffice as XLSX': readFileSync(path.join(import.meta.dirname, 'recipients.xlsx')),
  };
  for (const [what, bytes] of Object.entries(FILES)) {
    test(`${what} reconcile to the row`, async () => {
      const draft = await openDraft();
      await unsubscribe(draft.companyId);
      const { rows } = (await draft.upload(bytes, { name: 'Клиенты ноябрь.csv' })).ok();
      assert.deepEqual(
        { ...rows, preview: [] },
        {
          state: 'checked',
          source: 'file',
          source_name: 'Клиенты ноябрь.csv',
          rows: ROWS,
          columns: HEADINGS,
          phone_column: 2,
          consent_column: 4,
          preview: [],
          verdicts: EXPECTED_COUNTS,
        },
      );
      const sum = Object.values(rows.verdicts ?? {}).reduce((total, count) => total + count, 0);
      assert.equal(sum, ROWS);
      const stored = await storedRows(draft.id);
      assert.deepEqual(
        stored.map(({ cells: _, ...row }) => row),
        plan.map(expectedRow),
      );
      // A quote, a delimiter and a line break inside of a cell are a part of it.
      assert.deepEqual(stored[7]?.cells.slice(0, 1), ['ТОО "Ромашка";\nфилиал в Алматы']);
      assert.deepEqual(
        rows.preview.map(({ number, cells }) => [number, cells[0]]),
        [
          [2, 'Айгуль'],
          [3, 'Нурлан'],
          [4, 'Ольга'],
          [5, 'Ербол'],
          [6, 'Ёлка и Ко'],
        ],
      );
    });
  }
});
