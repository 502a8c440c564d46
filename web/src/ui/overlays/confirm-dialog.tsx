import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form, FormActions } from '../controls/form.tsx';
import { TextField } from '../controls/text-field.tsx';
import { Dialog } from './dialog.tsx';

export type ConfirmDialogProps = {
  title: ReactNode;
  /** The consequences, in numbers where possible. */
  children?: ReactNode;
  /** The verb: "Отозвать ключ", never "OK". */
  action: string;
  /** A word that must be typed first, for irreversible actions. */
  typeToConfirm?: string;
  onConfirm: () => void;
  onClose: () => void;
  isBusy?: boolean;
  error?: Error | null;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, typeToConfirm, onConfirm, onClose } = props;
  const texts = useTexts().ui;
  const [typed, setTyped] = useState('');
  const isConfirmed = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form error={props.error ?? null} onSubmit={() => isConfirmed && onConfirm()}>
        {children}
        {typeToConfirm !== undefined && (
          <TextField
            name="confirmation"
            label={texts.typeToConfirm(typeToConfirm)}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <FormActions>
          <Button
            type="submit"
            look="danger"
            disabled={!isConfirmed}
            isBusy={props.isBusy ?? false}
          >
            {action}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {texts.cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
