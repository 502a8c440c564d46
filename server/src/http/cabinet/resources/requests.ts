import type { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/messages.ts';
import { listRequests } from '../../../history/requests/list-requests.ts';
import { readRequestErrors } from '../../../history/requests/read-request-errors.ts';
import type { HandlersOf } from '../frame/endpoint.ts';

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
