import { type ReactNode, useId } from 'react';
import { classes } from '../classes.ts';

export type Segment<Value extends string> = { value: Value; label: ReactNode };

/** Options from a table of texts, in its order. */
export function optionsOf<Value extends string>(words: Record<Value, string>): Segment<Value>[] {
  return (Object.entries(words) as [Value, string][]).map(([value, label]) => ({ value, label }));
}

/** A segmented control made of radio buttons, so that arrow keys and accessible names work. */
export function Segments<Value extends string>(props: {
  label: string;
  /** For screen readers only, where the context makes the choice clear. */
  isLabelHidden?: boolean;
  /** Fills the width of its place. */
  isWide?: boolean;
  options: readonly Segment<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
}) {
  const { label, isLabelHidden = false, isWide = false, options, value, onChoose } = props;
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-table font-medium'}>
        {label}
      </legend>
      <div
        className={classes(
          'max-w-full flex-wrap gap-0.5 rounded-control border border-hairline bg-sunken p-0.5',
          isWide ? 'flex *:grow *:justify-center max-sm:*:px-1 max-sm:*:text-sm' : 'inline-flex',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'relative inline-flex min-h-8 items-center gap-1.5 rounded-[4px] border border-transparent px-2.5 text-table text-muted max-sm:px-1.5 pointer-coarse:min-h-11',
              'hover:text-text has-checked:border-border has-checked:bg-surface has-checked:font-medium has-checked:text-text',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-brand',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
              className="absolute inset-0 appearance-none opacity-0"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
