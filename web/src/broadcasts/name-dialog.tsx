import type { ReactNode } from 'react';
import { TextField, type TextFieldProps } from '../ui/controls/text-field.tsx';
import { ActDialog, type CallState } from '../ui/overlays/act-dialog.tsx';

const NAME_LENGTH_MAX = 200;

/** Asks for the name of something new, or for another one: of a broadcast, a list, a template. */
export function NameDialog(props: {
  title: string;
  action: string;
  field: Pick<TextFieldProps, 'label' | 'hint' | 'defaultValue' | 'onFocus'>;
  state: CallState;
  onName: (name: string) => void;
  onClose: () => void;
  /** Before the field. */
  children?: ReactNode;
}) {
  const { field, onName, children, ...dialog } = props;
  return (
    <ActDialog {...dialog} onSubmit={(values) => onName(values.text('name'))}>
      {children}
      <TextField name="name" {...field} maxLength={NAME_LENGTH_MAX} autoComplete="off" required />
    </ActDialog>
  );
}
