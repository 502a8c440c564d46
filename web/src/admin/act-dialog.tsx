import type { ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/** A dialog with a form, the button of the act, and its refusal. */
export function ActDialog(props: {
  title: string;
  /** The verb: "Приостановить". */
  action: string;
  isDangerous?: boolean;
  /** While the form cannot be sent. */
  isDisabled?: boolean;
  size?: 'large';
  state: { isPending: boolean; error: Error | null };
  onSubmit: (values: FormValues) => void;
  onClose: () => void;
  children: ReactNode;
}) {
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
