import type { Context } from '../context.ts';
import { pumpingGuardOf } from '../guard/guard-rounds.ts';
import { FREE_TICKET, type SmsTicket } from '../guard/pumping.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Route } from './choose-route.ts';

export type SmsSend = { key: Pick<ApiKey, 'companyId' | 'isTest'>; phone: Phone };

/** The route without SMS while hardly any code to such phones is verified. Throws if that was all. */
export function guardSms(
  ctx: Pick<Context, 'db' | 'config'>,
  send: SmsSend,
  route: Route,
): { route: Route; smsTicket: SmsTicket } {
  if (!route.some((stop) => stop.channel === 'sms')) return { route, smsTicket: FREE_TICKET };
  const smsTicket = askForSms(ctx, send);
  if (smsTicket.isAllowed) return { route, smsTicket };
  const rest = route.filter((stop) => stop.channel !== 'sms');
  if (rest.length === 0) throw new Problem('blocked_by_fraud_guard');
  return { route: rest, smsTicket: FREE_TICKET };
}

/** Whether a send that SMS is meant for may have it. */
export function askForSms(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { key, phone }: SmsSend,
): SmsTicket {
  // What a test key sends reaches nobody and costs nothing.
  if (key.isTest) return FREE_TICKET;
  return pumpingGuardOf(db).askForSms(key.companyId, phone, config.pumpingGuard);
}
