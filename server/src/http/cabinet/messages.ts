import { readMessageId, shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import {
  filterFields,
  type MESSAGE_ENDPOINTS,
  type MessageFilter,
} from '@zhiber/contract/cabinet/messages.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CurrentUser } from '../../accounts/current-user.ts';
import { countPhoneSearch } from '../../accounts/phone-searches.ts';
import { recordEvent } from '../../audit-log/audit-log.ts';
import type { Context } from '../../context.ts';
import { type CompanyId, isId, lowestIdAt, type MessageId } from '../../ids.ts';
import { readOwnKey } from '../../keys/manage-keys.ts';
import { exportMessages } from '../../messages/export-messages.ts';
import { listMessages, toMessageRow } from '../../messages/list-messages.ts';
import { type MessageQuery, maskTail, toQuery } from '../../messages/message-query.ts';
import { readMessage } from '../../messages/read-message.ts';
import { readResend } from '../../messages/read-resend.ts';
import { deleteView, listOwnViews, saveView } from '../../messages/saved-views.ts';
import { Problem } from '../../problem.ts';
import { OPERATIONS } from '../api/operations.ts';
import { runAsApiCall } from '../api/run-as-api-call.ts';
import type { StreamOwner } from '../transport/event-stream.ts';
import { actorOf, DONE, type HandlersOf, type Origin } from './endpoint.ts';
import { followMessages } from './live-messages.ts';
import { sendExport } from './send-export.ts';

export const MESSAGE_HANDLERS: HandlersOf<typeof MESSAGE_ENDPOINTS> = {
  async messages({ ctx }, call) {
    const { companyId, role } = call;
    const { cursor, ...filter } = call.query;
    const canSeePhones = hasRight(role, 'phones.see');
    const query = await permittedQuery(ctx, call, filter);
    // What was just sent is on the first page.
    const sql = cursor === undefined ? ctx.db : ctx.reads;
    const page = await listMessages(sql, companyId, query, { cursor });
    return {
      success: true,
      rows: page.rows.map((message) => toMessageRow(message, canSeePhones)),
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },

  async liveMessages({ ctx, streams, feeds }, call) {
    const { companyId, user, request, reply } = call;
    const { after, ...filter } = call.query;
    if (after !== undefined && !isId(after)) {
      throw new Problem('validation_error', { errors: { after: ['Неверный формат'] } });
    }
    const following = {
      companyId,
      query: await permittedQuery(ctx, call, filter),
      after: after ?? lowestIdAt(ctx.clock.now().getTime()),
    };
    const { sessionId, personId } = user;
    const owner: StreamOwner = { sessionId, personId, companyId, right: 'messages.see' };
    followMessages(feeds, streams.open(request, reply, owner), following);
    return reply;
  },

  async exportMessages({ ctx }, call) {
    const { companyId, role, user, origin, reply } = call;
    const { format, lang = 'ru', ...filter } = call.query;
    await permittedQuery(ctx, call, filter);
    const content = exportMessages(ctx, {
      companyId,
      filter,
      format,
      lang,
      canSeePhones: hasRight(role, 'phones.see'),
      actor: actorOf(user, origin),
    });
    return sendExport(reply, { name: 'messages', format, now: ctx.clock.now(), content });
  },

  async message({ ctx }, { companyId, role, params }) {
    const id = readMessageId(params.id ?? '') as MessageId | undefined;
    const canSeePhones = hasRight(role, 'phones.see');
    const detail = id && (await readMessage(ctx, companyId, id, { canSeePhones }));
    if (detail === undefined) throw new Problem('not_found');
    return detail;
  },

  async resendMessage({ ctx, limiter }, { companyId, user, origin, params, body }) {
    const id = readMessageId(params.id ?? '') as MessageId | undefined;
    const again = id && (await readResend(ctx, companyId, id));
    if (again === undefined) throw new Problem('not_found');
    const key = await readOwnKey(ctx, companyId, again.keyId);
    if (key.isRevoked) throw new Problem('key_not_active');
    // Recorded before the call runs: nothing is sent without an audit entry.
    await recordEvent(ctx, actorOf(user, origin), {
      companyId,
      action: 'message.resent',
      object: shortMessageId(again.id),
      after: { channel: body.channel },
    });
    const { requestId } = origin;
    const call = { key, operation: OPERATIONS.linkSend, requestId };
    const sent = { ...again.request, channel: body.channel };
    const done = await runAsApiCall({ ctx, limiter }, { ...call, body: sent });
    return { success: true, status: done.status, body: done.body, request_id: requestId };
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

type Viewer = { companyId: CompanyId; role: Role; user: CurrentUser; origin: Origin };

/**
 * The query of a filter. Without the right to see phones, searches for a whole one are limited, and
 * last digits are those that everybody sees.
 */
async function permittedQuery(
  ctx: Context,
  { companyId, role, user, origin }: Viewer,
  filter: MessageFilter,
): Promise<MessageQuery> {
  const query = toQuery(filter, ctx.clock.now());
  if (hasRight(role, 'phones.see')) return query;
  const { search } = query;
  if (search !== undefined && 'phone' in search) {
    await countPhoneSearch(ctx, { companyId, actor: actorOf(user, origin), phone: search.phone });
  }
  return maskTail(query);
}

/** Drops unknown fields from a saved filter. */
function knownFields(filter: MessageFilter): MessageFilter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => name in filterFields));
}
