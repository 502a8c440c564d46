import type { ReactNode } from 'react';
import { FieldErrors, FieldHint, type FieldProps, useField } from './field.tsx';

export type RadioOption<Value extends string> = {
  value: Value;
  label: ReactNode;
  hint?: ReactNode;
};

export type RadioGroupProps<Value extends string> = FieldProps & {
  options: readonly RadioOption<Value>[];
  value?: Value;
  defaultValue?: Value;
  onChoose?: (value: Value) => void;
  /** Side by side where there is room. */
  isInline?: boolean;
};

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { name, label, hint, options, value, defaultValue, onChoose, isInline = false } = props;
  const field = useField(props);
  const state = (each: Value) =>
    value === undefined ? { defaultChecked: each === defaultValue } : { checked: each === value };
  return (
    <fieldset
      id={field.control.id}
      aria-describedby={field.control['aria-describedby']}
      className="grid gap-1"
    >
      <legend className="mb-1 text-table font-medium">{label}</legend>
      <div className={isInline ? 'flex flex-wrap gap-x-5' : 'grid'}>
        {options.map((option) => (
          <label key={option.value} className="target flex items-start gap-2.5 py-1.5 text-table">
            <input
              type="radio"
              name={name}
              value={option.value}
              className="mt-0.5 size-[18px] shrink-0 accent-brand"
              {...state(option.value)}
              onChange={() => onChoose?.(option.value)}
            />
            <span className="grid">
              {option.label}
              {option.hint !== undefined && (
                <span className="text-sm text-muted">{option.hint}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      <FieldErrors field={field} />
      <FieldHint field={field}>{hint}</FieldHint>
    </fieldset>
  );
}
