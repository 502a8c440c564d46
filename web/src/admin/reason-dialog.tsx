import type { ReactNode } from 'react';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import type { FormValues } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ActDialog, type CallState } from '../ui/overlays/act-dialog.tsx';

/** Asks for the reason of an act, which stays in the log of operators. */
export function ReasonDialog(props: {
  title: string;
  lead: string;
  /** The verb: "Разблокировать". */
  action: string;
  /** Fields before the reason. */
  children?: ReactNode;
  state: CallState;
  onSubmit: (values: FormValues) => void;
  onClose: () => void;
}) {
  const { lead, children, ...dialog } = props;
  const texts = useAdminTexts().abuse;
  return (
    <ActDialog {...dialog}>
      <p className="text-muted">{lead}</p>
      {children}
      <TextField
        name="reason"
        label={texts.reason}
        hint={texts.reasonHint}
        required
        maxLength={500}
        autoComplete="off"
      />
    </ActDialog>
  );
}
