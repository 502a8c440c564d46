import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { FieldFrame, type FieldProps, INPUT_CLASS, useField } from './field.tsx';

export type Option<Value extends string = string> = { value: Value; label: string };

export type SelectFieldProps<Value extends string> = FieldProps &
  Omit<ComponentProps<'select'>, 'name' | 'id' | 'value' | 'defaultValue' | 'onChange'> & {
    options: readonly Option<Value>[];
    value?: Value;
    defaultValue?: Value;
    onChoose?: (value: Value) => void;
  };

/** The native select: it works with touch, keyboard and screen readers everywhere. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, error, options, onChoose, className, ...select } = props;
  const field = useField(props);
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <select
        {...select}
        {...field.control}
        className={classes(INPUT_CLASS, 'ps-2 pe-8', className)}
        onChange={(event) => onChoose?.(event.currentTarget.value as Value)}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
