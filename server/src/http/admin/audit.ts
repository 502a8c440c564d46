import type { ADMIN_AUDIT_ENDPOINTS } from '@zhiber/contract/admin/audit.ts';
import { listOperatorActs } from '../../audit-log/audit-log.ts';
import { listOperators } from '../../operators/manage-operators.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_AUDIT_HANDLERS: AdminHandlersOf<typeof ADMIN_AUDIT_ENDPOINTS> = {
  async audit({ ctx }, { query }) {
    const { events, next } = await listOperatorActs(ctx, query);
    const rows = events.map((event) => ({ ...event, at: event.at.toISOString() }));
    return { success: true, rows, next };
  },
  async operators({ ctx }) {
    const operators = (await listOperators(ctx)).map(({ personId, name, email, removedAt }) => {
      return { id: personId, name, email, is_removed: removedAt !== null };
    });
    return { success: true, operators };
  },
};
