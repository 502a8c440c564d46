import { isOperatorId, type OperatorId } from '../numbering-plan.ts';
import { splitList } from './values.ts';

export const SMS_ROUTINGS = ['order', 'price', 'delivery'] as const;
export type SmsRouting = (typeof SMS_ROUTINGS)[number];

/** Numbers of an operator, or numbers that begin with these digits, go to this provider first. */
export type SmsRoute = { to: OperatorId | `${number}`; provider: string };

/** Reads `beeline=smpp-2,77471=smsc`. */
export function readSmsRoutes(
  text: string | undefined,
  providers: readonly { name: string; channel: string }[],
  problems: string[],
): SmsRoute[] {
  if (text === undefined) return [];
  const routes: SmsRoute[] = [];
  for (const item of splitList(text)) {
    const [to = '', provider = '', ...rest] = item.split('=').map((part) => part.trim());
    const isNumber = /^[1-9]\d{0,14}$/.test(to);
    if (rest.length > 0 || !(isNumber || isOperatorId(to))) {
      problems.push(`SMS_ROUTES: should be like beeline=smpp,77471=smsc, not "${item}"`);
    } else if (!providers.some(({ name, channel }) => channel === 'sms' && name === provider)) {
      problems.push(`SMS_ROUTES: should name SMS providers, and "${provider}" is not configured`);
    } else if (routes.some((route) => route.to === to)) {
      problems.push(`SMS_ROUTES: should name "${to}" once`);
    } else {
      routes.push({ to: to as SmsRoute['to'], provider });
    }
  }
  return routes;
}
