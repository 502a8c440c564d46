import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { ArrowRight } from 'lucide-react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { usualCost } from '../channels/usual-cost.ts';
import type { Draft, DraftField } from './draft.ts';

/** Lists the unsaved changes, with buttons to save or discard them. */
export function SaveBar(props: {
  changed: readonly DraftField[];
  before: Draft;
  after: Draft;
  /** Null for a test key, which costs nothing. */
  prices: Record<Channel, number> | null;
  isBusy: boolean;
  onDrop: () => void;
}) {
  const { changed, before, after, prices, isBusy, onDrop } = props;
  const texts = useTexts();
  const valueText = useValueText(prices);
  return (
    <section
      aria-label={texts.keys.unsaved}
      className="appear sticky bottom-3 z-10 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-border bg-surface p-4 shadow-overlay"
    >
      <ul className="grid max-h-40 min-w-0 grow gap-1 overflow-auto text-table">
        {changed.map((field) => (
          <li key={field} className="flex flex-wrap items-center gap-x-2">
            <span className="text-muted">{texts.keys.fields[field]}:</span>
            <span className="break-all">{valueText(field, before)}</span>
            <ArrowRight aria-label={texts.keys.becomes} size={14} className="shrink-0 text-muted" />
            <strong className="font-medium break-all">{valueText(field, after)}</strong>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {texts.ui.save}
        </Button>
        <Button look="quiet" onClick={onDrop}>
          {texts.keys.dropEdits}
        </Button>
      </div>
    </section>
  );
}

function useValueText(
  prices: Record<Channel, number> | null,
): (field: DraftField, draft: Draft) => string {
  const texts = useTexts().keys;
  const format = useFormat();
  return (field, draft) => {
    if (field === 'channels') {
      const path = draft.channels.map((channel) => CHANNEL_TITLES[channel]).join(' → ');
      const usual = prices === null ? undefined : usualCost(draft.channels, prices);
      return usual === undefined
        ? path
        : `${path} (${texts.auto.usually(format.money(usual.price))})`;
    }
    if (field === 'expires_at') {
      const { expires_at: end } = draft;
      return end === '' ? texts.expiry.choices.never : format.timeToMinute(end);
    }
    if (field === 'language') return texts.languages[draft.language];
    return draft[field].trim() || '—';
  };
}
