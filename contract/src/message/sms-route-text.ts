import type { Lang } from '../languages.ts';

/** Why a provider got an SMS. */
export const SMS_ROUTE_REASONS = [
  'operator',
  'price',
  'delivery',
  'sample',
  'order',
  'failover',
] as const;
export type SmsRouteReason = (typeof SMS_ROUTE_REASONS)[number];

/** How an SMS went. */
export type SmsWay = {
  provider: string;
  parts: number;
  /** Null for the only provider, or the first one as usual. */
  why: SmsRouteReason | null;
  /** The mobile operator of the number, where it is known. */
  operator: string | null;
};

type Words = {
  provider(name: string): string;
  parts(count: number): string;
  why: Record<SmsRouteReason, (operator: string) => string>;
};

const WORDS: Record<Lang, Words> = {
  ru: {
    provider: (name) => `провайдер ${name}`,
    parts: (count) => `частей: ${count}`,
    why: {
      operator: (operator) => `маршрут для номеров ${operator}`,
      price: () => 'самый низкий тариф',
      delivery: () => 'лучшая доставка за сутки',
      sample: () => 'контрольная доля, чтобы измерять доставку',
      order: () => 'первый по порядку',
      failover: () => 'предыдущий провайдер не принял',
    },
  },
  kk: {
    provider: (name) => `провайдер ${name}`,
    parts: (count) => `бөліктер: ${count}`,
    why: {
      operator: (operator) => `${operator} нөмірлерінің бағыты`,
      price: () => 'ең төмен тариф',
      delivery: () => 'тәуліктегі ең жақсы жеткізу',
      sample: () => 'жеткізуді өлшеуге арналған бақылау үлесі',
      order: () => 'реті бойынша бірінші',
      failover: () => 'алдыңғы провайдер қабылдамады',
    },
  },
  en: {
    provider: (name) => `provider ${name}`,
    parts: (count) => `parts: ${count}`,
    why: {
      operator: (operator) => `route for numbers of ${operator}`,
      price: () => 'lowest rate',
      delivery: () => 'best delivery in the last day',
      sample: () => 'control share, to measure delivery',
      order: () => 'first in the order',
      failover: () => 'the provider before it did not accept',
    },
  },
};

/** «провайдер smpp-2 (маршрут для номеров Beeline), частей: 2» */
export function smsWayText(way: SmsWay, lang: Lang): string {
  const words = WORDS[lang];
  const why =
    way.why === null ? '' : ` (${words.why[way.why](way.operator ?? '')})`.replace(' )', ')');
  const parts = way.parts > 1 ? `, ${words.parts(way.parts)}` : '';
  return `${words.provider(way.provider)}${why}${parts}`;
}
