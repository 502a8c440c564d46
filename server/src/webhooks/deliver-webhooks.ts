import { setTimeout as pause } from 'node:timers/promises';
import { WEBHOOK_FAILING_HOURS_MAX, WEBHOOK_RETRY_SECONDS } from '@zhiber/contract/api/events.ts';
import type { TryOutcome } from '@zhiber/contract/cabinet/webhooks.ts';
import type { Context } from '../context.ts';
import { isDatabaseAway, logUnlessAway } from '../db/sql-errors.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { traced } from '../runtime/tracer.ts';
import { type CallResult, createEndpointCaller } from './call-endpoint.ts';
import { callHeaders } from './call-headers.ts';
import type { Resolve } from './checked-connector.ts';
import {
  type Claim,
  claimDeliveries,
  dropClaims,
  expandOutbox,
  type Outgoing,
  readOutgoing,
  recordTries,
  releaseClaims,
} from './delivery-store.ts';
import { bodyOfEvent, webhookIdOf } from './event-body.ts';
import { reachOf } from './manage-webhooks.ts';
import { createResolver } from './resolve-host.ts';
import { switchOffFailing } from './switch-off-failing.ts';
import { signWithAll } from './webhook-secret.ts';

/** Calls under way in this process that are not slow. Beyond half of them, an endpoint gets one. */
const IN_FLIGHT_MAX = 192;
/** Calls of endpoints that have just timed out: however many hang, the others have room. */
const SLOW_IN_FLIGHT_MAX = 64;
/** A call that takes longer is slow, and makes room for the others before it has timed out. */
const SLOW_AFTER_MS = 1_000;
/** With those that have become slow. */
const IN_FLIGHT_EVER_MAX = 1_024;
/** Calls of one endpoint at a time, over all nodes. */
const SHARE = 4;
/** Longer than a call takes with its record; after that it counts as lost and is repeated. */
const LEASE_SECONDS = 30;
/** Of one statement. */
const OUTBOX_LIMITS = { rowsMax: 64, eventsMax: 1_000 };
/** While nothing is under way. */
const IDLE_MS = 250;
/** While calls are under way, new events wait at most this long. */
const BUSY_MS = 100;
/** Calls that end within this are followed up together. */
const GATHER_MS = 10;
/** A shutdown waits this long for calls under way; the others are made again. */
const SHUTDOWN_MS = 2_000;
/** No endpoint can put off the others of its events for longer, whatever it asks for. */
const PAUSE_SECONDS_MAX = 3_600;

export type WebhookDeps = {
  mailer: Pick<Mailer, 'isOn' | 'send'>;
  onTry(outcome: TryOutcome, seconds: number): void;
  /** Tests have names of their own, and wait less. */
  resolve?: Resolve;
  timeoutMs?: number;
};

export type WebhookWorker = {
  /** Writes events, claims what is due and starts to call. True when there may be more at once. */
  runOnce(): Promise<boolean>;
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Delivers events. Nothing is kept in memory but the calls under way: any number of nodes works on
 * the same deliveries, and those of a node that dies are claimed again when their lease ends.
 */
export function startWebhooks(ctx: Context, deps: WebhookDeps): Repetition {
  if (ctx.config.role === 'api') return { stop: async () => undefined };
  const worker = createWebhookWorker(ctx, deps);
  const loop = repeatEvery({
    pauseMs: IDLE_MS,
    onError: logUnlessAway(ctx.log, 'webhooks failed'),
    run: worker.runOnce,
  });
  return {
    async stop() {
      await loop.stop();
      await worker.stop();
    },
  };
}

export function createWebhookWorker(ctx: Context, deps: WebhookDeps): WebhookWorker {
  const caller = createEndpointCaller({
    reach: reachOf(ctx),
    resolve: deps.resolve ?? createResolver(),
    ...(deps.timeoutMs === undefined ? {} : { timeoutMs: deps.timeoutMs }),
  });
  const inFlight = new Map<Promise<void>, Claim & { startedMs: number }>();
  let isStopping = false;
  /** Whether a call has ended since deliveries were last claimed: then its endpoint has room again. */
  let hasEnded = false;

  const start = (claim: Claim, outgoing: Outgoing) => {
    const trying = deliver(claim, outgoing)
      .catch((error: unknown) => {
        // The lease ends, and it is tried again. The loss of the database is logged elsewhere.
        if (isDatabaseAway(error)) return;
        const { endpointId, eventId } = claim;
        ctx.log.error({ err: error, endpointId, eventId }, 'a webhook was not recorded');
      })
      .finally(() => {
        inFlight.delete(trying);
        hasEnded = true;
      });
    inFlight.set(trying, { ...claim, startedMs: performance.now() });
  };

  const deliver = async (claim: Claim, outgoing: Outgoing) => {
    const { event, url, showsPhones: hasPhone } = outgoing;
    const body = bodyOfEvent(event, { hasPhone });
    const sealed = [outgoing.secret, outgoing.previousSecret].filter((each) => each !== null);
    const secrets = sealed.map((each) => ctx.secrets.unseal(each));
    const signature = signWithAll(secrets, {
      id: webhookIdOf(event.id),
      body,
      at: ctx.clock.now(),
    });
    const result = await traced(
      ctx.tracer,
      { name: 'webhook', kind: 'client', attributes: { 'zhiber.event': event.type } },
      () => caller.call({ url, headers: callHeaders(signature), body }),
      ({ outcome, status }) => ({
        'zhiber.outcome': outcome,
        'http.response.status_code': status ?? undefined,
      }),
    );
    // Cut off by our own shutdown.
    if (isStopping && result.outcome !== 'delivered') return await releaseClaims(ctx.bulk, [claim]);
    deps.onTry(result.outcome, result.durationMs / 1_000);
    const { isRecorded, failingSince } = await ctx.bulk.inGroup(recordTries, {
      ...claim,
      url,
      hasPhone,
      signedAt: Number(signature['webhook-timestamp']),
      signature: signature['webhook-signature'],
      result,
      ...retryOf(result, claim.tries),
    });
    const reason = isRecorded ? reasonToSwitchOff(result, failingSince) : undefined;
    if (reason === undefined) return;
    const { endpointId: id, companyId } = outgoing;
    await switchOffFailing(ctx, deps.mailer, { id, companyId, reason });
  };

  const reasonToSwitchOff = ({ error }: CallResult, failingSince: Date | null) => {
    if (error === 'gone') return 'gone';
    if (error === null || failingSince === null) return undefined;
    const failingMs = ctx.clock.now().getTime() - failingSince.getTime();
    return failingMs > WEBHOOK_FAILING_HOURS_MAX * 3_600_000 ? 'failing' : undefined;
  };

  const claimOnce = async (): Promise<number> => {
    hasEnded = false;
    const calls = [...inFlight.values()];
    const claims = await claimDeliveries(ctx.bulk, {
      ...roomBeside(calls, performance.now()),
      leaseSeconds: LEASE_SECONDS,
      busy: busyEndpoints(calls),
    });
    if (claims.length === 0) return 0;
    const outgoing = await readOutgoing(ctx.bulk, claims);
    const gone = claims.filter((_, i) => outgoing[i] === undefined);
    if (gone.length > 0) await dropClaims(ctx.bulk, gone);
    for (const [i, claim] of claims.entries()) {
      const found = outgoing[i];
      if (found !== undefined) start(claim, found);
    }
    return claims.length;
  };

  return {
    async runOnce() {
      const taken = await expandOutbox(ctx.bulk, OUTBOX_LIMITS, ctx.urls.shortLinkBase);
      const claimed = await claimOnce();
      if (taken > 0 || isStopping) return !isStopping;
      if (inFlight.size === 0) return claimed > 0;
      if (hasEnded) return true;
      await Promise.race([...inFlight.keys(), pause(BUSY_MS)]);
      await pause(GATHER_MS);
      return true;
    },
    async idle() {
      while (inFlight.size > 0) await Promise.all(inFlight.keys());
    },
    async stop() {
      const ended = Promise.all(inFlight.keys());
      await Promise.race([ended, pause(SHUTDOWN_MS, undefined, { ref: false })]);
      isStopping = true;
      await caller.close();
      await ended;
    },
  };
}

/** How many more calls may begin, and how many of one endpoint. */
export function roomBeside(
  calls: readonly { isSlow: boolean; startedMs: number }[],
  nowMs: number,
): { max: number; slowMax: number; share: number } {
  const isOld = (startedMs: number) => nowMs - startedMs > SLOW_AFTER_MS;
  const slow = calls.filter(({ isSlow }) => isSlow).length;
  const quick = calls.filter(({ isSlow, startedMs }) => !isSlow && !isOld(startedMs)).length;
  const left = Math.max(0, IN_FLIGHT_EVER_MAX - calls.length);
  const isHalfFull = quick >= IN_FLIGHT_MAX / 2;
  return {
    max: Math.min(left, (isHalfFull ? IN_FLIGHT_MAX : IN_FLIGHT_MAX / 2) - quick),
    slowMax: Math.min(left, Math.max(0, SLOW_IN_FLIGHT_MAX - slow)),
    share: isHalfFull ? 1 : SHARE,
  };
}

/** Those that have as many calls under way as they may. */
function busyEndpoints(claims: readonly Claim[]): number[] {
  const counts = new Map<number, number>();
  for (const { endpointId, isSlow } of claims) {
    counts.set(endpointId, (counts.get(endpointId) ?? 0) + (isSlow ? SHARE : 1));
  }
  return [...counts].filter(([, count]) => count >= SHARE).map(([id]) => id);
}

/** When a delivery is tried again after this one, and whether its endpoint wants to be left alone. */
export function retryOf(
  { outcome, error, retryAfterSeconds }: CallResult,
  triesBefore: number,
): { retrySeconds: number | null; pauseSeconds: number | null } {
  const planned = error === 'gone' ? undefined : WEBHOOK_RETRY_SECONDS[triesBefore];
  if (outcome === 'delivered' || planned === undefined) {
    return { retrySeconds: null, pauseSeconds: null };
  }
  if (retryAfterSeconds === undefined) return { retrySeconds: planned, pauseSeconds: null };
  return {
    retrySeconds: Math.max(planned, retryAfterSeconds),
    pauseSeconds: Math.min(retryAfterSeconds, PAUSE_SECONDS_MAX),
  };
}
