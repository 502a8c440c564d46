import type { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/requests.ts';
import { listRequests, readRequestErrors } from '../../messages/list-requests.ts';
import type { HandlersOf } from './endpoint.ts';

export const REQUEST_HANDLERS: HandlersOf<typeof REQUEST_ENDPOINTS> = {
  async requests({ ctx }, { companyId, query }) {
    const { cursor, ...filter } = query;
    const page = await listRequests(ctx, companyId, filter, cursor);
    return {
      success: true,
      rows: page.rows,
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },
  async requestErrors({ ctx }, { companyId, query }) {
    return { success: true, ...(await readRequestErrors(ctx, companyId, query.range ?? '24h')) };
  },
};
