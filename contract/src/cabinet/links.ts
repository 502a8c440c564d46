import Type, { type Static } from 'typebox';
import { GROUP_CHANNELS } from '../api/channel.ts';
import { GROUP_NAME_LENGTH_MAX, LINK_TTL_SECONDS_MAX } from '../api/limits.ts';
import { LinkShortenRequest } from '../api/links.ts';
import { UrlInput } from '../api/otp.ts';
import { CLICK_PARTS, type ClickPart, ClickTop, LinkClick } from './clicks.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Done, Id, Instant, orNull, PLAIN_NAME } from './fields.ts';
import { LINK_TAGS_MAX, TAG_LENGTH_MAX } from './link-limits.ts';

export const LINK_SOURCES = ['otp', 'link', 'group', 'broadcast', 'shorten'] as const;
const LinkState = Type.Enum(['active', 'expired', 'disabled']);
const ClickRange = Type.Optional(Type.Enum(['24h', '7d', '30d', 'all']));

const Tag = Type.String({
  minLength: 1,
  maxLength: TAG_LENGTH_MAX,
  pattern: '\\S',
  format: PLAIN_NAME,
});
const Tags = Type.Array(Tag, { maxItems: LINK_TAGS_MAX });

export const LinkRow = Type.Object({
  slug: Type.String(),
  short_url: Type.String(),
  url: Type.String(),
  /** What the link was created for. */
  source: Type.Enum([...LINK_SOURCES]),
  state: LinkState,
  created_at: Instant,
  expires_at: orNull(Instant),
  tags: Type.Array(Type.String()),
  /** In the chosen range: opened by a click, by the QR code, and by programs. */
  people: Count,
  scans: Count,
  robots: Count,
  /** False while the clicks of a very popular link are still being added up. */
  is_counted: Type.Boolean(),
  /** The last click by a person, of all time. */
  clicked_at: orNull(Instant),
});
export type LinkRow = Static<typeof LinkRow>;

/** Where a link has led, and until when it was to work; the expiry is null for no end. */
export const LinkChange = Type.Object({
  at: Instant,
  /** Null for the operator's command line. */
  person: orNull(Type.String()),
  url_before: Type.String(),
  url_after: Type.String(),
  expires_before: orNull(Instant),
  expires_after: orNull(Instant),
});
export type LinkChange = Static<typeof LinkChange>;

export const LINK_ENDPOINTS = {
  links: {
    method: 'GET',
    path: '/links',
    policy: 'links.see',
    query: Type.Object({
      cursor: Cursor,
      /** Part of the address it leads to, or the short name. */
      search: Type.Optional(Type.String({ maxLength: 200 })),
      state: Type.Optional(LinkState),
      source: Type.Optional(Type.Enum([...LINK_SOURCES])),
      tag: Type.Optional(Type.String({ maxLength: TAG_LENGTH_MAX })),
      /** The period of the click counts; 30 days by default. */
      range: ClickRange,
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      rows: Type.Array(LinkRow),
      next: orNull(Type.String()),
      /**
       * Set when matches are rare and the search stopped here to answer in time; `next` continues
       * it.
       */
      searched_until: orNull(Instant),
    }),
  },
  createLink: {
    method: 'POST',
    path: '/links',
    policy: 'links.change',
    body: Type.Object({ ...LinkShortenRequest.properties, tags: Type.Optional(Tags) }),
    answer: Type.Object({
      success: Type.Literal(true),
      slug: Type.String(),
      short_url: Type.String(),
    }),
  },
  /** Whether a short name is free; if not, three similar ones that are. */
  checkAlias: {
    method: 'GET',
    // Not under /links, because a link may be named `alias`.
    path: '/link-alias',
    policy: 'links.change',
    query: Type.Object({ alias: Type.String({ maxLength: 64 }) }),
    answer: Type.Object({
      success: Type.Literal(true),
      is_free: Type.Boolean(),
      free_ones: Type.Array(Type.String()),
    }),
  },
  link: {
    method: 'GET',
    path: '/links/:slug',
    policy: 'links.see',
    query: Type.Object({ range: ClickRange }),
    answer: Type.Object({
      success: Type.Literal(true),
      ...LinkRow.properties,
      /** Hours for 24h, days of Almaty otherwise. */
      buckets: Type.Array(Type.Object({ at: Instant, people: Count, scans: Count, robots: Count })),
      /** Of clicks and scans by people in the range. */
      parts: Type.Object(
        Object.fromEntries(CLICK_PARTS.map((part) => [part, ClickTop])) as Record<
          ClickPart,
          typeof ClickTop
        >,
      ),
      /** The newest first. */
      changes: Type.Array(LinkChange),
      /** For a link that was sent to one phone: that phone and its clicks. */
      recipient: orNull(
        Type.Object({
          phone: Type.String(),
          message_id: Type.String(),
          first_click_at: orNull(Instant),
          clicks: Count,
        }),
      ),
    }),
  },
  /** The last clicks, the newest first. */
  linkClicks: {
    method: 'GET',
    path: '/links/:slug/clicks',
    policy: 'links.see',
    answer: Type.Object({ success: Type.Literal(true), clicks: Type.Array(LinkClick) }),
  },
  /** Where a link leads, and until when. Takes effect on every node within a second. */
  changeLink: {
    method: 'PUT',
    path: '/links/:slug',
    policy: 'links.change',
    body: Type.Object({
      /** The address that was changed. If somebody else has changed it meanwhile, nothing happens. */
      url_before: Type.String(),
      url: UrlInput,
      /** Seconds from now; null for no end. When absent, it stays as it is. */
      expires_in: Type.Optional(
        orNull(Type.Integer({ minimum: 1, maximum: LINK_TTL_SECONDS_MAX })),
      ),
    }),
    answer: Done,
  },
  tagLink: {
    method: 'PUT',
    path: '/links/:slug/tags',
    policy: 'links.change',
    body: Type.Object({ tags: Tags }),
    answer: Done,
  },
  /** For the forms and filters of links. */
  linkOptions: {
    method: 'GET',
    // Not under /links, because a link may be named `options`.
    path: '/link-options',
    policy: 'links.see',
    answer: Type.Object({
      success: Type.Literal(true),
      /** What short links begin with. */
      short_link_base: Type.String(),
      /** Those of the newest tagged links. */
      tags: Type.Array(Type.String()),
    }),
  },
  disableLink: {
    method: 'POST',
    path: '/links/:slug/disable',
    policy: 'links.change',
    answer: Done,
  },
  enableLink: { method: 'POST', path: '/links/:slug/enable', policy: 'links.change', answer: Done },
} as const satisfies Record<string, CabinetEndpoint>;

const GroupName = Type.String({
  minLength: 1,
  maxLength: GROUP_NAME_LENGTH_MAX,
  pattern: '\\S',
});

export const Group = Type.Object({
  id: Id,
  name: Type.String(),
  channel: Type.Enum([...GROUP_CHANNELS]),
  chat_id: Type.String(),
  created_at: Instant,
  /** Whether the bot is a member; null when that is unknown. */
  has_bot: orNull(Type.Boolean()),
  posted_at: orNull(Instant),
});
export type Group = Static<typeof Group>;

export const GROUP_ENDPOINTS = {
  groups: {
    method: 'GET',
    path: '/groups',
    policy: 'groups.see',
    answer: Type.Object({
      success: Type.Literal(true),
      groups: Type.Array(Group),
      /** Messengers whose groups are linked by a word that somebody posts there. */
      by_word: Type.Array(Type.Enum([...GROUP_CHANNELS])),
    }),
  },
  /**
   * How to link a group: `word` links the group in which it is posted, once `account` (the bot, or
   * the phone number of the service) is there. In Telegram `link` does both. The group is linked to
   * this company only.
   */
  groupInvitation: {
    method: 'POST',
    path: '/groups/invitation',
    policy: 'groups.change',
    body: Type.Object({ channel: Type.Enum([...GROUP_CHANNELS]) }),
    answer: Type.Object({
      success: Type.Literal(true),
      word: Type.String(),
      link: orNull(Type.String()),
      /** Null while it is not known. */
      account: orNull(Type.String()),
      ends_at: Instant,
    }),
  },
  /** By its number in the messenger: a group that was linked before, or any in the sandbox. */
  linkGroup: {
    method: 'POST',
    path: '/groups',
    policy: 'groups.change',
    body: Type.Object({
      name: GroupName,
      channel: Type.Enum([...GROUP_CHANNELS]),
      chat_id: Type.String({ minLength: 1, maxLength: 128, pattern: '^\\S+$' }),
    }),
    answer: Type.Object({ success: Type.Literal(true), id: Id }),
  },
  renameGroup: {
    method: 'PUT',
    path: '/groups/:id',
    policy: 'groups.change',
    body: Type.Object({ name: GroupName }),
    answer: Done,
  },
  unlinkGroup: { method: 'DELETE', path: '/groups/:id', policy: 'groups.change', answer: Done },
  /** Posts a short text, to check that it arrives. */
  testGroup: {
    method: 'POST',
    path: '/groups/:id/test',
    policy: 'groups.change',
    answer: Type.Object({ success: Type.Literal(true), message_id: Type.String() }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
