import { Check } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';

export type FilterChip = { id: string; label: string; isOn: boolean; onToggle: () => void };

/** They go together with one another and with the other filters of the list. */
export function FilterChips({ chips }: { chips: readonly FilterChip[] }) {
  const texts = useTexts().lists;
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{texts.quickFilters}</legend>
      {chips.map(({ id, label: name, isOn, onToggle }) => (
        <button
          key={id}
          type="button"
          aria-pressed={isOn}
          onClick={onToggle}
          className={classes(
            'target inline-flex items-center gap-1.5 rounded-full border px-3.5 text-sm',
            isOn
              ? 'border-brand bg-sunken font-medium text-text'
              : 'border-hairline bg-surface text-muted hover:text-text',
          )}
        >
          {isOn && <Check aria-hidden="true" size={14} strokeWidth={2.5} />}
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** One chip per word of a single choice; pressing the chosen one again removes the choice. */
export function chipsOf<Word extends string>(
  words: Partial<Record<Word, string>>,
  chosen: Word | undefined,
  onChoose: (word: Word | undefined) => void,
): FilterChip[] {
  return (Object.entries(words) as [Word, string][]).map(([word, label]) => ({
    id: word,
    label,
    isOn: chosen === word,
    onToggle: () => onChoose(chosen === word ? undefined : word),
  }));
}
