import { FREE_PERMIT, type SmsPermit } from '../abuse/pumping.ts';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { Route } from './choose-route.ts';

export type SmsSend = { key: Pick<ApiKey, 'companyId' | 'isTest' | 'isSystem'>; phone: Phone };

/**
 * Removes SMS from the route while hardly any code to such phones is verified. Throws when no other
 * channel is left.
 */
export function guardSms(
  ctx: Pick<Context, 'guard' | 'config'>,
  send: SmsSend,
  route: Route,
): { route: Route; smsPermit: SmsPermit } {
  if (!route.some((step) => step.channel === 'sms')) return { route, smsPermit: FREE_PERMIT };
  const smsPermit = askForSms(ctx, send);
  if (smsPermit.isAllowed) return { route, smsPermit };
  const rest = route.filter((step) => step.channel !== 'sms');
  if (rest.length === 0) throw new Problem('blocked_by_fraud_guard');
  return { route: rest, smsPermit: FREE_PERMIT };
}

/** Whether this send may use SMS. */
export function askForSms(
  { guard, config }: Pick<Context, 'guard' | 'config'>,
  { key, phone }: SmsSend,
): SmsPermit {
  // Messages of a test key reach nobody and cost nothing.
  if (key.isTest) return FREE_PERMIT;
  // Anybody can make the installation itself send codes.
  return guard.askForSms(key.companyId, phone, key.isSystem ? 'block' : config.pumpingGuard);
}
