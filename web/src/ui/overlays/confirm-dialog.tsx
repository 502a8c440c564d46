import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { TextField } from '../controls/text-field.tsx';
import { ActDialog, type CallState } from './act-dialog.tsx';

export type ConfirmDialogProps = {
  title: ReactNode;
  /** The consequences, in numbers where possible. */
  children?: ReactNode;
  /** The verb: "Отозвать ключ", never "OK". */
  action: string;
  /** A word that must be typed first, for irreversible actions. */
  typeToConfirm?: string;
  /** Left out where nothing is called. */
  state?: CallState;
  onConfirm: () => void;
  onClose: () => void;
};

const NOTHING_CALLED: CallState = { isPending: false, error: null };

/** Asks before something is lost. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { children, typeToConfirm, state = NOTHING_CALLED, onConfirm, ...dialog } = props;
  const texts = useTexts().ui;
  const [typed, setTyped] = useState('');
  const isConfirmed = typeToConfirm === undefined || typed.trim() === typeToConfirm;
  return (
    <ActDialog
      {...dialog}
      isDangerous
      isDisabled={!isConfirmed}
      state={state}
      onSubmit={() => isConfirmed && onConfirm()}
    >
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
    </ActDialog>
  );
}
