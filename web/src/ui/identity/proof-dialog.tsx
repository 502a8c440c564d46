import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { Form, FormActions, type FormValues } from '../controls/form.tsx';
import { PasswordField } from '../controls/password-field.tsx';
import { CodeField, TextField } from '../controls/text-field.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import type { ProofDialogProps } from './proof-gate.tsx';

export type ProofWay = 'passkey' | 'app' | 'recovery' | 'password' | 'phone';

type ProofFormProps = {
  /** The strongest first. */
  ways: readonly ProofWay[];
  lead: string;
  prove: (way: ProofWay, values: FormValues) => Promise<void>;
  /** The fields of a code by phone, where that is a way. */
  byPhone?: ReactNode;
};

export function ProofDialog({ onEnd, ...form }: ProofFormProps & ProofDialogProps) {
  const texts = useTexts().layout.identity;
  return (
    <Dialog title={texts.title} onClose={() => onEnd(false)}>
      <ProofForm {...form} onConfirmed={() => onEnd(true)} />
    </Dialog>
  );
}

function ProofForm({
  ways,
  lead,
  prove,
  byPhone,
  onConfirmed,
}: ProofFormProps & { onConfirmed: () => void }) {
  const { layout, signIn } = useTexts();
  const texts = layout.identity;
  const [chosen, setChosen] = useState<ProofWay>();
  const way = chosen ?? ways[0];
  const confirm = useMutation({
    mutationFn: (values: FormValues) => prove(way as ProofWay, values),
    onSuccess: onConfirmed,
  });
  if (way === undefined) return <p>{texts.noWay}</p>;
  const change = (other: ProofWay) => {
    confirm.reset();
    setChosen(other);
  };
  const names: Record<ProofWay, string> = {
    passkey: texts.passkey,
    app: signIn.useApp,
    recovery: texts.useRecovery,
    password: texts.usePassword,
    phone: texts.useCode,
  };
  return (
    <Form error={confirm.error} onSubmit={(values) => confirm.mutate(values)}>
      <p className="text-muted">{lead}</p>
      <ProofField key={way} way={way} byPhone={byPhone} />
      <FormActions>
        <Button
          key={way}
          type="submit"
          look="primary"
          autoFocus={way === 'passkey'}
          isBusy={confirm.isPending}
          icon={way === 'passkey' && <Fingerprint aria-hidden="true" size={18} />}
        >
          {way === 'passkey' ? texts.passkey : texts.confirm}
        </Button>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} look="quiet" onClick={() => change(other)}>
              {names[other]}
            </Button>
          ))}
      </FormActions>
    </Form>
  );
}

function ProofField({ way, byPhone }: { way: ProofWay; byPhone: ReactNode }) {
  const { layout, signIn } = useTexts();
  switch (way) {
    case 'passkey':
      return null;
    case 'app':
      return <CodeField label={signIn.secondCode} autoFocus />;
    case 'recovery':
      return (
        <TextField name="code" label={signIn.recoveryCode} autoComplete="off" autoFocus required />
      );
    case 'password':
      return <PasswordField label={layout.identity.password} autoFocus />;
    case 'phone':
      return byPhone;
  }
}
