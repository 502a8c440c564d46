import { useEffect, useState } from 'react';
import { onRefusal } from '../call.ts';
import { useAction } from '../queries.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField, TextField } from '../ui/controls/text-field.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/**
 * Opens when a call is refused because the sign-in is too old. The call is retried once the person
 * has confirmed their identity.
 */
export function IdentityDialog() {
  const [resolveCall, setResolveCall] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => {
    onRefusal.staleSignIn = () => new Promise((resolve) => setResolveCall(() => resolve));
    return () => {
      onRefusal.staleSignIn = async () => false;
    };
  }, []);
  const texts = useTexts().layout.identity;
  if (resolveCall === undefined) return null;
  const end = (isConfirmed: boolean) => {
    resolveCall(isConfirmed);
    setResolveCall(undefined);
  };
  return (
    <Dialog title={texts.title} onClose={() => end(false)}>
      <IdentityForm onConfirmed={() => end(true)} />
    </Dialog>
  );
}

function IdentityForm({ onConfirmed }: { onConfirmed: () => void }) {
  const texts = useTexts().layout.identity;
  const { person } = useSession();
  const [method, setMethod] = useState<'password' | 'code'>(
    person.has_password ? 'password' : 'code',
  );
  const confirm = useAction('confirmIdentity');
  const canChange = person.has_password && person.phone !== null;
  return (
    <Form
      error={confirm.error}
      onSubmit={(values) =>
        confirm.mutate({ body: { [method]: values.text(method) } }, { onSuccess: onConfirmed })
      }
    >
      <p className="text-muted">{texts.lead}</p>
      {method === 'password' ? (
        <TextField
          name="password"
          type="password"
          label={texts.password}
          autoComplete="current-password"
          autoFocus
          required
        />
      ) : (
        <CodeByPhone />
      )}
      <FormActions>
        <Button type="submit" look="primary" isBusy={confirm.isPending}>
          {texts.confirm}
        </Button>
        {canChange && (
          <Button look="quiet" onClick={() => setMethod(method === 'code' ? 'password' : 'code')}>
            {method === 'code' ? texts.usePassword : texts.useCode}
          </Button>
        )}
      </FormActions>
    </Form>
  );
}

function CodeByPhone() {
  const texts = useTexts().layout.identity;
  const format = useFormat();
  const { person } = useSession();
  const send = useAction('sendIdentityCode');
  const [secondsLeft, startCountdown] = useCountdown();
  const sendCode = () =>
    send.mutate({}, { onSuccess: (sent) => startCountdown(sent.resend_after) });
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <Button isBusy={send.isPending} disabled={secondsLeft > 0} onClick={sendCode}>
          {texts.sendCode}
        </Button>
        <p role="status" className="text-sm text-muted">
          {send.isSuccess && texts.codeSent(format.phone(person.phone ?? ''))}{' '}
          {secondsLeft > 0 && <span aria-hidden="true">{texts.resendIn(secondsLeft)}</span>}
        </p>
      </div>
      <CodeField label={texts.code} />
    </>
  );
}
