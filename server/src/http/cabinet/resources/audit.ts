import type { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { listDeeds } from '../../../audit/audit-store.ts';
import { Problem } from '../../../problem.ts';
import type { HandlersOf } from '../frame/endpoint.ts';

const PAGE_SIZE = 50;

export const AUDIT_HANDLERS: HandlersOf<typeof AUDIT_ENDPOINTS> = {
  async audit({ ctx }, { query, companyId }) {
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    const deeds = await listDeeds(ctx.db, {
      companyId,
      action: query.action,
      personId: query.person,
      from: query.from,
      to: query.to,
      before,
      limit: PAGE_SIZE + 1,
    });
    const shown = deeds.slice(0, PAGE_SIZE);
    return {
      success: true,
      rows: shown.map((deed) => ({ ...deed, at: deed.at.toISOString() })),
      next: deeds.length > PAGE_SIZE ? String(shown.at(-1)?.id) : null,
    };
  },
};

function readCursor(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}
