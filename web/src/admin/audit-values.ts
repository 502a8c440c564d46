import { fromAlmatyInput } from '../design/format/almaty-input.ts';
import type { Format } from '../design/format/format.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';

const MONEY = ['tokens', 'monthlyCap', 'taken'];
/** Kept in the time of Almaty: a day, or a moment with its seconds. */
const MOMENT = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/;

/** Shows what the audit log keeps as codes and bare numbers; undefined for all other values. */
export function useDeskValues(): (field: string, value: unknown) => string | undefined {
  const { incidents, prices } = useAdminTexts();
  const format = useFormat();
  const words: Record<string, Readonly<Record<string, string>>> = {
    state: incidents.states,
    impact: incidents.impacts,
    components: incidents.componentNames,
    item: prices.items,
  };
  return (field, value) => {
    if (field === 'tokens' && value === null) return prices.common;
    if (typeof value === 'string' && MOMENT.test(value)) return momentText(format, value);
    if (typeof value === 'number') {
      if (MONEY.includes(field)) return format.money(value);
      return field === 'cost_tiyn' ? format.moneyOfTiyn(value) : format.number(value);
    }
    const word = (one: unknown) => words[field]?.[String(one)];
    return Array.isArray(value)
      ? value.map((one) => word(one) ?? String(one)).join(', ')
      : word(value);
  };
}

function momentText(format: Format, kept: string): string {
  const [day = '', time] = kept.split(' ');
  const at = fromAlmatyInput(`${day}T${time?.slice(0, 5) ?? '12:00'}`);
  if (at === undefined) return kept;
  return time === undefined ? format.date(at) : format.timeToMinute(at);
}
