import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { type BoundField, FieldErrors, FieldHint, type FieldProps, useField } from './field.tsx';

export type TickFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'name' | 'id' | 'type'>;

const SWITCH_CLASS =
  'relative h-6 w-11 shrink-0 appearance-none rounded-full border border-border bg-sunken transition-colors duration-150 before:absolute before:top-[3px] before:left-[3px] before:size-4 before:rounded-full before:bg-border before:transition-transform before:duration-150 checked:border-brand checked:bg-brand checked:before:translate-x-5 checked:before:bg-on-brand disabled:opacity-60';
const CHECKBOX_CLASS = 'size-5 shrink-0 accent-brand';

/** A checkbox: takes effect when the form is submitted. */
export function CheckboxField(props: TickFieldProps) {
  return <TickField {...props} className={classes(CHECKBOX_CLASS, props.className)} />;
}

/** A switch: takes effect at once. */
export function SwitchField(props: TickFieldProps) {
  return <TickField {...props} role="switch" className={classes(SWITCH_CLASS, props.className)} />;
}

function TickField(props: TickFieldProps) {
  const { label, hint, error, ...input } = props;
  const field: BoundField = useField(props);
  return (
    <div className="grid gap-0.5">
      <label className="target flex items-center gap-2.5 text-table">
        <input {...input} {...field.control} type="checkbox" />
        <span>{label}</span>
      </label>
      <FieldErrors field={field} />
      <FieldHint field={field}>{hint}</FieldHint>
    </div>
  );
}
