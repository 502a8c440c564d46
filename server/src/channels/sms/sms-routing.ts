import type { SmsRouteReason } from '@zhiber/contract/message/sms-route-text.ts';
import type { SmsRouting as Routing, SmsRoute } from '../../config/sms-routes.ts';
import { type OperatorId, operatorByPrefix } from '../../numbering-plan.ts';
import type { Phone } from '../../phone.ts';
import type { AttemptRef } from '../channel.ts';
import { findSmsRoute, orderSmsProviders, type RouteReason } from './choose-provider.ts';

/** What is known of a provider, by the operator of the number. */
export type ProviderFigures = {
  costTiyn(provider: string): number | undefined;
  deliveredShare(provider: string, operator: OperatorId | undefined): number | undefined;
};

/** The providers for one SMS in the order in which they are tried, and why. */
export type SmsOrder = {
  names: readonly string[];
  why: RouteReason;
  operator?: OperatorId | undefined;
};

export type SmsRouting = {
  order(phone: Phone, providers: readonly string[]): Promise<SmsOrder>;
  /** From now on: the costs and shares, and whether any ported number is stored. */
  update(figures: ProviderFigures, hasPorted: boolean): void;
};

/** An SMS that a provider accepted, for the story of the message and the cost of its parts. */
export type AcceptedSms = {
  ref: AttemptRef;
  parts: number;
  /** Undefined for the only provider. */
  why?: SmsRouteReason | undefined;
  operator?: OperatorId | undefined;
};

const NOTHING_KNOWN: ProviderFigures = {
  costTiyn: () => undefined,
  deliveredShare: () => undefined,
};

export function createSmsRouting(
  { routing, routes }: { routing: Routing; routes: readonly SmsRoute[] },
  tools: {
    /** The operator that a number was ported to. */
    findPorted(phone: Phone): Promise<OperatorId | undefined>;
    /** From 0 to 1, without 1. */
    random(): number;
  },
): SmsRouting {
  let figures = NOTHING_KNOWN;
  let hasPorted = false;
  return {
    async order(phone, providers) {
      // A look-up that fails must not stop a message: the digits name an operator, too.
      const ported = hasPorted ? await tools.findPorted(phone).catch(() => undefined) : undefined;
      const operator = ported ?? operatorByPrefix(phone);
      const { names, why } = orderSmsProviders({
        candidates: providers.map((name) => ({
          name,
          costTiyn: figures.costTiyn(name),
          deliveredShare: figures.deliveredShare(name, operator),
        })),
        preferred: findSmsRoute(routes, { phone, operator, isPorted: ported !== undefined }),
        routing,
        chance: tools.random(),
      });
      return { names, why, operator };
    },
    update(known, anyPorted) {
      figures = known;
      hasPorted = anyPorted;
    },
  };
}
