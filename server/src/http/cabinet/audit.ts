import type { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { listAuditEvents } from '../../audit-log/audit-log.ts';
import type { HandlersOf } from './endpoint.ts';

export const AUDIT_HANDLERS: HandlersOf<typeof AUDIT_ENDPOINTS> = {
  async audit({ ctx }, { query, companyId }) {
    const { events, next } = await listAuditEvents(ctx, companyId, query);
    const rows = events.map((event) => ({ ...event, at: event.at.toISOString() }));
    return { success: true, rows, next };
  },
};
