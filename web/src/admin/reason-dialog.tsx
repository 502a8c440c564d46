import type { ReactNode } from 'react';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/** Asks for the reason of an act, which stays in the log of operators. */
export function ReasonDialog(props: {
  title: string;
  lead: string;
  /** The verb: "Разблокировать". */
  action: string;
  /** Fields before the reason. */
  children?: ReactNode;
  isBusy: boolean;
  error: Error | null;
  onSubmit: (values: FormValues) => void;
  onClose: () => void;
}) {
  const texts = useAdminTexts().abuse;
  const { cancel } = useTexts().ui;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <Form error={props.error} onSubmit={props.onSubmit}>
        <p className="text-muted">{props.lead}</p>
        {props.children}
        <TextField
          name="reason"
          label={texts.reason}
          hint={texts.reasonHint}
          required
          maxLength={500}
          autoComplete="off"
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={props.isBusy}>
            {props.action}
          </Button>
          <Button look="quiet" onClick={props.onClose}>
            {cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
