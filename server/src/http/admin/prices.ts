import type { ADMIN_PRICE_ENDPOINTS, PriceVersion } from '@zhiber/contract/admin/prices.ts';
import { listPrices, type PriceList } from '../../billing/manage-prices.ts';
import {
  listSenders,
  previewCommonPrice,
  registerSender,
  removeSender,
  setCommonPrice,
  withdrawPriceAtDesk,
} from '../../operators/price-desk.ts';
import { actorOf } from '../../operators/sign-in.ts';
import { DONE, readId } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_PRICE_HANDLERS: AdminHandlersOf<typeof ADMIN_PRICE_ENDPOINTS> = {
  async prices({ ctx }) {
    const { prices, history } = await listPrices(ctx);
    return { success: true, prices, history: history.map(toVersion) };
  },

  async previewPrice({ ctx }, { query }) {
    const { otherPrices, ...preview } = await previewCommonPrice(ctx, {
      item: query.item,
      from: readMoment(query.from),
    });
    return { success: true, ...preview, other_prices: otherPrices };
  },

  async setPrice({ ctx }, { body, operator, origin }) {
    const { id, validFrom } = await setCommonPrice(ctx, actorOf(operator, origin), {
      item: body.item,
      tokens: body.tokens,
      from: readMoment(body.from),
      by: operator.name,
    });
    return { success: true, id, valid_from: validFrom.toISOString() };
  },

  async withdrawPrice({ ctx }, { params, operator, origin }) {
    await withdrawPriceAtDesk(ctx, actorOf(operator, origin), { id: readId(params.id) });
    return DONE;
  },

  async senderNames({ ctx }) {
    const names = (await listSenders(ctx)).map(({ registered_at, ...name }) => {
      return { ...name, registered_at: registered_at.toISOString() };
    });
    return { success: true, names };
  },

  async addSenderName({ ctx }, { body, operator, origin }) {
    const note = body.note?.trim() || null;
    await registerSender(ctx, actorOf(operator, origin), { name: body.name, note });
    return DONE;
  },

  async removeSenderName({ ctx }, { params, operator, origin }) {
    await removeSender(ctx, actorOf(operator, origin), params.name ?? '');
    return DONE;
  },
};

function readMoment(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

function toVersion(version: PriceList['history'][number]): PriceVersion {
  const { company_id: id, company_name: name } = version;
  return {
    id: version.id,
    item: version.item,
    company: id === null ? null : { id, name: name ?? String(id) },
    tokens: version.tokens,
    valid_from: version.valid_from.toISOString(),
    state: version.state,
    set_by: version.set_by,
    set_at: version.created_at.toISOString(),
    withdrawn_by: version.withdrawn_by,
    withdrawn_at: version.withdrawn_at?.toISOString() ?? null,
  };
}
