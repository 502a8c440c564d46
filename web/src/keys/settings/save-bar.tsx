import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import { ArrowRight } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import type { Draft, DraftField } from './draft.ts';

/** Lists the unsaved changes, with buttons to save or discard them. */
export function SaveBar(props: {
  changed: readonly DraftField[];
  before: Draft;
  after: Draft;
  isBusy: boolean;
  onDrop: () => void;
}) {
  const { changed, before, after, isBusy, onDrop } = props;
  const texts = useTexts();
  const valueText = useValueText();
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

function useValueText(): (field: DraftField, draft: Draft) => string {
  const texts = useTexts().keys;
  return (field, draft) => {
    if (field === 'channels') {
      return draft.channels.map((channel) => CHANNEL_TITLES[channel]).join(' → ');
    }
    if (field === 'language') return texts.languages[draft.language];
    return draft[field].trim() || '—';
  };
}
