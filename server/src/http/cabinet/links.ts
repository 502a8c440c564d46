import type { LinkClick } from '@zhiber/contract/cabinet/clicks.ts';
import type { LINK_ENDPOINTS, LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { changeLink } from '../../links/change-link.ts';
import type { LastClick } from '../../links/click-store.ts';
import {
  type LinkWithClicks,
  type ListedLink,
  listLinks,
  readLastClicks,
  readLink,
} from '../../links/list-links.ts';
import { checkAlias, createLink } from '../../links/shorten-link.ts';
import { switchLink } from '../../links/switch-link.ts';
import { listTags, tagLink } from '../../links/tags.ts';
import { maskPhone, type Phone } from '../../phone.ts';
import { actorOf, DONE, type HandlersOf } from './endpoint.ts';

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
    const { url, alias, expires_in: expiresInSeconds, tags } = call.body;
    const request = { companyId: call.companyId, url, alias, expiresInSeconds, tags };
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
      parts: link.parts,
      changes: link.changes.map((change) => ({
        ...change,
        at: change.at.toISOString(),
        expires_before: change.expires_before?.toISOString() ?? null,
        expires_after: change.expires_after?.toISOString() ?? null,
      })),
      recipient: toRecipient(link, role),
    };
  },

  async linkClicks({ ctx }, { companyId, role, params }) {
    const clicks = await readLastClicks(ctx, { companyId, slug: params.slug ?? '' });
    return { success: true, clicks: clicks.map((click) => toClick(click, role)) };
  },

  async changeLink({ ctx }, { companyId, params, body, user, origin }) {
    await changeLink(ctx, actorOf(user, origin), {
      companyId,
      slug: params.slug ?? '',
      urlBefore: body.url_before,
      url: body.url,
      expiresInSeconds: body.expires_in,
    });
    return DONE;
  },

  async tagLink({ ctx }, { companyId, params, body, user, origin }) {
    const { tags } = body;
    await tagLink(ctx, actorOf(user, origin), { companyId, slug: params.slug ?? '', tags });
    return DONE;
  },

  async linkOptions({ ctx }, { companyId }) {
    const { shortLinkBase } = ctx.urls;
    return {
      success: true,
      short_link_base: shortLinkBase,
      tags: await listTags(ctx, companyId),
    };
  },

  async disableLink({ ctx }, call) {
    const { companyId, params } = call;
    await switchLink(ctx, actorOf(call.user, call.origin), {
      companyId,
      slug: params.slug ?? '',
      isOn: false,
    });
    return DONE;
  },

  async enableLink({ ctx }, call) {
    const { companyId, params } = call;
    await switchLink(ctx, actorOf(call.user, call.origin), {
      companyId,
      slug: params.slug ?? '',
      isOn: true,
    });
    return DONE;
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
    tags: link.tags ?? [],
    people: clicks.people,
    scans: clicks.scans,
    robots: clicks.robots,
    is_counted: clicks.is_whole,
    clicked_at: clicks.last_at?.toISOString() ?? null,
  };
}

/** The recipient, when the link was sent to one person. */
function toRecipient({ source, recipient, message_id, clicks }: LinkWithClicks, role: Role) {
  const isPerson = source === 'otp' || source === 'link';
  if (!isPerson || recipient === null || message_id === null) return null;
  return {
    phone: showPhone(recipient, role),
    message_id,
    first_click_at: clicks.first_at?.toISOString() ?? null,
    clicks: clicks.people_ever,
  };
}

function toClick({ is_robot, is_scan, recipient, ...click }: LastClick, role: Role): LinkClick {
  return {
    ...click,
    at: click.at.toISOString(),
    kind: is_robot ? 'robot' : is_scan ? 'scan' : 'person',
    phone: recipient === null ? null : showPhone(recipient, role),
  };
}

function showPhone(digits: string, role: Role): string {
  const phone = digits as Phone;
  return hasRight(role, 'phones.see') ? `+${phone}` : maskPhone(phone);
}
