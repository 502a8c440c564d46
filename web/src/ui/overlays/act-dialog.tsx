import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form, FormActions, type FormValues } from '../controls/form.tsx';
import { Dialog } from './dialog.tsx';

/** What an action, or whatever else is called, says of itself. */
export type CallState = { isPending: boolean; error: Error | null };

export type ActDialogProps = {
  title: ReactNode;
  /** The verb: "Приостановить", never "OK". */
  action: string;
  isDangerous?: boolean;
  /** While the form cannot be sent. */
  isDisabled?: boolean;
  size?: 'large';
  state: CallState;
  onSubmit: (values: FormValues) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** A dialog with a form, the button of the act, and its refusal. */
export function ActDialog(props: ActDialogProps) {
  const { title, action, isDangerous, isDisabled, size, state, onSubmit, onClose, children } =
    props;
  const { cancel } = useTexts().ui;
  return (
    <Dialog title={title} onClose={onClose} {...(size !== undefined && { size })}>
      <Form error={state.error} onSubmit={onSubmit}>
        {children}
        <FormActions>
          <Button
            type="submit"
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={state.isPending}
            disabled={isDisabled}
          >
            {action}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
