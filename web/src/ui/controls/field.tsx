import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { useFieldErrors, useOwnProblem } from './form.tsx';

export type FieldProps = {
  /** The name in the request body; errors of the answer are matched to the field by it. */
  name: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Shown together with the errors from the form. */
  error?: string | undefined;
};

export type FieldIds = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

/** Ids that connect a control with its label, hint and errors. */
export function useField({ name, hint, error }: FieldProps) {
  const ownId = useId();
  const refused = useFieldErrors(name);
  const own = useOwnProblem(name);
  const shown = error ?? own;
  const isInvalid = shown !== undefined || refused.length > 0;
  const hintId = `${ownId}-hint`;
  const errorId = `${ownId}-error`;
  const described = [hint !== undefined && hintId, isInvalid && errorId].filter(Boolean);
  const control: FieldIds = {
    id: ownId,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    'aria-invalid': isInvalid || undefined,
  };
  return { control, error: shown, refused, isInvalid, hintId, errorId };
}

export type BoundField = ReturnType<typeof useField>;

export function FieldHint({ field, children }: { field: BoundField; children: ReactNode }) {
  if (children === undefined) return null;
  return (
    <p id={field.hintId} className="text-sm text-muted">
      {children}
    </p>
  );
}

export function FieldErrors({ field }: { field: BoundField }) {
  if (!field.isInvalid) return null;
  return (
    <p id={field.errorId} className="flex gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <span>
        {field.error} {/* Texts of the server are in Russian, whatever the language of the page. */}
        <span lang="ru">{field.refused.join(' ')}</span>
      </span>
    </p>
  );
}

/** Label above, then the control, the errors and the hint. */
export function FieldFrame(props: {
  field: BoundField;
  label: ReactNode;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={props.field.control.id} className="text-table font-medium">
        {props.label}
      </label>
      {props.children}
      <FieldErrors field={props.field} />
      <FieldHint field={props.field}>{props.hint}</FieldHint>
    </div>
  );
}

/** The label of an optional field; fields without it are required. */
export function Optional({ label }: { label: string }) {
  return (
    <>
      {label} <span className="font-normal text-muted">({useTexts().ui.optional})</span>
    </>
  );
}

export const INPUT_CLASS =
  'target w-full rounded-control border border-border bg-surface px-3 py-1 text-base placeholder:text-faint disabled:bg-sunken disabled:text-muted aria-invalid:border-bad';
