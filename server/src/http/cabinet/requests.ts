import type { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/requests.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CurrentUser } from '../../accounts/current-user.ts';
import { countPhoneSearch } from '../../accounts/phone-searches.ts';
import type { Context } from '../../context.ts';
import type { CompanyId } from '../../ids.ts';
import { listRequests, readRequestErrors } from '../../messages/list-requests.ts';
import { readRequest } from '../../messages/read-request.ts';
import { readRequestSearch, SHOWN_DIGITS } from '../../messages/request-search.ts';
import { Problem } from '../../problem.ts';
import { actorOf, type HandlersOf, type Origin } from './endpoint.ts';

export const REQUEST_HANDLERS: HandlersOf<typeof REQUEST_ENDPOINTS> = {
  async requests({ ctx }, call) {
    const { companyId, query } = call;
    const { cursor, ...filter } = query;
    await permitSearch(ctx, call, filter.search);
    const page = await listRequests(ctx, companyId, filter, cursor);
    return {
      success: true,
      rows: page.rows,
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },
  async request({ ctx }, { companyId, role, params }) {
    const canSeePhones = hasRight(role, 'phones.see');
    const found = await readRequest(ctx, companyId, params.id ?? '', { canSeePhones });
    if (found === undefined) throw new Problem('not_found');
    return { success: true, ...found };
  },
  async requestErrors({ ctx }, { companyId, query }) {
    return { success: true, ...(await readRequestErrors(ctx, companyId, query.range ?? '24h')) };
  },
};

type Viewer = { companyId: CompanyId; role: Role; user: CurrentUser; origin: Origin };

/**
 * Without the right to see phones, searches for one are limited, and more last digits than the mask
 * shows find nothing out: ten searches for each would tell the hidden ones.
 */
async function permitSearch(
  ctx: Context,
  { companyId, role, user, origin }: Viewer,
  text: string | undefined,
): Promise<void> {
  if (hasRight(role, 'phones.see')) return;
  const search = readRequestSearch(text ?? '');
  if (search === undefined) return;
  if ('phone' in search) {
    await countPhoneSearch(ctx, { companyId, actor: actorOf(user, origin), phone: search.phone });
  }
  if ('lastDigits' in search && search.lastDigits.length > SHOWN_DIGITS) {
    throw new Problem('validation_error', {
      errors: { search: [`Номер целиком или последние ${SHOWN_DIGITS} цифры`] },
    });
  }
}
