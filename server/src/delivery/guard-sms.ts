import type { Context } from '../context.ts';
import { pumpingGuardOf } from '../guard/guard-rounds.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Route } from './choose-route.ts';

export type SmsSend = { key: Pick<ApiKey, 'companyId' | 'isTest'>; phone: Phone };

/** The route without SMS while hardly any code to such phones is verified. Throws if that was all. */
export function guardSms(ctx: Pick<Context, 'db' | 'config'>, send: SmsSend, route: Route): Route {
  if (!route.some((stop) => stop.channel === 'sms') || mayUseSms(ctx, send)) return route;
  const rest = route.filter((stop) => stop.channel !== 'sms');
  if (rest.length === 0) throw new Problem('blocked_by_fraud_guard');
  return rest;
}

/** Whether a send that SMS is meant for may have it. */
export function mayUseSms(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { key, phone }: SmsSend,
): boolean {
  // What a test key sends reaches nobody and costs nothing.
  return key.isTest || pumpingGuardOf(db).allowsSms(key.companyId, phone, config.pumpingGuard);
}
