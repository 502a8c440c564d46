import { Readable } from 'node:stream';
import {
  filterFields,
  type MESSAGE_ENDPOINTS,
  type MessageFilter,
} from '@zhiber/contract/cabinet/messages.ts';
import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { almatyTime } from '../../almaty.ts';
import { isId, lowestIdAt } from '../../ids.ts';
import { exportMessages } from '../../messages/export-messages.ts';
import { listMessages, toMessageRow } from '../../messages/list-messages.ts';
import { toQuery } from '../../messages/message-query.ts';
import { readMessage } from '../../messages/read-message.ts';
import { deleteView, listOwnViews, saveView } from '../../messages/saved-views.ts';
import { Problem } from '../../problem.ts';
import type { StreamOwner } from '../transport/event-stream.ts';
import { actorOf, DONE, type HandlersOf } from './endpoint.ts';
import { followMessages } from './live-messages.ts';

const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export const MESSAGE_HANDLERS: HandlersOf<typeof MESSAGE_ENDPOINTS> = {
  async messages({ ctx }, { companyId, role, query }) {
    const { cursor, ...filter } = query;
    const canSeePhones = hasRight(role, 'phones.see');
    const messageQuery = toQuery(filter, ctx.clock.now());
    const page = await listMessages(ctx.db, companyId, messageQuery, { cursor });
    return {
      success: true,
      rows: page.rows.map((message) => toMessageRow(message, canSeePhones)),
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },

  async liveMessages({ ctx, streams, feeds }, { companyId, query, user, request, reply }) {
    const { after, ...filter } = query;
    if (after !== undefined && !isId(after)) {
      throw new Problem('validation_error', { errors: { after: ['Неверный формат'] } });
    }
    const now = ctx.clock.now();
    const following = {
      companyId,
      query: toQuery(filter, now),
      after: after ?? lowestIdAt(now.getTime()),
    };
    const { sessionId, personId } = user;
    const owner: StreamOwner = { sessionId, personId, companyId, right: 'messages.see' };
    followMessages(feeds, streams.open(request, reply, owner), following);
    return reply;
  },

  async exportMessages({ ctx }, { companyId, role, query, user, origin, reply }) {
    const { format, lang = 'ru', ...filter } = query;
    const file = exportMessages(ctx, {
      companyId,
      filter,
      format,
      lang,
      canSeePhones: hasRight(role, 'phones.see'),
      actor: actorOf(user, origin),
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

  async views({ ctx }, { companyId, user }) {
    const { personId } = user;
    return { success: true, views: await listOwnViews(ctx.db, { companyId, personId }) };
  },
  async saveView({ ctx }, { companyId, user, body }) {
    const { personId } = user;
    const view = { name: body.name, filter: knownFields(body.filter) };
    return { success: true, id: await saveView(ctx.db, { companyId, personId }, view) };
  },
  async deleteView({ ctx }, { companyId, user, params }) {
    const { personId } = user;
    const id = /^\d{1,15}$/.test(params.id ?? '') ? Number(params.id) : 0;
    await deleteView(ctx.db, { companyId, personId }, id);
    return DONE;
  },
};

/** Drops unknown fields from a saved filter. */
function knownFields(filter: MessageFilter): MessageFilter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => name in filterFields));
}
