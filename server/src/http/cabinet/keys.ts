import type { Channel } from '@zhiber/contract/api/channel.ts';
import { KEY_EXPIRY_DAYS_MAX } from '@zhiber/contract/api/limits.ts';
import {
  CONTENT_KINDS,
  type KEY_ENDPOINTS,
  type Key,
  type KeySettings,
} from '@zhiber/contract/cabinet/keys.ts';
import { readCompany } from '../../company/change-company.ts';
import type { Context } from '../../context.ts';
import type { KeyId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import type { OwnKey, OwnKeySettings } from '../../keys/key-store.ts';
import {
  addKey,
  changeKey,
  changeKeyBrands,
  endPreviousSecret,
  listKeys,
  readOwnKey,
  renewKey,
  revokeKey,
} from '../../keys/manage-keys.ts';
import { readDomain } from '../../keys/origin.ts';
import { readKeyUsage, sendsByDay } from '../../messages/key-usage.ts';
import { Problem } from '../../problem.ts';
import { readBrand } from './company.ts';
import { actorOf, assertFreshSignIn, type HandlersOf, readId } from './endpoint.ts';

const DAY_MS = 86_400_000;

export const KEY_HANDLERS: HandlersOf<typeof KEY_ENDPOINTS> = {
  async keys({ ctx }, { companyId }) {
    const [keys, prices] = await Promise.all([
      listKeys(ctx, companyId),
      ctx.prices.read(companyId),
    ]);
    const ids = keys.map((key) => key.id);
    const { days, hoursToCount } = await sendsByDay(ctx, companyId, ids);
    return {
      success: true,
      hours_to_count: hoursToCount,
      keys: keys.map((key) => toKey(key, days.get(key.id) ?? [])),
      prices,
      carries: { test: contentKindsByChannel(ctx, true), live: contentKindsByChannel(ctx, false) },
    };
  },

  async createKey({ ctx }, { body, companyId, user, origin }) {
    const company = await readCompany(ctx, companyId);
    const { keyId, key } = await addKey(ctx, actorOf(user, origin), {
      companyId,
      name: body.name.trim(),
      isTest: body.mode === 'test',
      domain: readOwnDomain(body.domain ?? null) ?? undefined,
      channels: body.channels,
      monthlyCap: readCap('monthly_cap', body, body.mode === 'test') ?? undefined,
      dailyCap: readCap('daily_cap', body, body.mode === 'test') ?? undefined,
      expiresAt: readExpiry(ctx, body.expires_at ?? null) ?? undefined,
      language: company.language,
      brand: company.brand ?? undefined,
    });
    return { success: true, id: keyId, key };
  },

  async changeKey({ ctx }, { params, body, companyId, user, origin }) {
    const keyId = readId(params.id) as KeyId;
    const before = await readOwnKey(ctx, companyId, keyId);
    const settings = readSettings(ctx, body, before);
    // The domain and the end of its life make a stolen key useless, so easing them needs a fresh sign-in.
    if (before.domain !== settings.domain || isLater(settings.expiresAt, before.expiresAt)) {
      assertFreshSignIn(ctx, user);
    }
    await changeKey(ctx, actorOf(user, origin), { companyId, keyId, settings });
    return { success: true };
  },

  async changeKeyBrands({ ctx }, { body, companyId, user, origin }) {
    const changed = await changeKeyBrands(ctx, actorOf(user, origin), {
      companyId,
      keyIds: body.ids as KeyId[],
      brand: readBrand(body.brand ?? undefined),
    });
    return { success: true, changed };
  },

  async rotateKey({ ctx }, { params, body, companyId, user, origin }) {
    const keyId = readId(params.id) as KeyId;
    const { overlap_hours: overlapHours } = body;
    const { key } = await renewKey(ctx, actorOf(user, origin), {
      companyId,
      keyId,
      overlapHours,
    });
    return { success: true, id: keyId, key };
  },

  async endPreviousSecret({ ctx }, { params, companyId, user, origin }) {
    const keyId = readId(params.id) as KeyId;
    await endPreviousSecret(ctx, actorOf(user, origin), { companyId, keyId });
    return { success: true };
  },

  async revokeKey({ ctx }, { params, body, companyId, user, origin }) {
    const keyId = readId(params.id) as KeyId;
    const { reason } = body;
    await revokeKey(ctx, actorOf(user, origin), { companyId, keyId, reason });
    return { success: true };
  },

  async keyUse({ ctx }, { params, query, companyId }) {
    const keyId = readId(params.id) as KeyId;
    await readOwnKey(ctx, companyId, keyId);
    return { success: true, ...(await readKeyUsage(ctx, companyId, keyId, query.range ?? '7d')) };
  },
};

function toKey(key: OwnKey, dailySends: number[]): Key {
  return {
    id: key.id,
    name: key.name,
    domain: key.domain,
    channels: [...key.channels],
    code_length: key.codeLength,
    code_ttl_seconds: key.codeTtlSeconds,
    fallback_seconds: key.fallbackSeconds,
    language: key.language,
    brand: key.brand,
    rate_per_minute: key.ratePerMinute,
    monthly_cap: key.monthlyCap,
    daily_cap: key.dailyCap,
    expires_at: key.expiresAt?.toISOString() ?? null,
    mode: key.isTest ? 'test' : 'live',
    state: keyState(key),
    shown: `${key.shownStart}…${key.shownEnd}`,
    previous_until: key.previousUntil?.toISOString() ?? null,
    previous_used_at: key.previousUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    used_at: key.usedAt?.toISOString() ?? null,
    spent_this_month: key.spentThisMonth,
    spent_today: key.spentToday,
    sends_by_day: dailySends,
  };
}

function keyState({ revokedAt, isExpired, previousUntil }: OwnKey): Key['state'] {
  if (revokedAt !== null) return 'revoked';
  if (isExpired) return 'expired';
  return previousUntil === null ? 'active' : 'rotating';
}

function contentKindsByChannel({ channels }: Context, isTest: boolean) {
  const contentKindsOf = (channel: Channel) =>
    // Broadcasts are not sent with a key.
    CONTENT_KINDS.filter((kind) => channels.adapter(channel, isTest)?.carries.has(kind));
  return {
    whatsapp: contentKindsOf('whatsapp'),
    telegram: contentKindsOf('telegram'),
    // The sandbox adapter supports every kind, but groups exist only in the messengers.
    sms: contentKindsOf('sms').filter((kind) => kind !== 'group'),
  };
}

function readSettings(ctx: Context, body: KeySettings, before: ApiKey): OwnKeySettings {
  return {
    name: body.name.trim(),
    domain: readOwnDomain(body.domain),
    channels: body.channels,
    codeLength: body.code_length,
    codeTtlSeconds: body.code_ttl_seconds,
    fallbackSeconds: body.fallback_seconds,
    language: body.language,
    brand: readBrand(body.brand ?? undefined),
    ratePerMinute: body.rate_per_minute,
    monthlyCap: readCap('monthly_cap', body, before.isTest),
    dailyCap: readCap('daily_cap', body, before.isTest),
    expiresAt: readExpiry(ctx, body.expires_at, before.expiresAt),
  };
}

type Caps = Partial<Pick<KeySettings, 'monthly_cap' | 'daily_cap'>>;

function readCap(field: keyof Caps, body: Caps, isTest: boolean): number | null {
  const cap = body[field] ?? null;
  if (cap === null || !isTest) return cap;
  throw new Problem('validation_error', {
    errors: { [field]: ['Тестовый ключ ничего не расходует, лимит ему не нужен'] },
  });
}

/** A new end has to come. One that is past stays as it is, so that an expired key can be changed. */
function readExpiry({ clock }: Context, text: string | null, before: Date | null = null) {
  if (text === null) return null;
  const at = new Date(text);
  if (at.getTime() === before?.getTime()) return before;
  const daysLeft = (at.getTime() - clock.now().getTime()) / DAY_MS;
  if (daysLeft > 0 && daysLeft <= KEY_EXPIRY_DAYS_MAX) return at;
  const reason = daysLeft > 0 ? 'Укажите срок не дальше десяти лет' : 'Этот срок уже прошёл';
  throw new Problem('validation_error', { errors: { expires_at: [reason] } });
}

function isLater(end: Date | null, than: Date | null): boolean {
  return than !== null && (end === null || end > than);
}

/** Accepts what people type: surrounding spaces, capitals, Cyrillic. */
function readOwnDomain(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const domain = readDomain(text);
  if (domain !== undefined) return domain;
  throw new Problem('validation_error', {
    errors: { domain: ['Укажите домен без https:// и пути, например shop.kz'] },
  });
}
