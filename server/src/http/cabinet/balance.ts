import type { BALANCE_ENDPOINTS } from '@zhiber/contract/cabinet/balance.ts';
import { exportLedger } from '../../ledger/export-ledger.ts';
import { listLedger } from '../../ledger/list-ledger.ts';
import { readBalanceFigures } from '../../ledger/read-balance-figures.ts';
import { readSpend } from '../../ledger/read-spend.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';
import { sendExport } from './send-export.ts';

export const BALANCE_HANDLERS: HandlersOf<typeof BALANCE_ENDPOINTS> = {
  async balance({ ctx }, { companyId }) {
    return { success: true, ...(await readBalanceFigures(ctx, companyId)) };
  },
  async ledger({ ctx }, { companyId, query }) {
    return { success: true, ...(await listLedger(ctx, companyId, query)) };
  },
  async exportLedger({ ctx }, { companyId, query, reply, user, origin }) {
    const { format, by, lang = 'ru', ...range } = query;
    const actor = actorOf(user, origin);
    const content = await exportLedger(ctx, { companyId, range, by, format, lang, actor });
    return sendExport(reply, { name: 'ledger', format, now: ctx.clock.now(), content });
  },
  async spend({ ctx }, { companyId, query }) {
    return { success: true, ...(await readSpend(ctx, companyId, query.range ?? '30d')) };
  },
};
