import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';

/** Nobody has got it, as far as is known. */
export const UNDELIVERED = ['failed', 'unconfirmed', 'unknown'] as const;

/** Built-in views; they have no owner and cannot be deleted. */
export const READY_VIEWS = [
  { name: 'failedToday', filter: { range: 'today', state: UNDELIVERED } },
  { name: 'wentToSms', filter: { range: '7d', tried: ['whatsapp', 'telegram'], channel: ['sms'] } },
] as const satisfies { name: string; filter: ReadonlyFilter }[];

type ReadonlyFilter = {
  readonly [Name in keyof MessageFilter]: MessageFilter[Name] extends (infer Word)[] | undefined
    ? readonly Word[]
    : MessageFilter[Name];
};

/** A filter as URL search parameters. */
export function toSearch(filter: ReadonlyFilter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [name, String(value)] as const),
  );
}

/** The filters of the page for storage, without unset ones. */
export function toFilter(filters: { [Name in keyof MessageFilter]: unknown }): MessageFilter {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as MessageFilter;
}
