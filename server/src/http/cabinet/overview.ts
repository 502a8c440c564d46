import type { OVERVIEW_ENDPOINTS } from '@zhiber/contract/cabinet/overview.ts';
import { readOverview } from '../../messages/read-overview.ts';
import type { HandlersOf } from './endpoint.ts';

export const OVERVIEW_HANDLERS: HandlersOf<typeof OVERVIEW_ENDPOINTS> = {
  async overview({ ctx }, { companyId, query }) {
    const { range = '24h', mode } = query;
    const isTest = mode === undefined ? undefined : mode === 'test';
    return { success: true, ...(await readOverview(ctx, companyId, { range, isTest })) };
  },
};
