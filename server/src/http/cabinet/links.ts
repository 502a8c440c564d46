import type { LINK_ENDPOINTS, LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import {
  type LinkWithClicks,
  type ListedLink,
  listLinks,
  readLink,
} from '../../links/list-links.ts';
import { checkAlias, createLink } from '../../links/shorten-link.ts';
import { switchLink } from '../../links/switch-link.ts';
import { maskPhone, type Phone } from '../../phone.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';

const RANGE_DEFAULT = '30d';

export const LINK_HANDLERS: HandlersOf<typeof LINK_ENDPOINTS> = {
  async links({ ctx }, { companyId, query }) {
    const { range = RANGE_DEFAULT, ...filter } = query;
    const page = await listLinks(ctx, { companyId, range, ...filter });
    return {
      success: true,
      rows: page.links.map((link) => toRow(link, ctx.urls.shortLinkBase)),
      next: page.next,
      searched_until: page.searchedUntil?.toISOString() ?? null,
    };
  },

  async createLink({ ctx }, call) {
    const { url, alias, expires_in: expiresInSeconds } = call.body;
    const request = { companyId: call.companyId, url, alias, expiresInSeconds };
    const { slug, shortUrl } = await createLink(ctx, actorOf(call.user, call.origin), request);
    return { success: true, slug, short_url: shortUrl };
  },

  async checkAlias({ ctx }, { companyId, query }) {
    const { isFree, freeOnes } = await checkAlias(ctx, { companyId, alias: query.alias });
    return { success: true, is_free: isFree, free_ones: freeOnes };
  },

  async link({ ctx }, { companyId, role, params, query }) {
    const { range = RANGE_DEFAULT } = query;
    const link = await readLink(ctx, { companyId, slug: params.slug ?? '', range });
    return {
      success: true,
      ...toRow(link, ctx.urls.shortLinkBase),
      buckets: link.buckets.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
      recipient: toRecipient(link, role),
    };
  },

  async disableLink({ ctx }, call) {
    const { companyId, params } = call;
    await switchLink(ctx, actorOf(call.user, call.origin), {
      companyId,
      slug: params.slug ?? '',
      isOn: false,
    });
    return { success: true };
  },

  async enableLink({ ctx }, call) {
    const { companyId, params } = call;
    await switchLink(ctx, actorOf(call.user, call.origin), {
      companyId,
      slug: params.slug ?? '',
      isOn: true,
    });
    return { success: true };
  },
};

function toRow({ clicks, ...link }: ListedLink, shortLinkBase: string): LinkRow {
  return {
    slug: link.slug,
    short_url: `${shortLinkBase}/${link.slug}`,
    url: link.url,
    source: link.source,
    state: link.state,
    created_at: link.created_at.toISOString(),
    expires_at: link.expires_at?.toISOString() ?? null,
    people: clicks.people,
    robots: clicks.robots,
    is_counted: clicks.is_whole,
    clicked_at: clicks.last_at?.toISOString() ?? null,
  };
}

/** The recipient, when the link was sent to one person. */
function toRecipient({ source, recipient, message_id, clicks }: LinkWithClicks, role: Role) {
  const isPerson = source === 'otp' || source === 'link';
  if (!isPerson || recipient === null || message_id === null) return null;
  const phone = recipient as Phone;
  return {
    phone: hasRight(role, 'phones.see') ? `+${phone}` : maskPhone(phone),
    message_id,
    first_click_at: clicks.first_at?.toISOString() ?? null,
    clicks: clicks.people_ever,
  };
}
