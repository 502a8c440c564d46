import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { FieldFrame, type FieldProps, INPUT_CLASS, useField } from './field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'name' | 'id'>;
export type TextFieldProps = FieldProps &
  InputProps & {
    isMono?: boolean;
    /** A button beside the field, such as one that shows a password. */
    beside?: ReactNode;
  };

export function TextField(props: TextFieldProps) {
  const { label, hint, error, isMono = false, beside, className, ...input } = props;
  const field = useField(props);
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <div className="flex gap-2">
        <input
          {...input}
          {...field.control}
          className={classes(INPUT_CLASS, isMono && 'font-mono', className)}
        />
        {beside}
      </div>
    </FieldFrame>
  );
}

/** A one-time code in digits; the system can fill it in from a received message. */
export function CodeField(props: Omit<TextFieldProps, 'name'>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      className="text-xl tracking-widest"
      required
      {...props}
      name="code"
    />
  );
}

export type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'id'>;

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, hint, error, className, ...area } = props;
  const field = useField(props);
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <textarea rows={4} {...area} {...field.control} className={classes(INPUT_CLASS, className)} />
    </FieldFrame>
  );
}
