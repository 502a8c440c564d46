import type { ADMIN_OVERVIEW_ENDPOINTS } from '@zhiber/contract/admin/overview.ts';
import { readInstallation } from '../../operators/read-overview.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_OVERVIEW_HANDLERS: AdminHandlersOf<typeof ADMIN_OVERVIEW_ENDPOINTS> = {
  async overview({ ctx }) {
    const counts = await readInstallation(ctx);
    return {
      success: true,
      companies: counts.companies,
      suspended_companies: counts.suspendedCompanies,
      balance: counts.balance,
      held: counts.held,
      debt: counts.debt,
      sends_today: counts.sendsToday,
      orders_to_confirm: counts.ordersToConfirm,
      refunds_under_way: counts.refundsUnderWay,
      unhandled_notices: counts.unhandledNotices,
    };
  },
};
