import { ALIAS_LENGTH_MAX, SENT_LINK_TTL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { type CompanyId, randomText } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  type CreatedLink,
  createLinks,
  findTakenNames,
  type NewLink,
  setLinkTags,
} from './link-store.ts';
import { isReserved, newSlug, SLUG_FORM } from './slug.ts';
import { cleanTags } from './tags.ts';
import { readTarget, type TargetContext } from './target.ts';

export type ShortenRequest = {
  companyId: CompanyId;
  url: string;
  alias?: string | undefined;
  expiresInSeconds?: number | undefined;
};

export type ShortLink = {
  slug: string;
  shortUrl: string;
  /** In its parsed form, as stored. */
  url: string;
  expiresInSeconds?: number;
};

// About one random name in a trillion is taken; three in a row are a bug.
const RANDOM_TRIES_MAX = 3;

/**
 * Creates a short link. The unique index decides who owns a chosen name, not a check before the
 * write. Links are created in batches, unless the caller creates them in its own transaction.
 */
export async function shortenLink(
  ctx: Context,
  request: ShortenRequest,
  make: (link: NewLink) => Promise<CreatedLink> = (link) => ctx.db.inGroup(createLinks, link),
): Promise<ShortLink> {
  const url = await readTarget(ctx, request.url, 'url');
  const { alias } = request;
  if (alias !== undefined && isReserved(alias)) throw new Problem('alias_taken');

  for (let tries = 1; tries <= RANDOM_TRIES_MAX; tries++) {
    const made = await make({
      slug: alias ?? newSlug(),
      companyId: request.companyId,
      url,
      ttlSeconds: request.expiresInSeconds ?? null,
    });
    if (made.is_made) {
      return {
        slug: made.slug,
        url,
        shortUrl: `${ctx.urls.shortLinkBase}/${made.slug}`,
        ...(made.expires_seconds === null ? {} : { expiresInSeconds: made.expires_seconds }),
      };
    }
    if (alias !== undefined) throw new Problem('alias_taken');
  }
  throw new Error('three random names in a row were taken');
}

const OFFERED = 3;
const ENDINGS = ['2', '3', '4', '5', 'kz', 'new', 'go'];
const DIGITS = '23456789';

/** Whether a company can take a short name; if not, three similar names that it can. */
export async function checkAlias(
  ctx: Pick<Context, 'db'>,
  { companyId, alias }: { companyId: CompanyId; alias: string },
): Promise<{ isFree: boolean; freeOnes: string[] }> {
  if (!SLUG_FORM.test(alias)) {
    throw new Problem('validation_error', { errors: { alias: ['Неверный формат'] } });
  }
  const similar = [...ENDINGS, ...Array.from({ length: OFFERED }, () => randomText(DIGITS, 4))]
    .map((ending) => withEnding(alias, ending))
    .filter((name) => !isReserved(name));
  const names = [alias, ...similar].map((name) => name.toLowerCase());
  const taken = new Set(await findTakenNames(ctx.db, companyId, names));
  const isFree = (name: string) => !taken.has(name.toLowerCase());
  if (isFree(alias) && !isReserved(alias)) return { isFree: true, freeOnes: [] };
  return { isFree: false, freeOnes: similar.filter(isFree).slice(0, OFFERED) };
}

function withEnding(alias: string, ending: string): string {
  const room = ALIAS_LENGTH_MAX - ending.length - 1;
  return `${alias.slice(0, room).replace(/[_-]+$/, '')}-${ending}`;
}

/** A short link created by hand: made as by the API, with a record in the audit log. */
export async function createLink(
  ctx: Context,
  actor: Actor,
  request: ShortenRequest & { tags?: readonly string[] | undefined },
): Promise<ShortLink> {
  const tags = cleanTags(request.tags ?? []);
  return await ctx.db.transaction(async (tx) => {
    const link = await shortenLink(ctx, request, async (item) => {
      const [made] = await createLinks.run(tx, [item]);
      return made as NonNullable<typeof made>;
    });
    const { companyId } = request;
    if (tags.length > 0) await setLinkTags(tx, companyId, { slug: link.slug, tags });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'link.created',
      object: link.shortUrl,
      after: {
        url: link.url,
        expires_in: link.expiresInSeconds,
        ...(tags.length > 0 && { tags }),
      },
    });
    return link;
  });
}

export type PreparedLink = { slug: string; url: string; shortUrl: string; ttlSeconds: number };

/** A short link for a message: named now, inserted in the same transaction as the message. */
export async function prepareLink(
  ctx: TargetContext,
  raw: string,
  field: 'url' | 'link',
): Promise<PreparedLink> {
  const url = await readTarget(ctx, raw, field);
  const slug = newSlug();
  return {
    slug,
    url,
    shortUrl: `${ctx.urls.shortLinkBase}/${slug}`,
    ttlSeconds: SENT_LINK_TTL_SECONDS,
  };
}
