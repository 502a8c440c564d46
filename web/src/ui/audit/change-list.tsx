import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import { REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Texts } from '../../texts/ru.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { type Change, changesOf } from './changes.ts';
import { exactSpan } from './exact-span.ts';

const MONEY = ['amount', 'bonus', 'owed'];
const TIMES = ['start_at', 'expires_at', 'expiresAt'];
const SECONDS = ['codeTtlSeconds', 'fallbackSeconds', 'expires_in'];

/** The old and the new value of each changed field, one per line. */
export function ChangeList({
  record,
  titles,
  show: showOther = () => undefined,
}: {
  record: Record<'before' | 'after', Record<string, unknown> | null>;
  /** The names of the fields. */
  titles: Readonly<Record<string, string>>;
  /** Words for values that this list does not know; undefined where it has none. */
  show?: (field: string, value: unknown) => string | undefined;
}) {
  const texts = useTexts();
  const { money, timeToMinute } = useFormat();
  const show = (field: string, value: unknown) => {
    if (typeof value === 'number' && MONEY.includes(field)) return money(value);
    if (typeof value === 'string' && TIMES.includes(field)) return timeToMinute(value);
    return showOther(field, value) ?? valueText(texts, field, value);
  };
  const changes = changesOf(record.before, record.after).filter(isTold);
  if (changes.length === 0) return <span className="text-faint">—</span>;
  return (
    <ul className="grid gap-0.5 text-sm">
      {changes.map(({ field, before, after }) => (
        <li key={field} className="wrap-anywhere">
          <span className="text-muted">{titles[field] ?? field}: </span>
          {before !== undefined && (
            <>
              <span className="sr-only">{texts.audit.was} </span>
              <del className="text-muted decoration-1">{show(field, before)}</del>
            </>
          )}
          {before !== undefined && after !== undefined && <span aria-hidden="true"> → </span>}
          {after !== undefined && (
            <>
              <span className="sr-only"> {texts.audit.became} </span>
              <ins className="no-underline">{show(field, after)}</ins>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** No bonus and no debt go without saying. */
function isTold({ field, before, after }: Change): boolean {
  return before !== undefined || after !== 0 || !['bonus', 'owed'].includes(field);
}

/** Known terms are translated; other values are shown unchanged. */
function valueText(texts: Texts, field: string, value: unknown): string {
  if (value === null || value === '') return texts.audit.empty;
  if (Array.isArray(value)) {
    const words = value.map((one) => valueText(texts, field, one));
    return words.join(['tags', 'events'].includes(field) ? ', ' : ' → ');
  }
  if (typeof value === 'boolean') return value ? texts.audit.yes : texts.audit.no;
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value === 'number' && SECONDS.includes(field)) {
    return exactSpan(value, texts.lists.units);
  }
  const words: Record<string, Record<string, string>> = {
    role: texts.ui.roles,
    mode: texts.ui.modes,
    language: texts.company.languages,
    channel: CHANNEL_TITLES,
    channels: CHANNEL_TITLES,
    provider: texts.topup.providers,
    source: texts.audit.chosen,
    verdict: texts.audit.chosen,
    which: texts.audit.chosen,
    reason: { [REFUND_AT_BANK]: texts.balance.refundAtBank },
  };
  return words[field]?.[String(value)] ?? String(value);
}
