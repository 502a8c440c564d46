import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';

/** The second step of a sign-in: a code from the app, or a recovery code. */
export function SecondFactorForm({ onDone }: { onDone: () => void }) {
  const texts = useTexts().signIn;
  const [isRecovery, setRecovery] = useState(false);
  const signIn = useAction('signInSecond');
  return (
    <Form
      error={signIn.error}
      onSubmit={(values) =>
        signIn.mutate(
          { body: { code: values.text('code'), is_recovery_code: isRecovery } },
          { onSuccess: onDone },
        )
      }
    >
      <TextField
        key={String(isRecovery)}
        name="code"
        label={isRecovery ? texts.recoveryCode : texts.secondCode}
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoFocus
        required
      />
      <FormActions>
        <Button type="submit" look="primary" className="w-full" isBusy={signIn.isPending}>
          {texts.enter}
        </Button>
        <Button look="quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? texts.useApp : texts.useRecovery}
        </Button>
      </FormActions>
    </Form>
  );
}
