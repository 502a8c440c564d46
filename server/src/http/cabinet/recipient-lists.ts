import type { RECIPIENT_LIST_ENDPOINTS } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { importIntoList } from '../../broadcasts/lists/import-into-list.ts';
import {
  createList,
  deleteList,
  listRecipientLists,
  removeListMember,
  renameList,
  showMembers,
} from '../../broadcasts/lists/recipient-lists.ts';
import { shown } from '../../broadcasts/rows/show-rows.ts';
import { maskPhone, type Phone } from '../../phone.ts';
import { actorOf, DONE, type HandlersOf, readId } from './endpoint.ts';

export const RECIPIENT_LIST_HANDLERS: HandlersOf<typeof RECIPIENT_LIST_ENDPOINTS> = {
  async recipientLists({ ctx }, { companyId }) {
    return { success: true, lists: await listRecipientLists(ctx, companyId) };
  },

  async createList({ ctx }, { companyId, user, origin, body }) {
    const id = await createList(ctx, actorOf(user, origin), { companyId, name: body.name });
    return { success: true, id };
  },

  async renameList({ ctx }, { companyId, params, user, origin, body }) {
    const renamed = { companyId, listId: readId(params.id), name: body.name };
    await renameList(ctx, actorOf(user, origin), renamed);
    return DONE;
  },

  async deleteList({ ctx }, { companyId, params, user, origin }) {
    await deleteList(ctx, actorOf(user, origin), { companyId, listId: readId(params.id) });
    return DONE;
  },

  async listMembers({ ctx }, { companyId, role, params, query }) {
    const canSeePhones = hasRight(role, 'broadcasts.change');
    const page = await showMembers(ctx, { companyId, listId: readId(params.id), ...query });
    return {
      success: true,
      rows: page.members.map(({ phone, cells, tags, has_consent, is_unsubscribed }) => ({
        phone: canSeePhones ? `+${phone}` : maskPhone(String(phone) as Phone),
        cells: shown(cells, canSeePhones),
        tags,
        has_consent,
        is_unsubscribed,
      })),
      next: page.next,
    };
  },

  async removeListMember({ ctx }, { companyId, params, user, origin }) {
    const member = { companyId, listId: readId(params.id), phone: params.phone ?? '' };
    await removeListMember(ctx, actorOf(user, origin), member);
    return DONE;
  },

  async importIntoList({ ctx }, { companyId, params, user, origin, body }) {
    const imported = await importIntoList(ctx, actorOf(user, origin), {
      companyId,
      listId: readId(params.id),
      broadcastId: body.broadcast_id.toLowerCase(),
      tags: body.tags ?? [],
    });
    return { success: true, ...imported };
  },
};
