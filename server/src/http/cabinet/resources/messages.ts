import { Readable } from 'node:stream';
import {
  filterFields,
  type MESSAGE_ENDPOINTS,
  type MessageFilter,
} from '@zhiber/contract/cabinet/messages.ts';
import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { almatyTime } from '../../../almaty.ts';
import { exportMessages } from '../../../history/export/export-messages.ts';
import { listMessages } from '../../../history/list/list-messages.ts';
import { toQuery } from '../../../history/list/message-query.ts';
import { toMessageRow } from '../../../history/list/message-row.ts';
import { saveView } from '../../../history/list/save-view.ts';
import { listViews, removeView } from '../../../history/list/view-store.ts';
import { readMessage } from '../../../history/read-message.ts';
import { isId, lowestIdAt } from '../../../ids.ts';
import { Problem } from '../../../problem.ts';
import { actorOf } from '../frame/actor.ts';
import { DONE } from '../frame/browser.ts';
import type { HandlersOf } from '../frame/endpoint.ts';
import { followMessages } from './live-messages.ts';

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export const MESSAGE_HANDLERS: HandlersOf<typeof MESSAGE_ENDPOINTS> = {
  async messages({ ctx }, { companyId, role, query }) {
    const { cursor, ...filter } = query;
    const canSeePhones = hasRight(role, 'phones.see');
    const asked = toQuery(filter, ctx.clock.now());
    const page = await listMessages(ctx.db, companyId, asked, { cursor });
    return {
      success: true,
      rows: page.rows.map((message) => toMessageRow(message, canSeePhones)),
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },

  async liveMessages({ ctx, people, streams }, { companyId, query, visitor, request, reply }) {
    const { after, ...filter } = query;
    if (after !== undefined && !isId(after)) {
      throw new Problem('validation_error', { errors: { after: ['Неверный формат'] } });
    }
    const now = ctx.clock.now();
    const following = {
      request,
      companyId,
      query: toQuery(filter, now),
      after: after ?? lowestIdAt(now.getTime()),
    };
    const stream = streams.open(request, reply, visitor.sessionId);
    followMessages({ ctx, people }, stream, following);
    return reply;
  },

  async exportMessages({ ctx }, { companyId, role, query, visitor, origin, reply }) {
    const { format, lang = 'ru', ...filter } = query;
    const file = exportMessages(ctx, {
      companyId,
      filter,
      format,
      lang,
      canSeePhones: hasRight(role, 'phones.see'),
      actor: actorOf(visitor, origin),
    });
    const day = almatyTime(ctx.clock.now()).slice(0, 10);
    return reply
      .header('content-type', FILE_TYPES[format])
      .header('content-disposition', `attachment; filename="messages-${day}.${format}"`)
      .send(Readable.from(file, { objectMode: false }));
  },

  async message({ ctx }, { companyId, role, params }) {
    const id = params.id?.toLowerCase() ?? '';
    const canSeePhones = hasRight(role, 'phones.see');
    const detail = isId(id) ? await readMessage(ctx, companyId, id, { canSeePhones }) : undefined;
    if (detail === undefined) throw new Problem('not_found');
    return detail;
  },

  async views({ ctx }, { companyId, visitor }) {
    const { personId } = visitor;
    return { success: true, views: await listViews(ctx.db, { companyId, personId }) };
  },
  async saveView({ ctx }, { companyId, visitor, body }) {
    const { personId } = visitor;
    const view = { name: body.name, filter: knownFields(body.filter) };
    return { success: true, id: await saveView(ctx.db, { companyId, personId }, view) };
  },
  async deleteView({ ctx }, { companyId, visitor, params }) {
    const { personId } = visitor;
    const id = /^\d{1,15}$/.test(params.id ?? '') ? Number(params.id) : 0;
    if (!(await removeView(ctx.db, { companyId, personId }, id))) throw new Problem('not_found');
    return DONE;
  },
};

/** What a filter may say; whatever else came with it is not kept. */
function knownFields(filter: MessageFilter): MessageFilter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => name in filterFields));
}
