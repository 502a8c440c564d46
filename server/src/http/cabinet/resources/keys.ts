import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { KEY_ENDPOINTS, Key, KeySettings } from '@zhiber/contract/cabinet/keys.ts';
import { currentPrices } from '../../../billing/price-store.ts';
import { findCompany } from '../../../company/company-store.ts';
import type { Context } from '../../../context.ts';
import { sendsByDay } from '../../../history/usage/sends-by-day.ts';
import { useOfKey } from '../../../history/usage/use-of-key.ts';
import type { KeyId } from '../../../ids.ts';
import { findOwnKey } from '../../../keys/key-store.ts';
import {
  addKey,
  changeKey,
  endPreviousSecret,
  renewKey,
  revokeKey,
} from '../../../keys/manage-keys.ts';
import { readDomain } from '../../../keys/origin.ts';
import { listOwnKeys, type OwnKey, type OwnKeySettings } from '../../../keys/own-key-store.ts';
import { Problem } from '../../../problem.ts';
import { actorOf } from '../frame/actor.ts';
import type { HandlersOf } from '../frame/endpoint.ts';
import { assertFreshSignIn } from '../frame/fresh-sign-in.ts';
import { readId } from '../frame/params.ts';
import { readBrand } from './company.ts';

export const KEY_HANDLERS: HandlersOf<typeof KEY_ENDPOINTS> = {
  async keys({ ctx }, { companyId }) {
    const [keys, prices] = await Promise.all([
      listOwnKeys(ctx.db, companyId),
      currentPrices(ctx.db),
    ]);
    const ids = keys.map((key) => key.id);
    const { days, hoursToCount } = await sendsByDay(ctx, companyId, ids);
    return {
      success: true,
      hours_to_count: hoursToCount,
      keys: keys.map((key) => shownKey(key, days.get(key.id) ?? [])),
      prices,
      carries: { test: carriedBy(ctx, true), live: carriedBy(ctx, false) },
    };
  },

  async createKey({ ctx }, { body, companyId, visitor, origin }) {
    const company = await findCompany(ctx.db, companyId);
    const { keyId, key } = await addKey(ctx, actorOf(visitor, origin), {
      companyId,
      name: body.name.trim(),
      isTest: body.mode === 'test',
      domain: readOwnDomain(body.domain ?? null) ?? undefined,
      channels: body.channels,
      language: company?.language,
      brand: company?.brand ?? undefined,
    });
    return { success: true, id: keyId, key };
  },

  async changeKey({ ctx }, { params, body, companyId, visitor, origin }) {
    const keyId = readId(params.id) as KeyId;
    const settings = readSettings(body);
    const key = await findOwnKey(ctx.db, companyId, keyId);
    // It is the domain that makes a stolen key useless.
    if (key !== undefined && key.domain !== settings.domain) assertFreshSignIn(ctx, visitor);
    await changeKey(ctx, actorOf(visitor, origin), { companyId, keyId, settings });
    return { success: true };
  },

  async rotateKey({ ctx }, { params, body, companyId, visitor, origin }) {
    const keyId = readId(params.id) as KeyId;
    const { overlap_hours: overlapHours } = body;
    const { key } = await renewKey(ctx, actorOf(visitor, origin), {
      companyId,
      keyId,
      overlapHours,
    });
    return { success: true, id: keyId, key };
  },

  async endPreviousSecret({ ctx }, { params, companyId, visitor, origin }) {
    const keyId = readId(params.id) as KeyId;
    await endPreviousSecret(ctx, actorOf(visitor, origin), { companyId, keyId });
    return { success: true };
  },

  async revokeKey({ ctx }, { params, body, companyId, visitor, origin }) {
    const keyId = readId(params.id) as KeyId;
    const { reason } = body;
    await revokeKey(ctx, actorOf(visitor, origin), { companyId, keyId, reason });
    return { success: true };
  },

  async keyUse({ ctx }, { params, query, companyId }) {
    const keyId = readId(params.id) as KeyId;
    const key = await findOwnKey(ctx.db, companyId, keyId);
    if (key === undefined) throw new Problem('not_found');
    return { success: true, ...(await useOfKey(ctx, companyId, keyId, query.range ?? '7d')) };
  },
};

function shownKey(key: OwnKey, sendsOfDays: number[]): Key {
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
    mode: key.isTest ? 'test' : 'live',
    state: stateOf(key),
    shown: `${key.shownStart}…${key.shownEnd}`,
    previous_until: key.previousUntil?.toISOString() ?? null,
    previous_used_at: key.previousUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    used_at: key.usedAt?.toISOString() ?? null,
    sends_by_day: sendsOfDays,
  };
}

function stateOf({ revokedAt, previousUntil }: OwnKey): Key['state'] {
  if (revokedAt !== null) return 'revoked';
  return previousUntil === null ? 'active' : 'rotating';
}

function carriedBy({ channels }: Context, isTest: boolean) {
  const loadsOf = (channel: Channel) => [...(channels.adapter(channel, isTest)?.carries ?? [])];
  return {
    whatsapp: loadsOf('whatsapp'),
    telegram: loadsOf('telegram'),
    // The sandbox carries anything, but groups exist in the messengers alone.
    sms: loadsOf('sms').filter((load) => load !== 'group'),
  };
}

function readSettings(body: KeySettings): OwnKeySettings {
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
  };
}

/** An owner may write it as people do: with spaces, in capitals, in Cyrillic. */
function readOwnDomain(text: string | null): string | null {
  if (text === null || text.trim() === '') return null;
  const domain = readDomain(text);
  if (domain !== undefined) return domain;
  throw new Problem('validation_error', {
    errors: { domain: ['Укажите домен без https:// и пути, например shop.kz'] },
  });
}
