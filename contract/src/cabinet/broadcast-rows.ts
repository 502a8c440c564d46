import Type, { type Static } from 'typebox';
import { Column, countsOf, Tags, Verdict } from './broadcast-fields.ts';
import {
  CELL_LENGTH_MAX,
  COLUMNS_MAX,
  RECIPIENT_FILE_BYTES_MAX,
  ROW_VERDICTS,
} from './broadcast-words.ts';
import { RowsRead } from './broadcasts.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Cursor, Id, Language, orNull, pageOf } from './fields.ts';

export const RecipientRow = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  phone: orNull(Type.String()),
  cells: Type.Array(Type.String()),
  verdict: orNull(Verdict),
  reason: orNull(Type.String()),
});
export type RecipientRow = Static<typeof RecipientRow>;

/** The rows of a draft, and what becomes of each. */
export const BROADCAST_ROW_ENDPOINTS = {
  /** A CSV or XLSX file, or pasted text, as its bytes. Replaces the rows of the draft. */
  uploadRows: {
    method: 'POST',
    path: '/broadcasts/:id/file',
    policy: 'broadcasts.change',
    fileBytesMax: RECIPIENT_FILE_BYTES_MAX,
    query: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      source: Type.Enum(['file', 'text']),
    }),
    answer: Type.Object({ success: Type.Literal(true), rows: RowsRead }),
  },
  useList: {
    method: 'POST',
    path: '/broadcasts/:id/list',
    policy: 'broadcasts.change',
    body: Type.Object({ list_id: Id, tags: Type.Optional(Tags) }),
    answer: Type.Object({ success: Type.Literal(true), rows: RowsRead }),
  },
  /** Chooses the columns and checks all rows by them. The first row is data when it has no headings. */
  chooseColumns: {
    method: 'PUT',
    path: '/broadcasts/:id/columns',
    policy: 'broadcasts.change',
    body: Type.Object({
      phone: Column,
      consent: orNull(Column),
      names: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: COLUMNS_MAX }),
    }),
    answer: Type.Object({ success: Type.Literal(true), rows: RowsRead }),
  },
  rows: {
    method: 'GET',
    path: '/broadcasts/:id/rows',
    policy: 'broadcasts.see',
    query: Type.Object({ cursor: Cursor, verdict: Type.Optional(Verdict) }),
    answer: pageOf(RecipientRow),
  },
  /** Another phone for a row; the row and its duplicates are checked again. */
  fixRow: {
    method: 'PUT',
    path: '/broadcasts/:id/rows/:number',
    policy: 'broadcasts.change',
    body: Type.Object({ phone: Type.String({ maxLength: CELL_LENGTH_MAX }) }),
    answer: Type.Object({
      success: Type.Literal(true),
      row: RecipientRow,
      verdicts: countsOf(ROW_VERDICTS),
    }),
  },
  /** The rows as they were, with a column that says why; a CSV file. */
  downloadRows: {
    method: 'GET',
    path: '/broadcasts/:id/rows/file',
    policy: 'broadcasts.change',
    query: Type.Object({ verdict: Type.Optional(Verdict), lang: Type.Optional(Language) }),
    answer: Type.Unknown(),
  },
} as const satisfies Record<string, CabinetEndpoint>;
