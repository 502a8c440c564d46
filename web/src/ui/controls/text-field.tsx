import type { ComponentProps, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { FieldFrame, type FieldProps, INPUT_CLASS, useField } from './field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'name' | 'id' | 'prefix'>;
export type TextFieldProps = FieldProps &
  InputProps & {
    isMono?: boolean;
    /** What the value is the end of, such as an address; not part of the value. */
    prefix?: string | undefined;
    /** A button beside the field, such as one that shows a password. */
    beside?: ReactNode;
  };

export function TextField(props: TextFieldProps) {
  const { label, hint, error, isMono = false, prefix, beside, className, ...input } = props;
  const field = useField(props);
  return (
    <FieldFrame field={field} label={label} hint={hint}>
      <div className="flex gap-2">
        <div className="flex w-full min-w-0">
          {prefix !== undefined && (
            <span
              translate="no"
              className="flex max-w-[55%] shrink-0 items-center rounded-s-control border border-e-0 border-border bg-sunken px-3 font-mono text-sm text-muted wrap-anywhere"
            >
              {prefix}
            </span>
          )}
          <input
            {...input}
            {...field.control}
            className={classes(
              INPUT_CLASS,
              isMono && 'font-mono',
              prefix !== undefined && 'min-w-0 rounded-s-none',
              className,
            )}
          />
        </div>
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
