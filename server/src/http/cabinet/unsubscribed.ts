import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import type { UNSUBSCRIBED_ENDPOINTS } from '@zhiber/contract/cabinet/unsubscribed.ts';
import { countPhoneSearch } from '../../accounts/phone-searches.ts';
import {
  removeUnsubscribed,
  showUnsubscribed,
  unsubscribePhones,
} from '../../broadcasts/unsubscribe/unsubscribed.ts';
import { maskPhone, type Phone, parsePhone } from '../../phone.ts';
import { actorOf, DONE, type HandlersOf } from './endpoint.ts';

export const UNSUBSCRIBED_HANDLERS: HandlersOf<typeof UNSUBSCRIBED_ENDPOINTS> = {
  async unsubscribed({ ctx }, { companyId, role, user, origin, query }) {
    const canSeePhones = hasRight(role, 'broadcasts.change');
    const phone = query.phone === undefined ? undefined : parsePhone(query.phone)?.phone;
    if (query.phone !== undefined && phone === undefined) {
      return { success: true, rows: [], next: null };
    }
    if (phone !== undefined && !canSeePhones) {
      await countPhoneSearch(ctx, { companyId, actor: actorOf(user, origin), phone });
    }
    const page = await showUnsubscribed(ctx, { companyId, phone, cursor: query.cursor });
    return {
      success: true,
      rows: page.rows.map((row) => ({
        phone: canSeePhones ? `+${row.phone}` : maskPhone(String(row.phone) as Phone),
        source: row.source,
        at: row.at.toISOString(),
        is_everywhere: row.is_everywhere,
      })),
      next: page.next,
    };
  },

  async unsubscribePhones({ ctx }, { companyId, user, origin, body }) {
    const added = { companyId, text: body.phones };
    return { success: true, ...(await unsubscribePhones(ctx, actorOf(user, origin), added)) };
  },

  async removeUnsubscribed({ ctx }, { companyId, user, origin, params }) {
    const removed = { companyId, phone: params.phone ?? '' };
    await removeUnsubscribed(ctx, actorOf(user, origin), removed);
    return DONE;
  },
};
