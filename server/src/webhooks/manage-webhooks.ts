import {
  type EventType,
  WEBHOOK_ENDPOINTS_MAX,
  WEBHOOK_OVERLAP_HOURS,
} from '@zhiber/contract/api/events.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { changesBetween } from '../audit-log/changes.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  countDeliveries,
  type Endpoint,
  type EndpointHour,
  type EndpointRef,
  type EndpointSettings,
  findEndpoint,
  insertEndpoint,
  type ListedEndpoint,
  listEndpoints,
  lockEndpoint,
  lockEndpoints,
  readHours,
  readSecret,
  replaceSecret,
  setDeleted,
  setSwitch,
  updateEndpoint,
} from './endpoint-store.ts';
import { replaySince, skipWaiting } from './replay-webhook.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import { type RefusedUrl, readWebhookUrl, type WebhookReach } from './webhook-url.ts';

type Ctx = Pick<Context, 'db' | 'secrets' | 'channels' | 'config' | 'clock'>;

/** What may be called from here: loopback only by a sandbox that answers to this machine alone. */
export function reachOf({ channels, config }: Pick<Context, 'channels' | 'config'>): WebhookReach {
  const { isSandbox } = channels;
  return { isSandbox, allowsLoopback: isSandbox && !config.isSandboxPublic };
}

const REFUSED: Readonly<Record<RefusedUrl, string>> = {
  not_a_url: 'Укажите адрес целиком, например https://shop.kz/hooks/zhiber',
  not_https: 'Нужен адрес https: по http события может прочитать кто угодно',
  user_info: 'Адрес не должен содержать логин и пароль',
  port: 'Порт может быть только 443 или 8443',
  not_public: 'Этот адрес недоступен из интернета: внутренние и служебные адреса не подходят',
};

function readUrl(ctx: Ctx, raw: string): string {
  const url = readWebhookUrl(raw, reachOf(ctx));
  if (typeof url !== 'string') return url.href;
  throw new Problem('validation_error', { errors: { url: [REFUSED[url]] } });
}

export type EndpointView = ListedEndpoint & {
  waiting: number;
  missed: number;
  /** Of the last 24 hours. */
  hours: EndpointHour[];
};

const DAY_MS = 24 * 3_600_000;

export async function listWebhooks(ctx: Ctx, companyId: CompanyId): Promise<EndpointView[]> {
  return await withFigures(ctx, await listEndpoints(ctx.db, companyId));
}

export async function readWebhook(ctx: Ctx, { companyId, id }: EndpointRef): Promise<EndpointView> {
  const [view] = await withFigures(ctx, await listEndpoints(ctx.db, companyId, id));
  if (view === undefined) throw new Problem('not_found');
  return view;
}

async function withFigures(ctx: Ctx, endpoints: ListedEndpoint[]): Promise<EndpointView[]> {
  const ids = endpoints.map(({ id }) => id);
  const since = new Date(ctx.clock.now().getTime() - DAY_MS);
  const hours = ids.length === 0 ? [] : await readHours(ctx.db, ids, since);
  const views: EndpointView[] = [];
  for (const endpoint of endpoints) {
    const own = hours.filter(({ endpointId }) => endpointId === endpoint.id);
    views.push({ ...endpoint, ...(await countDeliveries(ctx.db, endpoint.id)), hours: own });
  }
  return views;
}

/** Throws not_found for an endpoint of another company, as for one that does not exist. */
export async function readEndpoint(ctx: Pick<Context, 'db'>, ref: EndpointRef): Promise<Endpoint> {
  const endpoint = await findEndpoint(ctx.db, ref);
  if (endpoint === undefined) throw new Problem('not_found');
  return endpoint;
}

type NewWebhook = EndpointSettings & { companyId: CompanyId };

export async function createWebhook(
  ctx: Ctx,
  actor: Actor,
  { companyId, ...settings }: NewWebhook,
): Promise<{ id: number; secret: string }> {
  const url = readUrl(ctx, settings.url);
  const events = inOrder(settings.events);
  const secret = newWebhookSecret();
  const id = await ctx.db.transaction(async (tx) => {
    if ((await lockEndpoints(tx, companyId)) >= WEBHOOK_ENDPOINTS_MAX)
      throw new Problem('too_many');
    const made = await insertEndpoint(tx, {
      ...settings,
      companyId,
      url,
      events,
      secret: ctx.secrets.seal(secret),
      createdBy: actor.person?.id,
    });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'webhook.created',
      object: url,
      after: { events, shows_phones: settings.showsPhones },
    });
    return made;
  });
  return { id, secret };
}

export async function changeWebhook(
  ctx: Ctx,
  actor: Actor,
  { settings, ...ref }: EndpointRef & { settings: EndpointSettings },
): Promise<void> {
  const url = readUrl(ctx, settings.url);
  const after = { ...settings, url, events: inOrder(settings.events) };
  await changeEndpoint(ctx, ref, async (tx, { events, description, showsPhones, ...before }) => {
    const changes = changesBetween<EndpointSettings>(
      { url: before.url, events, description, showsPhones },
      after,
    );
    if (changes === undefined) return;
    await updateEndpoint(tx, ref, after);
    const { companyId } = ref;
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'webhook.changed',
      object: before.url,
      ...changes,
    });
  });
}

/**
 * Turns an endpoint on or off. Turned on, it may catch up on what it has missed; returns how many
 * events that are.
 */
export async function switchWebhook(
  ctx: Ctx,
  actor: Actor,
  { isOn, catchesUp, ...ref }: EndpointRef & { isOn: boolean; catchesUp: boolean },
): Promise<number> {
  await changeEndpoint(ctx, ref, async (tx, { url, offAt, offReason }) => {
    if ((offAt === null) === isOn) return;
    await setSwitch(tx, ref, isOn ? null : 'person');
    await recordAuditEvent(tx, actor, {
      companyId: ref.companyId,
      action: isOn ? 'webhook.switched_on' : 'webhook.switched_off',
      object: url,
      ...(isOn ? { before: { reason: offReason } } : { after: { reason: 'person' } }),
    });
  });
  if (!isOn) await skipWaiting(ctx, ref.id);
  if (!isOn || !catchesUp) return 0;
  return await replaySince(ctx, ref.id, { which: 'missed', since: new Date(0) });
}

export async function deleteWebhook(ctx: Ctx, actor: Actor, ref: EndpointRef): Promise<void> {
  await changeEndpoint(ctx, ref, async (tx, { url }) => {
    await setDeleted(tx, ref);
    const { companyId } = ref;
    await recordAuditEvent(tx, actor, { companyId, action: 'webhook.deleted', object: url });
  });
}

type ShownSecret = { secret: string; previousUntil: Date | null };

/** Who has seen a secret is in the audit log. */
export async function showSecret(ctx: Ctx, actor: Actor, ref: EndpointRef): Promise<ShownSecret> {
  const { companyId } = ref;
  return await changeEndpoint(ctx, ref, async (tx, { url }) => {
    await recordAuditEvent(tx, actor, { companyId, action: 'webhook.secret_shown', object: url });
    const { secret, previousUntil } = await readSecret(tx, ref);
    return { secret: ctx.secrets.unseal(secret), previousUntil };
  });
}

/** Both secrets sign for a day; an older one ends at once. */
export async function rotateSecret(ctx: Ctx, actor: Actor, ref: EndpointRef): Promise<ShownSecret> {
  const secret = newWebhookSecret();
  const { companyId } = ref;
  return await changeEndpoint(ctx, ref, async (tx, { url }) => {
    const previousUntil = await replaceSecret(tx, ref, {
      secret: ctx.secrets.seal(secret),
      overlapHours: WEBHOOK_OVERLAP_HOURS,
    });
    await recordAuditEvent(tx, actor, { companyId, action: 'webhook.secret_rotated', object: url });
    return { secret, previousUntil };
  });
}

/** The company first, which the audit log locks as well, and then the endpoint. */
async function changeEndpoint<Result>(
  ctx: Pick<Context, 'db'>,
  ref: EndpointRef,
  change: (tx: Transaction, endpoint: Endpoint) => Promise<Result>,
): Promise<Result> {
  return await ctx.db.transaction(async (tx) => {
    await lockEndpoints(tx, ref.companyId);
    const endpoint = await lockEndpoint(tx, ref);
    if (endpoint === undefined) throw new Problem('not_found');
    return await change(tx, endpoint);
  });
}

/** In a fixed order, so that another order of the same events is no change. */
function inOrder(events: readonly EventType[]): EventType[] {
  return [...new Set(events)].sort();
}
