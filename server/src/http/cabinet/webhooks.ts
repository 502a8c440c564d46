import { EVENT_TYPES, exampleOf } from '@zhiber/contract/api/events.ts';
import type { BodyOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type {
  WEBHOOK_ENDPOINTS,
  Webhook,
  WebhookDelivery,
  WebhookTry,
} from '@zhiber/contract/cabinet/webhooks.ts';
import { Problem } from '../../problem.ts';
import type { Delivery } from '../../webhooks/delivery-store.ts';
import type { EndpointSettings } from '../../webhooks/endpoint-store.ts';
import { readWebhookId, webhookIdOf } from '../../webhooks/event-body.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  type EndpointView,
  listWebhooks,
  readEndpoint,
  readWebhook,
  rotateSecret,
  showSecret,
  switchWebhook,
} from '../../webhooks/manage-webhooks.ts';
import { listDeliveries, readDelivery, type ShownTry } from '../../webhooks/read-deliveries.ts';
import { readFigures, summaryOf } from '../../webhooks/read-figures.ts';
import { countReplay, replayWebhook, testWebhook } from '../../webhooks/replay-webhook.ts';
import { actorOf, assertFreshSignIn, type HandlersOf, readId } from './endpoint.ts';

export const WEBHOOK_HANDLERS: HandlersOf<typeof WEBHOOK_ENDPOINTS> = {
  async webhooks({ ctx }, { companyId }) {
    const webhooks = await listWebhooks(ctx, companyId);
    return {
      success: true,
      webhooks: webhooks.map(toWebhook),
      is_sandbox: ctx.channels.isSandbox,
    };
  },

  async createWebhook({ ctx }, { body, companyId, role, user, origin }) {
    const settings = readSettings({ description: '', shows_phones: false, ...body });
    if (settings.showsPhones) assertMaySeePhones(role);
    const { id, secret } = await createWebhook(ctx, actorOf(user, origin), {
      companyId,
      ...settings,
    });
    return { success: true, id, secret, previous_until: null };
  },

  async webhook({ ctx }, { companyId, params }) {
    const webhook = await readWebhook(ctx, { companyId, id: readId(params.id) });
    return { success: true, ...toWebhook(webhook) };
  },

  async changeWebhook({ ctx }, { body, companyId, params, role, user, origin }) {
    const ref = { companyId, id: readId(params.id) };
    const { url, showsPhones } = await readEndpoint(ctx, ref);
    const settings = readSettings(body);
    const turnsPhonesOn = settings.showsPhones && !showsPhones;
    if (turnsPhonesOn) assertMaySeePhones(role);
    // Whoever has taken over a session could have the events sent to himself.
    if (turnsPhonesOn || url !== settings.url) assertFreshSignIn(ctx, user);
    await changeWebhook(ctx, actorOf(user, origin), { ...ref, settings });
    return { success: true };
  },

  async switchWebhook({ ctx }, { body, companyId, params, user, origin }) {
    const replayed = await switchWebhook(ctx, actorOf(user, origin), {
      companyId,
      id: readId(params.id),
      isOn: body.is_on,
      catchesUp: body.catch_up ?? false,
    });
    return { success: true, replayed };
  },

  async deleteWebhook({ ctx }, { companyId, params, user, origin }) {
    await deleteWebhook(ctx, actorOf(user, origin), { companyId, id: readId(params.id) });
    return { success: true };
  },

  async webhookSecret({ ctx }, { companyId, params, user, origin }) {
    const id = readId(params.id);
    return toSecret(id, await showSecret(ctx, actorOf(user, origin), { companyId, id }));
  },

  async rotateWebhookSecret({ ctx }, { companyId, params, user, origin }) {
    const id = readId(params.id);
    return toSecret(id, await rotateSecret(ctx, actorOf(user, origin), { companyId, id }));
  },

  async webhookDeliveries({ ctx }, { companyId, params, query }) {
    const { deliveries, next } = await listDeliveries(ctx, {
      companyId,
      id: readId(params.id),
      ...query,
    });
    return { success: true, rows: deliveries.map(toDelivery), next };
  },

  async webhookDelivery({ ctx }, { companyId, params, role }) {
    const { url, tryLog, ...delivery } = await readDelivery(ctx, {
      companyId,
      id: readId(params.id),
      webhookId: params.event ?? '',
      canSeePhones: hasRight(role, 'phones.see'),
    });
    return { success: true, ...toDelivery(delivery), url, try_log: tryLog.map(toTry) };
  },

  async countReplay({ ctx }, { companyId, params, query }) {
    const { which, since } = query;
    const ref = { companyId, id: readId(params.id) };
    return {
      success: true,
      count: await countReplay(ctx, { ...ref, which, since: new Date(since) }),
    };
  },

  async replayWebhook({ ctx }, { body, companyId, params, user, origin }) {
    const replayed = await replayWebhook(ctx, actorOf(user, origin), {
      companyId,
      id: readId(params.id),
      chosen: readChosen(body),
    });
    return { success: true, replayed };
  },

  async testWebhook({ ctx }, { companyId, params }) {
    return { success: true, event: await testWebhook(ctx, { companyId, id: readId(params.id) }) };
  },

  async webhookFigures({ ctx }, { companyId, params, query }) {
    const ref = { companyId, id: readId(params.id) };
    const figures = await readFigures(ctx, { ...ref, range: query.range ?? '24h' });
    return {
      success: true,
      success_share: figures.successShare,
      p95_ms: figures.p95Ms,
      buckets: figures.buckets.map(({ at, p95Ms, ...counts }) => ({
        at: at.toISOString(),
        ...counts,
        p95_ms: p95Ms,
      })),
    };
  },

  async webhookEvents() {
    const events = EVENT_TYPES.map((type) => ({ type, example: { ...exampleOf(type) } }));
    return { success: true, events };
  },
};

function readChosen({ events, which, since }: BodyOf<typeof WEBHOOK_ENDPOINTS.replayWebhook>) {
  if (events !== undefined) return events.flatMap((id) => readWebhookId(id) ?? []);
  if (which !== undefined && since !== undefined) return { which, since: new Date(since) };
  throw new Problem('validation_error', { errors: { events: ['Выберите события'] } });
}

function readSettings(body: {
  url: string;
  events: EndpointSettings['events'];
  description: string;
  shows_phones: boolean;
}): EndpointSettings {
  return {
    url: body.url,
    events: body.events,
    description: body.description.trim(),
    showsPhones: body.shows_phones,
  };
}

/** Who sees phones masked must not have them sent somewhere in full. */
function assertMaySeePhones(role: Role): void {
  if (!hasRight(role, 'phones.see')) throw new Problem('no_right');
}

function toWebhook(view: EndpointView): Webhook {
  const { successShare, p95Ms } = summaryOf(view.hours);
  return {
    id: view.id,
    url: view.url,
    events: view.events,
    description: view.description,
    shows_phones: view.showsPhones,
    state: view.offAt !== null ? 'off' : view.failingSince !== null ? 'failing' : 'active',
    failing_since: view.failingSince?.toISOString() ?? null,
    off_reason: view.offReason,
    off_at: view.offAt?.toISOString() ?? null,
    previous_until: view.previousUntil?.toISOString() ?? null,
    created_at: view.createdAt.toISOString(),
    created_by: view.createdBy,
    success_share: successShare,
    p95_ms: p95Ms,
    last_error:
      view.lastError === null || view.lastErrorAt === null
        ? null
        : { at: view.lastErrorAt.toISOString(), error: view.lastError, status: view.lastStatus },
    waiting: view.waiting,
    missed: view.missed,
  };
}

function toSecret(id: number, shown: { secret: string; previousUntil: Date | null }) {
  const { secret, previousUntil } = shown;
  return {
    success: true as const,
    id,
    secret,
    previous_until: previousUntil?.toISOString() ?? null,
  };
}

function toDelivery(delivery: Delivery): WebhookDelivery {
  return {
    id: webhookIdOf(delivery.id),
    type: delivery.type,
    state: delivery.state,
    at: delivery.at.toISOString(),
    test: delivery.isTest,
    tries: delivery.tries,
    last_try_at: delivery.lastTryAt?.toISOString() ?? null,
    outcome: delivery.outcome,
    status: delivery.status,
    error: delivery.error,
    duration_ms: delivery.durationMs,
    next_try_at: delivery.nextTryAt?.toISOString() ?? null,
  };
}

function toTry(shown: ShownTry): WebhookTry {
  return {
    number: shown.number,
    at: shown.at.toISOString(),
    outcome: shown.outcome,
    error: shown.error,
    status: shown.status,
    duration_ms: shown.durationMs,
    answer: shown.answer,
    is_answer_cut: shown.isAnswerCut,
    request: { headers: shown.headers, body: shown.body, is_masked: shown.isMasked },
    signature: { signed: shown.signed, sent: shown.signature.split(' ') },
  };
}
