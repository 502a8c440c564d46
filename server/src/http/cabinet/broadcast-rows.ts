import type { BROADCAST_ROW_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import type { RowsRead } from '@zhiber/contract/cabinet/broadcasts.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { useList } from '../../broadcasts/lists/use-list.ts';
import type { RowsPlace } from '../../broadcasts/rows/check-rows.ts';
import { chooseColumns } from '../../broadcasts/rows/choose-columns.ts';
import { downloadRows } from '../../broadcasts/rows/download-rows.ts';
import { fixRow } from '../../broadcasts/rows/fix-row.ts';
import { uploadRows } from '../../broadcasts/rows/load-rows.ts';
import { describeRows, listRecipientRows } from '../../broadcasts/rows/show-rows.ts';
import { type CompanyId, isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { actorOf, type Cabinet, type HandlersOf, readId } from './endpoint.ts';
import { sendExport } from './send-export.ts';

type RowsCall = {
  companyId: CompanyId;
  role: Role;
  params: Readonly<Record<string, string>>;
};

export const BROADCAST_ROW_HANDLERS: HandlersOf<typeof BROADCAST_ROW_ENDPOINTS> = {
  async uploadRows({ ctx }, call) {
    const { source, name } = call.query;
    const upload = { ...placeOf(call), source, name, bytes: call.file };
    await uploadRows(ctx, actorOf(call.user, call.origin), upload);
    return { success: true, rows: await rowsOf(ctx, call) };
  },

  async useList({ ctx }, call) {
    const { list_id: listId, tags = [] } = call.body;
    const request = { ...placeOf(call), listId, tags };
    await useList(ctx, actorOf(call.user, call.origin), request);
    return { success: true, rows: await rowsOf(ctx, call) };
  },

  async chooseColumns({ ctx }, call) {
    const { phone, consent, names } = call.body;
    const chosen = { phoneColumn: phone, consentColumn: consent, names };
    await chooseColumns(ctx, placeOf(call), chosen);
    return { success: true, rows: await rowsOf(ctx, call) };
  },

  async rows({ ctx }, call) {
    const canSeePhones = hasRight(call.role, 'broadcasts.change');
    const page = await listRecipientRows(ctx, placeOf(call), { ...call.query, canSeePhones });
    return { success: true, ...page };
  },

  async fixRow({ ctx }, call) {
    const number = readId(call.params.number);
    const fixed = await fixRow(ctx, { ...placeOf(call), number, phone: call.body.phone });
    return { success: true, ...fixed };
  },

  async downloadRows({ ctx }, call) {
    const { verdict, lang = 'ru' } = call.query;
    const request = { ...placeOf(call), verdict, lang };
    const content = await downloadRows(ctx, actorOf(call.user, call.origin), request);
    const name = `recipients-${verdict ?? 'all'}`;
    return sendExport(call.reply, { name, format: 'csv', now: ctx.clock.now(), content });
  },
};

function placeOf({ companyId, params }: RowsCall): RowsPlace {
  const broadcastId = params.id?.toLowerCase() ?? '';
  if (!isId(broadcastId)) throw new Problem('not_found');
  return { companyId, broadcastId };
}

async function rowsOf(ctx: Cabinet['ctx'], call: RowsCall): Promise<RowsRead> {
  const canSeePhones = hasRight(call.role, 'broadcasts.change');
  return await describeRows(ctx, placeOf(call), { canSeePhones });
}
