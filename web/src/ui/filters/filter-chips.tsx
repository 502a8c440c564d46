import { Check } from 'lucide-react';
import { classes } from '../classes.ts';

export type FilterChip = { id: string; label: string; isOn: boolean; onToggle: () => void };

/** The filters of every day, one press away each; they go together with one another and the rest. */
export function FilterChips({ label, chips }: { label: string; chips: readonly FilterChip[] }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{label}</legend>
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
